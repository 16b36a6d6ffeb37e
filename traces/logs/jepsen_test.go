package logs_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// uncertain is a semaphore of k units whose operations may not have happened if they are
// uncertain.
func uncertain(k int) porcupine.Model {
	return (&porcupine.NondeterministicModel{
		Init: func() []any { return []any{0} },
		Step: func(state, input, _ any) (next []any) {
			op := input.(operation)
			if used := state.(int) + op.units; used <= k {
				next = append(next, used)
			}
			if op.maybe {
				next = append(next, state)
			}
			return next
		},
	}).ToModel()
}

type operation struct {
	units int
	maybe bool
}

// A lockTest is a run of Jepsen against a lock of leases: clients that acquire and release at
// random, a service that answers late, forgets leases when the nemesis is at work, and a clock that
// runs back now and then. It is the history and what Porcupine is told of it.
type lockTest struct {
	*rand.Rand
	history strings.Builder
	index   int
	now     int
	ops     []porcupine.Operation
	open    map[int]porcupine.Operation
	holder  int // -1: none
}

// log writes an entry of the history.
func (j *lockTest) log(kind, f string, process int, extra string) {
	j.now += j.IntN(1000) - 50
	fmt.Fprintf(&j.history, "{:type :%s, :f :%s, :process %d, :time %d%s, :index %d}\n", kind, f, process,
		j.now, extra, j.index)
	j.index++
}

func (j *lockTest) invoke(f string, process int) {
	units := map[string]int{"acquire": 1, "release": -1}[f]
	j.open[process] = porcupine.Operation{ClientId: process, Input: operation{units: units},
		Call: int64(j.index)}
	j.log("invoke", f, process, "")
}

// end ends the operation of a process; one that fails has not happened.
func (j *lockTest) end(kind, f string, process int, extra string) {
	op := j.open[process]
	delete(j.open, process)
	op.Return = int64(j.index)
	j.log(kind, f, process, extra)
	if kind == "info" {
		op.Return, op.Input = 1<<40, operation{op.Input.(operation).units, true}
	}
	if kind != "fail" {
		j.ops = append(j.ops, op)
	}
}

// run lets five clients do something, one step of a client after the other.
func (j *lockTest) run(entries int, broken bool) {
	j.open, j.holder = map[int]porcupine.Operation{}, -1
	doing, inside, next := map[int]string{}, map[int]bool{}, 5
	clients := []int{0, 1, 2, 3, 4}
	for j.index < entries {
		c := j.IntN(len(clients))
		p := clients[c]
		switch doing[p] {
		case "":
			doing[p] = "acquire"
			if inside[p] || j.IntN(4) == 0 {
				doing[p] = "release"
			}
			j.invoke(doing[p], p)
			continue
		case "acquire":
			switch {
			case broken && j.holder >= 0 && j.IntN(60) == 0: // the lease of the holder is lost
				j.holder = p
				inside[p] = true
				j.end("ok", "acquire", p, "")
			case j.holder < 0:
				j.holder = p
				inside[p] = true
				if j.IntN(40) > 0 {
					j.end("ok", "acquire", p, "")
					break
				}
				j.end("info", "acquire", p, ", :error :timeout") // and nobody will release it
				j.holder = -1
				clients[c], next = next, next+1
			case j.IntN(8) == 0:
				j.end("fail", "acquire", p, ", :error :already-held")
			default:
				continue
			}
		case "release":
			switch {
			case j.holder == p && j.IntN(30) == 0:
				j.holder = -1
				j.end("info", "release", p, ", :error :timeout")
				clients[c], next = next, next+1
			case j.holder == p:
				j.holder = -1
				j.end("ok", "release", p, "")
			case inside[p]:
				j.end("fail", "release", p, `, :error [:not-found "requested lease not found"]`)
			default:
				j.end("fail", "release", p, ", :error :not-held")
			}
			inside[p] = false
		}
		doing[p] = ""
	}
}

// TestHistoriesJudgedAsByLinearizabilityChecker compares verdicts on histories of locks, some of them
// broken, with those of a linearizability checker.
func TestHistoriesJudgedAsByLinearizabilityChecker(t *testing.T) {
	counts := map[string]int{}
	runs := uint64(60)
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		runs = 1000
	}
	for seed := range runs {
		j := &lockTest{Rand: rand.New(rand.NewPCG(seed, 3))}
		j.run(40+int(seed%60)*20, seed%2 == 1)
		for p := range j.open { // operations that never end
			op := j.open[p]
			op.Return, op.Input = 1<<40, operation{op.Input.(operation).units, true}
			j.ops = append(j.ops, op)
		}
		u := used(read(t, formats.Options{}, j.history.String()))
		want := porcupine.CheckOperationsTimeout(uncertain(1), j.ops, time.Minute)
		counts[string(want)]++
		if !u.Exact || (u.Count > 0) != (want == porcupine.Illegal) {
			t.Fatalf("seed %d: %d definite, Porcupine says %s", seed, u.Count, want)
		}
	}
	if counts[string(porcupine.Illegal)] < 10 || counts[string(porcupine.Ok)] < 10 {
		t.Errorf("one-sided: %v", counts)
	}
}

// TestNumbersBehindTwoHashesAreRead reads the numbers that EDN writes with ## before them, and refuses what
// is none.
func TestNumbersBehindTwoHashesAreRead(t *testing.T) {
	history := func(value string) string {
		return "{:type :invoke, :f :acquire, :process 0, :value " + value +
			"}\n{:type :ok, :f :acquire, :process 0, :value nil}\n"
	}
	for value, want := range map[string]string{
		"##NaN": "", "##Inf": "", "##-Inf": "", "[##NaN 2]": "", "##": "##", "##x": "##x is not a number",
	} {
		l, err := order.Read(write(t, history(value)), formats.Options{Format: "jepsen"})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil &&
			l.Events() != 1 {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// TestUnitsAtTheEndOfAnOperationAreNotRead: what the :ok of an operation says of its units is another thing,
// such as how many are left.
func TestUnitsAtTheEndOfAnOperationAreNotRead(t *testing.T) {
	l := read(t, formats.Options{Format: "jepsen"}, "{:type :invoke, :f :acquire, :process 0, :units 1}\n"+
		"{:type :ok, :f :acquire, :process 0, :units 0}\n")
	if u := used(l); l.Events() != 1 || u.Certainly != 1 {
		t.Errorf("%d events, %+v", l.Events(), u)
	}
}
