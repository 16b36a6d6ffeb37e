package products

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lines has lines of products, with what they mean: AS|NODE|RESOURCE|TIME.
var lines = map[string]string{
	`I0501 10:00:00.000001       1 leaderelection.go:260] successfully acquired lease kube-system/scheduler`:                              "client-go: acquire||kube-system/scheduler|2000-05-01T10:00:00.000001",
	`I1006 21:30:01.283231       1 leaderelection.go:304] "Failed to renew lease" lock="kube-system/a.b" err="context deadline exceeded"`: "client-go: release||kube-system/a.b|2000-10-06T21:30:01.283231",
	`{"level":"info","ts":"2026-09-18T10:01:13Z","msg":"Successfully acquired lease","lock":"gateway/ngf"}`:                               "client-go: acquire||gateway/ngf|2026-09-18T10:01:13Z",
	`I0501 10:00:00.5 1 leaderelection.go:250] attempting to acquire leader lease  op/a.example.com...`:                                   "client-go: request||op/a.example.com|2000-05-01T10:00:00.5",
	`I0501 10:00:00.5 1 leaderelection.go:250] "Attempting to acquire leader lease..." lock="op/a.example.com"`:                           "client-go: request||op/a.example.com|2000-05-01T10:00:00.5",
	`DEBUG 1 --- [s-1] n.j.s.core.DefaultLockingTaskExecutor : Task finished, lock 'bob's job' will be released at 2026-05-01T10:00:00Z`:  "shedlock: release||bob's job|",
	`worker=w1 lock acquired after waiting 20ms key=x`:                                                                                    "lock words: acquire|w1|x|",
	`worker=w1 got the lock, was waiting 3s key=x`:                                                                                        "lock words: acquire|w1|x|",
	`worker=w1 lock released, 3 waiting key=x`:                                                                                            "lock words: release|w1|x|",
	`worker=w1 lock could not be acquired key=x`:                                                                                          "lock words: refused|w1|x|",
	`worker=w1 lock wasn't obtained key=x`:                                                                                                "lock words: refused|w1|x|",
	`worker=w1 no lock acquired key=x`:                                                                                                    "lock words: refused|w1|x|",
	`worker=w1 lock already acquired by w2 key=x`:                                                                                         "lock words: refused|w1|x|",
	`worker=w1 lock was not released key=x`:                                                                                               "lock words: release-failed|w1|x|",
	`worker=w1 lock will be released soon key=x`:                                                                                          "lock words: line|w1|x|",
	`worker=w1 waiting for the lock to be released key=x`:                                                                                 "lock words: line|w1|x|",
	`DEBUG:redis_lock:Got lock for "lock:it's".`:                                                                                          "python-redis-lock: acquire||lock:it's|",
	`1795819048.590219 [5 lua] "hincrby" "a,  b " "2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31" "1"`:                                          "redisson: acquire|2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31|a,  b  in 5|1795819048.590219",
	`1795819048.671730 [0 127.0.0.1:1] "EVAL" "if \"x\" " "4" "476" "redisson_lock_queue:{476}" "redisson_lock_timeout:{476}" "redisson_lock__channel:{476}" "0" "30000" "2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31" "1599727334030"`: "redisson: unlock|2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31|476|1795819048.671730",
	`{"log":"E0501 10:00:00.5 1 leaderelection.go:308] failed to renew lease a/b: timed out\n","stream":"stderr","time":"2026-05-01T10:00:01Z"}`:                                                                                    "client-go: release||a/b|2000-05-01T10:00:00.5",
	`2026-05-01T10:00:09.000000001Z stderr F I0501 10:00:00.5 1 leaderelection.go:260] successfully acquired lease a/b`:                                                                                                             "client-go: acquire||a/b|2000-05-01T10:00:00.5",
	`[pod/ctl-7d/manager] I0501 10:00:00.5 1 leaderelection.go:260] successfully acquired lease a/b`:                                                                                                                                "client-go: acquire|ctl-7d|a/b|2000-05-01T10:00:00.5",
	`{"level":"info","ts":"2026-05-01T10:00:01.000Z","msg":"8e9e became leader at term 2"}`:                                                                                                                                         "etcd: acquire|8e9e|term 2|2026-05-01T10:00:01.000Z",
	`2026-05-01 10:00:00.000 UTC [71] u@d LOG:  statement: select pg_advisory_lock(42);`:                                                                                                                                            "postgresql: wait|71|42|2026-05-01T10:00:00.000 UTC",
	`2026-05-01 10:00:00.000 UTC [71] u@d LOG:  statement: select pg_advisory_xact_lock_shared(42);`:                                                                                                                                "postgresql: wait-xact|71|42|2026-05-01T10:00:00.000 UTC",
	`2026-05-01 10:00:00.000 DEBUG 1 --- [s-1] n.j.s.core.DefaultLockingTaskExecutor : Not executing 'report'. It's locked.`:                                                                                                        "shedlock: refused||report|2026-05-01T10:00:00.000",
	`DEBUG:redis_lock:Got lock for 'lock:jobs'.`:                                     "python-redis-lock: acquire||lock:jobs|",
	`    2021-05-06T17:29:58.823+0800 [INFO]  agent.server: cluster leadership lost`: "consul: release|||2021-05-06T17:29:58.823+0800",
	`2026-05-01 10:00:00,000 [DEBUG] [t] [c.h.c.i.d.l.LockService]: Lock[a] in CPGroupId{name='b', seed=0, groupId=7} not released by <LockEndpoint{sessionId=1, threadId=41}, 7f> at commit index: 6.`: "hazelcast: lost|sessionId=1, threadId=41|a in b|2026-05-01T10:00:00.000",
	`1795819048.590219 [0 lua] "hincrby" "a \"b" "2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31" "1"`:                                                                                                         `redisson: acquire|2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31|a \"b|1795819048.590219`,
	`1795819048.671730 [0 127.0.0.1:1] "eval" "if \"x\" " "2" "stock" "redisson_lock__channel:{stock}" "0" "30000" "2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31"`:                                           "redisson: unlock|2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31|stock|1795819048.671730",
	`1795819048.590219 [0 lua] "hget" "stock" "mode"`: "redisson: shared|lua|stock|1795819048.590219",
	`2026-05-01 10:00:00.000 TRACE c.a.s.d.AmazonDynamoDBLockClient - Acquiring a new lock or an existing yet released lock on key = x`:                      "a DynamoDB lock client: acquire|||2026-05-01T10:00:00.000",
	`2026-05-01 10:00:00,000 INFO audit.Log4jAuditLogger: session=0x1	operation=create	znode=/a/b-0000000001	znode_type=ephemeral_sequential	result=success`: "ZooKeeper's audit: acquire|||2026-05-01T10:00:00.000",
	`1795819048.590219 [0 127.0.0.1:1] "SET" "a" "t" "NX" "PX" "5000"`:                                                                                       "Redlock by the output of Redis's MONITOR: acquire|||1795819048.590219",
	`2026-05-01 10:00:00,000 [myid:] - INFO [main] - Becoming leader with node:/a/b/n_0000000007`:                                                            "zookeeper election: acquire||/a/b|2026-05-01T10:00:00.000",
	`{"__REALTIME_TIMESTAMP":"1777629600000000","_HOSTNAME":"vm","_PID":"7","MESSAGE":"lock acquired key=x"}`:                                                "lock words: acquire|vm/7|x|1777629600.000000",
	`{"msg":"release failed","lock":"x","worker":"w1","time":"2026-05-01T10:00:00Z"}`:                                                                        "lock words: release-failed|w1|x|2026-05-01T10:00:00Z",
}

