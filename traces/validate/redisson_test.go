package validate

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/logs/formats"
)

// A redis has one reentrant lock of Redisson, with a lease, and the output of MONITOR. Each call is a tick.
type redis struct {
	log           strings.Builder
	now, ends     int
	holder, count int
}

func (r *redis) line(from, format string, a ...any) {
	fmt.Fprintf(&r.log, "%d.%06d [0 %s] %s\n", 1795819048, r.now, from, fmt.Sprintf(format, a...))
}

func holderName(client int) string {
	return fmt.Sprintf("2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:%d", client)
}

// call runs a script: by is 1 to lock, -1 to unlock.
func (r *redis) call(client, by, lease int) (done bool) {
	if r.now++; r.now >= r.ends {
		r.count = 0
	}
	keys := map[int]string{1: `"1" "stock"`, -1: `"2" "stock" "redisson_lock__channel:{stock}" "0"`}[by]
	if r.now%3 == 0 { // the server does not know the script yet
		r.line("127.0.0.1:47300", `"EVALSHA" "f490" %s "%d" "%s"`, keys, lease, holderName(client))
	}
	r.line("127.0.0.1:47300", `"EVAL" "if" %s "%d" "%s"`, keys, lease, holderName(client))
	r.line("lua", `"hexists" "stock" "%s"`, holderName(client))
	if r.count > 0 && r.holder != client || r.count == 0 && by < 0 {
		return false
	}
	r.holder, r.count = client, r.count+by
	r.line("lua", `"hincrby" "stock" "%s" "%d"`, holderName(client), by)
	r.ends = r.now + lease
	return true
}

// A lockUser uses the lock, as far as it knows, at some depth; 0: it does not.
type lockUser struct{ depth int }

// step does something; a user may use the lock beyond its lease, forget to unlock, or unlock in vain.
func (u *lockUser) step(r *redis, rng *rand.Rand, client int) {
	lease := 2 + rng.IntN(20)
	switch do := rng.IntN(8); {
	case u.depth == 0 && do < 4:
		if r.call(client, 1, lease) {
			u.depth = 1
		} else if do == 0 { // in a block that always runs
			r.call(client, -1, lease)
		}
	case u.depth > 0 && do == 0:
		if r.call(client, 1, lease) {
			u.depth++
		}
	case u.depth > 0 && do == 1:
		u.depth = 0
	case u.depth > 0 && do < 5:
		if u.depth--; !r.call(client, -1, lease) {
			u.depth = 0 // an exception
		} else if u.depth == 0 && do == 4 { // once too often
			r.call(client, -1, lease)
		}
	}
	r.now++
}

// TestRedissonIsRejectedOnlyIfTwoUseTheLock compares verdicts with runs whose users are known.
func TestRedissonIsRejectedOnlyIfTwoUseTheLock(t *testing.T) {
	runs := uint64(120)
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		runs = 20_000
	}
	seen := map[explain.Verdict]int{}
	for seed := range runs {
		rng := rand.New(rand.NewPCG(seed, 43))
		r, users, shared := redis{}, make([]lockUser, 3), false
		for range 4 + rng.IntN(20) {
			i := rng.IntN(len(users))
			users[i].step(&r, rng, i)
			using := 0
			for _, u := range users {
				using += min(1, u.depth)
			}
			shared = shared || using > 1
		}
		name := filepath.Join(t.TempDir(), "monitor.log")
		if err := os.WriteFile(name, []byte(r.log.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		var opt Options
		if err := logs.Recognise([]string{name}, &opt.Options); err != nil || opt.Product == nil {
			continue // nobody has locked
		}
		got, err := Run(t.Context(), []string{name}, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range got.Findings() {
			if f.Kind == string(formats.NotInside) { // Redis only releases for the holder
				t.Fatalf("seed %d: %s\n%s", seed, f.Message.String(), r.log.String())
			}
		}
		v := got.Verdict()
		seen[v]++
		if v == explain.Rejected && !shared || v == explain.Accepted && shared {
			t.Fatalf("seed %d: %s, but two used the lock: %t\n%s", seed, v, shared, r.log.String())
		}
	}
	if len(seen) < 3 {
		t.Errorf("verdicts %v, want all three", seen)
	}
	t.Log(seen)
}
