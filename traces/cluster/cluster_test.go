package cluster_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces/cluster"
)

// Many small searches would pay more for the collection of their heap than for themselves.
var _ = debug.SetGCPercent(1000)

// TestMain makes the test's own program the processes.
func TestMain(m *testing.M) {
	if args := os.Getenv("ATMOSTK_TEST_PROCESS"); args != "" {
		in, err := instance(args)
		if err == nil {
			err = cluster.Process(in.Interp, os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// instance returns the instance of "SPEC key=value ...".
func instance(args string) (model.Instance, error) {
	words := strings.Fields(args)
	if strings.HasSuffix(words[0], starfile.Extension) {
		s, err := starfile.Load(words[0])
		if err != nil {
			return model.Instance{}, err
		}
		in, _, err := s.Instantiate(words[1:])
		return in, err
	}
	for _, s := range specs.All {
		if s.Name == words[0] {
			in, _, err := s.Instantiate(words[1:])
			return in, err
		}
	}
	return model.Instance{}, fmt.Errorf("no model %q", words[0])
}

// options are those of a quick run.
func options(t *testing.T, args string) cluster.Options {
	t.Helper()
	in, err := instance(args)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	spec, rest, _ := strings.Cut(args, " ")
	return cluster.Options{
		Nodes: in.Interp, Spec: spec, Args: rest, Dir: t.TempDir(), Entries: 20,
		Duration: 10 * time.Minute, Seed: 1,
		Pace: cluster.Pace{Think: time.Millisecond, Stay: time.Millisecond, Delay: time.Millisecond / 2},
		Command: func(ctx context.Context) *exec.Cmd {
			c := exec.CommandContext(ctx, exe)
			c.Env = append(os.Environ(), "ATMOSTK_TEST_PROCESS="+args)
			c.Stderr = os.Stderr
			return c
		},
	}
}

func start(t *testing.T, opt cluster.Options) []cluster.Run {
	t.Helper()
	runs, err := cluster.Start(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		t.Logf("%d entries, %d steps, killed %v, %s, %s", r.Entries, r.Steps, r.Killed, r.End, r.Elapsed)
	}
	return runs
}

// line is a line of a log.
type line struct {
	Node, Event string
	Seq         uint64
	Clock       map[string]uint64
	From, ID    string
	Sent        []struct{ To, ID, Message string }
	State       map[string]string
	Units       int
}

func readLog(t *testing.T, file string) (lines []line) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		var l line
		if err := json.Unmarshal([]byte(s), &l); err != nil {
			t.Fatalf("%s:%d: %v", file, i+1, err)
		}
		if i > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// check looks at the logs of a run by themselves: each node counts its lines, and every
// envelope that was received had been sent, by the right one, and only once.
func check(t *testing.T, r cluster.Run) (lines []line) {
	t.Helper()
	type end struct{ from, to string }
	sent, received := map[string]end{}, map[string]end{}
	for _, file := range r.Logs {
		for i, l := range readLog(t, file) {
			if l.Seq != uint64(i+1) || l.Clock != nil && l.Clock[l.Node] != l.Seq {
				t.Errorf("%s: line %d has seq %d and clock %v", file, i+2, l.Seq, l.Clock)
			}
			for _, m := range l.Sent {
				sent[m.ID] = end{l.Node, m.To}
			}
			if l.ID != "" {
				if _, twice := received[l.ID]; twice {
					t.Errorf("%s was received twice", l.ID)
				}
				received[l.ID] = end{l.From, l.Node}
			}
			lines = append(lines, l)
		}
	}
	for id, e := range received {
		if sent[id] != e {
			t.Errorf("%s was received as %v, but sent as %v", id, e, sent[id])
		}
	}
	if r.End == cluster.Quiet && len(r.Killed) == 0 && len(received) != len(sent) {
		t.Errorf("%d envelopes were sent and %d received in a run that is quiet", len(sent), len(received))
	}
	return lines
}

func TestEntriesEndARun(t *testing.T) {
	runs := start(t, options(t, "raymond n=3 k=2 rounds=15"))
	entries := 0
	for _, r := range runs {
		for _, l := range check(t, r) {
			if l.Event == "enter" {
				entries++
			}
		}
	}
	if len(runs) != 1 || entries < 20 || runs[0].End != cluster.Enough {
		t.Errorf("%d entries in %d runs: %+v", entries, len(runs), runs)
	}
}

// last returns the latest line of a node's log.
func last(lines []line, node string) (l line) {
	for _, x := range lines {
		if x.Node == node {
			l = x
		}
	}
	return l
}

func count(lines []line, event string) (n int) {
	for _, l := range lines {
		if l.Event == event {
			n++
		}
	}
	return n
}

// TestQuietRunIsFollowedByAnother: with one request each a run ends by itself, and runs follow until there
// were enough entries.
func TestQuietRunIsFollowedByAnother(t *testing.T) {
	for _, args := range []string{
		"raymond n=3 k=1 channel=fifo", "timerfree n=3 k=2 f=0", "raynal n=3 m=2 h=1,1,2",
		"cohorts cohorts=1,2 h=1,1,1",
		"arbiter sets=1+2,2+3,1+3 k=1 h=1,1,1 policy=failed", "vcube-kmutex n=3 k=2",
		"vcube-stack n=2 k=2 rounds=2,1",
	} {
		t.Run(args, func(t *testing.T) {
			opt := options(t, args)
			opt.Entries = 6
			runs := start(t, opt)
			if len(runs) != 2 {
				t.Fatalf("%d runs", len(runs))
			}
			for _, r := range runs {
				check(t, r)
				if r.Entries != 3 {
					t.Errorf("%+v", r)
				}
			}
			if runs[0].End != cluster.Quiet {
				t.Errorf("the first run ended because of %s", runs[0].End)
			}
		})
	}
}

// TestOthersGoOnAfterKills: two of five processes are killed at planned times, and the others go on. The
// units that they held are lost in this algorithm, k is large enough for that.
func TestOthersGoOnAfterKills(t *testing.T) {
	opt := options(t, "raymond n=5 k=3 rounds=15 crashes=2")
	opt.Entries = 60
	opt.Kills = []cluster.Kill{{Process: 1, After: 10 * time.Millisecond},
		{Process: 3, After: 20 * time.Millisecond}}
	runs := start(t, opt)
	r := runs[0]
	lines := check(t, r)
	slices.Sort(r.Killed) // on a loaded machine they may die in another order
	if r.End != cluster.Quiet || strings.Join(r.Killed, " ") != "p2 p4" {
		t.Fatalf("%+v", r)
	}
	for _, p := range []string{"p2", "p4"} {
		if l := last(lines, p); l.Event != "crash" {
			t.Errorf("the log of %s ends with %s", p, l.Event)
		}
	}
	if l := last(lines, "p1"); l.State["Rounds"] != "0" || l.State["State"] != "not requesting" {
		t.Errorf("p1 ends with %v", l.State)
	}
}

// TestSurvivorsNoticeRandomKills: as many as were asked for, and survivors of an algorithm with a failure
// detector get to know.
func TestSurvivorsNoticeRandomKills(t *testing.T) {
	opt := options(t, "vcube-kmutex n=4 k=2 rounds=3 crashes=2")
	opt.Entries, opt.RandomKills = 30, 2
	killed := 0
	for _, r := range start(t, opt) {
		lines := check(t, r)
		killed += len(r.Killed)
		if r.End != cluster.Quiet {
			continue
		}
		if n := count(lines, "notify"); len(r.Killed) != 2 || n < 4 {
			t.Errorf("%d killed, %d notices", len(r.Killed), n)
		}
	}
	if killed < 2 {
		t.Errorf("%d processes were killed", killed)
	}
}

// TestCrashInsideBroadcastLosesMessages: a process that dies while it sends has logged more than it has sent.
func TestCrashInsideBroadcastLosesMessages(t *testing.T) {
	lost := 0
	for seed := range uint64(5) {
		opt := options(t, "raymond n=5 k=5 rounds=3 crashes=1")
		opt.Seed, opt.Entries, opt.RandomKills, opt.CrashInside = seed, 16, 1, true
		r := start(t, opt)[0]
		lines := check(t, r)
		if len(r.Killed) == 0 {
			continue // it had no step with several messages any more
		}
		received := map[string]bool{}
		for _, l := range lines {
			received[l.ID] = true
		}
		var before line // the line before the crash
		for _, l := range lines {
			if l.Node == r.Killed[0] && l.Event != "crash" {
				before = l
			}
		}
		arrived := 0
		for _, m := range before.Sent {
			if received[m.ID] {
				arrived++
			}
		}
		t.Logf("%s: %d of %d arrived", before.Event, arrived, len(before.Sent))
		if len(before.Sent) < 2 || arrived == 0 {
			t.Errorf("%+v", before)
		}
		if arrived < len(before.Sent) {
			lost++
		}
	}
	if lost == 0 {
		t.Error("no process died while it sent")
	}
}

// TestLinksBreakAndOthersGoOn: a message that is under way at the start is received, and after a crash the
// others go on.
func TestLinksBreakAndOthersGoOn(t *testing.T) {
	opt := options(t, "ring-recovery n=3 f=1 rounds=2 variant=repaired")
	opt.Entries, opt.Kills = 4, []cluster.Kill{{Process: 1, After: 5 * time.Millisecond}}
	if r := start(t, opt)[0]; r.Entries != 4 || len(r.Killed) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestKilledProcessComesUpAgain, as a new process, on a medium without links.
func TestKilledProcessComesUpAgain(t *testing.T) {
	opt := options(t, "../../specs/files/paxos-roles.star crashes=1 crashable=3,4,5")
	opt.Kills = []cluster.Kill{{Process: 3, After: time.Millisecond}}
	r := start(t, opt)[0]
	if lines := check(t, r); len(r.Killed) != 1 || count(lines, "recover") != 1 {
		t.Errorf("%+v", r)
	}
}

// TestSlowEnvelopesDelayEntries: five entries of p1 wait for envelopes from p2, a tenth of a second each on
// average.
func TestSlowEnvelopesDelayEntries(t *testing.T) {
	opt := options(t, "raymond n=2 k=1 rounds=5")
	opt.Pace.Slow = map[model.Proc]time.Duration{1: 100 * time.Millisecond}
	opt.Entries = 10
	if r := start(t, opt)[0]; r.Entries != 10 || r.Elapsed < 100*time.Millisecond {
		t.Errorf("%+v", r)
	}
}

// TestRunEndsAtTheConstraint: a run of a model with a constraint ends there.
func TestRunEndsAtTheConstraint(t *testing.T) {
	opt := options(t, "lamport-mutex n=3 max-clock=40")
	opt.Entries = 50
	runs := start(t, opt)
	if runs[0].End != cluster.Outside || runs[0].Entries == 0 {
		t.Errorf("%+v", runs[0])
	}
	check(t, runs[0])
}

// TestInterruptEndsProcesses: when the context ends, so do the processes.
func TestInterruptEndsProcesses(t *testing.T) {
	opt := options(t, "raymond n=3 k=2 rounds=15")
	opt.Pace.Think = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	go func() { // once all processes have begun to write their logs
		for begun := 0; begun < 3; time.Sleep(time.Millisecond) {
			begun = 0
			logs, _ := filepath.Glob(filepath.Join(opt.Dir, "*", "*"))
			for _, log := range logs {
				if info, err := os.Stat(log); err == nil && info.Size() > 0 {
					begun++
				}
			}
		}
		cancel()
	}()
	runs, err := cluster.Start(ctx, opt)
	if err != nil || len(runs) != 1 || runs[0].End != cluster.Interrupted || runs[0].Entries != 0 {
		t.Fatalf("%+v, %v", runs, err)
	}
	for _, s := range runs[0].States {
		if s == nil {
			t.Error("a process has not ended")
		}
	}
}

// TestTimeOverEndsBetweenSteps: a run that does not come to its end is ended between two steps.
func TestTimeOverEndsBetweenSteps(t *testing.T) {
	opt := options(t, "raymond n=3 k=2")
	opt.Pace.Stay = time.Hour
	opt.Duration = time.Second
	runs := start(t, opt)
	if len(runs) != 1 || runs[0].End != cluster.TimeOver || runs[0].Entries > 2 {
		t.Errorf("%+v", runs)
	}
}

// TestRunThatHasNotBegunDoesNotCount: no process comes to a step in the second run before the time is over.
func TestRunThatHasNotBegunDoesNotCount(t *testing.T) {
	opt := options(t, "raymond n=2 k=1 rounds=1")
	opt.Duration = 2 * time.Second
	command, started := opt.Command, 0
	opt.Command = func(ctx context.Context) *exec.Cmd {
		if started++; started == 4 {
			time.Sleep(opt.Duration)
		}
		return command(ctx)
	}
	runs := start(t, opt)
	if left, _ := filepath.Glob(filepath.Join(opt.Dir, "*")); len(runs) != 1 || len(left) != 1 {
		t.Errorf("%d runs, %q is left: %+v", len(runs), left, runs)
	}
}

// TestProcessesEndWithTheSupervisor: processes end when the supervisor is gone, even if it had no time to
// say so.
func TestProcessesEndWithTheSupervisor(t *testing.T) {
	opt := options(t, "raymond n=3 k=2")
	c := opt.Command(context.Background())
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

func TestImpossibleOptionsAreErrors(t *testing.T) {
	crash := func(ps ...model.Proc) (ks []cluster.Kill) {
		for _, p := range ps {
			ks = append(ks, cluster.Kill{Process: p, After: time.Second})
		}
		return ks
	}
	for _, c := range []struct {
		args   string
		change func(*cluster.Options)
		want   string
	}{
		{"raymond crashes=0", func(o *cluster.Options) { o.Kills = crash(0) }, "do not allow p1 to crash"},
		{"raymond crashes=1", func(o *cluster.Options) { o.Kills = crash(0, 1) }, "do not allow p2 to crash"},
		{"raymond crashes=2", func(o *cluster.Options) { o.Kills = crash(1, 1) },
			"p2 cannot be killed: it is already dead"},
		{"raymond crashes=2 dead=2", func(o *cluster.Options) { o.Kills = crash(1) },
			"p2 cannot be killed: it is already dead"},
		{"raymond crashes=2", func(o *cluster.Options) { o.RandomKills = 3 }, "the parameters allow 2"},
		{"raymond crash-sends=none", func(o *cluster.Options) { o.CrashInside = true }, "crash-sends=prefix"},
		{"raymond", func(o *cluster.Options) { o.Dir = "/nonexistent" }, "nonexistent"},
		{"raymond", func(o *cluster.Options) {
			o.Command = func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, "true") }
		}, "ended by itself: exit status 0"},
	} {
		opt := options(t, c.args)
		c.change(&opt)
		if _, err := cluster.Start(context.Background(), opt); err == nil || !strings.Contains(err.Error(),
			c.want) {
			t.Errorf("%s: got %v, want %q", c.args, err, c.want)
		}
	}
}