// TestLinesAreRead holds what lines of each product mean, alone and as a runtime or a logger wraps them.
func TestLinesAreRead(t *testing.T) {
	read := map[string]bool{}
	for line, want := range lines {
		name, want, _ := strings.Cut(want, ": ")
		i := slices.IndexFunc(products(), func(p *Product) bool { return p.Name == name })
		if i < 0 {
			t.Fatalf("there is no product %s", name)
		}
		read[name] = true
		m, kind := products()[i].Line([]byte(line), nil)
		if m == nil {
			t.Errorf("%s: left out as %q", line, kind)
		} else if got := strings.Join([]string{m.As, m.Node, m.Resource, m.Time}, "|"); got != want {
			t.Errorf("%s:\n%s, want\n%s", line, got, want)
		}
	}
	version := regexp.MustCompile(`\d\.\d`)
	for _, p := range products() {
		if !read[p.Name] || !p.Words && !version.MatchString(p.Read) {
			t.Errorf("%s: no line is tested, or %q does not name a version", p.Name, p.Read)
		}
		acquires := func(x text) bool { return slices.Contains(acquiring, x.As) }
		if !slices.ContainsFunc(p.Texts, acquires) {
			t.Errorf("%s: no text acquires", p.Name)
		}
	}
}

// TestProductWithMostAcquisitionsIsRecognised: words count only if no product has a text.
func TestProductWithMostAcquisitionsIsRecognised(t *testing.T) {
	const words = "worker=a lock acquired key=x\nworker=a lock released key=x\n"
	const latch = "Becoming leader with node:/a/n_1\nStopping leader election support\n"
	for log, want := range map[string]string{
		"": "", "Stopping leader election support\n": "", words: "lock words",
		words + words + latch: "zookeeper election",
		latch + latch + "DEBUG:redis_lock:Got lock for 'lock:jobs'.\n": "zookeeper election, also " +
			"python-redis-lock",
	} {
		got := ""
		if p := Recognise([][]byte{[]byte(log)}); p != nil {
			got = strings.Join(append([]string{p.Name}, p.Also...), ", also ")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", log, got, want)
		}
	}
}

// FuzzLine reads anything as a line of each product. A match has one of the meanings of products.yaml, and
// texts without a line break; other lines have a kind.
func FuzzLine(f *testing.F) {
	for line := range lines {
		f.Add([]byte(line))
	}
	f.Add([]byte(`{"log":"x"`))
	f.Add([]byte(`{"MESSAGE":[1,2],"msg":null,"log":{}}`))
	f.Add([]byte("[pod/]"))
	meanings := map[string]bool{}
	for _, p := range products() {
		for _, x := range p.Texts {
			meanings[x.As] = true
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, p := range products() {
			m, kind := p.Line(line, nil)
			switch {
			case m == nil && len(strings.Fields(kind)) > kindWords:
				t.Errorf("%s: kind %q", p.Name, kind)
			case m != nil && (!meanings[m.As] || strings.ContainsAny(m.Resource+m.Pair, "\n\r")):
				t.Errorf("%s: %+v", p.Name, m)
			}
		}
	})
}
