package occupancy_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// TestJepsenOperationsInAllForms reads what Jepsen's operations may look like: parts of a history in
// vectors, batches, keys and tokens in values.
func TestJepsenOperationsInAllForms(t *testing.T) {
	mapping := &formats.Mapping{Fields: map[string]string{"value.0": "resource", "value.1.fence": "fence"}}
	if err := mapping.Prepare(); err != nil {
		t.Fatal(err)
	}
	both := func(value, result string) string {
		return fmt.Sprintf(
			"{:type :invoke, :f :acquire, :process 0, :value %s}\n{:type :ok, :f :acquire, :process "+
				"0, :value %s}\n",
			value,
			result,
		)
	}
	for _, c := range []struct {
		text      string
		mapping   *formats.Mapping
		events    int
		resources []string
		granted   int
	}{
		{both("nil", "nil"), nil, 1, []string{""}, 0},
		{"[" + both("nil", "nil") + "]", nil, 1, []string{""}, 0},
		{"[[" + strings.Replace(both("nil", "nil"), "\n", "]\n[", 1) + "]]", nil, 1, []string{""}, 0},
		{both("[[:acquire :a] [:acquire :b 2] [:release :a]]", "nil"), nil, 3, []string{"a", "b"}, 0},
		{both("[{:f :acquire, :resource 1} {:f :acquire, :resource 2}]", "nil"), nil, 2, []string{"1", "2"},
			0},
		{both("[:k nil]", "[:k {:fence 4}]"), mapping, 1, []string{"k"}, 1},
		{both("nil", "[:k {:fence 4}]"), mapping, 1, []string{"k"}, 1},
		{both(`[:k #"[{]"]`, "[:k {:fence -1, :took ##Inf}]"), mapping, 1, []string{"k"}, 1},
	} {
		l, err := order.Read(write(t, c.text), formats.Options{Format: "jepsen", Mapping: c.mapping})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if l.Events() != c.events || !slices.Equal(l.Resources, c.resources) {
			t.Errorf("%s: %d events of %q", c.text, l.Events(), l.Resources)
		}
		if u := used(l, 1, occupancy.Auto, false); (u.Tokens != nil) != (c.granted > 0) ||
			u.Tokens != nil && u.Tokens.Granted != c.granted {
			t.Errorf("%s: %+v", c.text, u.Tokens)
		}
	}
	for text, want := range map[string]string{
		"[" + both("nil", "nil"):                       "",
		both("nil", "nil") + "]":                       "']' where a form is expected",
		both("[[:lock :a]]", "nil"):                    "event lock is not one of a lock",
		both("[:k nil]", "[:k {:fence :none}]"):        `field "fence" is none`,
		both("[[:acquire :a 0]]", "[[:acquire :a 0]]"): `field "units" is 0`,
	} {
		l, err := order.Read(write(t, text), formats.Options{Format: "jepsen", Mapping: mapping})
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", text, err, want)
		case want == "" && (err != nil || len(l.Findings) != 1 || l.Findings[0].Kind != formats.Torn):
			t.Errorf("%s: %v", text, err)
		}
	}
}

// An ownedOp acquires or releases a reentrant lock for its process.
type ownedOp struct {
	process int
	by      int // 1 or -1
	maybe   bool
}

// An ownedLock is a reentrant lock: its holder, and how often it has acquired it.
type ownedLock struct{ holder, times int }

// reentrant is such a lock for Porcupine.
func reentrant() porcupine.Model {
	return (&porcupine.NondeterministicModel{
		Init: func() []any { return []any{ownedLock{}} },
		Step: func(state, input, _ any) (next []any) {
			op, l := input.(ownedOp), state.(ownedLock)
			if op.maybe {
				next = append(next, l)
			}
			switch {
			case op.by > 0 && (l.times == 0 || l.holder == op.process):
				next = append(next, ownedLock{op.process, l.times + 1})
			case op.by < 0 && l.times > 1 && l.holder == op.process:
				next = append(next, ownedLock{op.process, l.times - 1})
			case op.by < 0 && l.holder == op.process && l.times == 1:
				next = append(next, ownedLock{})
			}
			return next
		},
	}).ToModel()
}

// drawOwned draws a history of a reentrant lock, which now and then is handed out twice, and what Porcupine
// is told.
func drawOwned(r *rand.Rand, broken bool) (string, []porcupine.Operation) {
	var b strings.Builder
	var ops []porcupine.Operation
	type client struct {
		process, depth int
		op             *porcupine.Operation
	}
	clients := make([]client, 4)
	for i := range clients {
		clients[i].process = i
	}
	fresh, index := len(clients), 0
	log := func(kind string, op ownedOp) {
		f := map[int]string{1: "acquire", -1: "release"}[op.by]
		fmt.Fprintf(&b, "{:type :%s, :f :%s, :process %d, :index %d}\n", kind, f, op.process, index)
		index++
	}
	for range 60 {
		c := &clients[r.IntN(len(clients))]
		if c.op == nil {
			op := ownedOp{process: c.process, by: 1}
			if c.depth > 0 && r.IntN(2) == 0 {
				op.by = -1
			}
			c.op = &porcupine.Operation{ClientId: c.process, Input: op, Call: int64(index)}
			log("invoke", op)
			continue
		}
		op := c.op.Input.(ownedOp)
		held := slices.ContainsFunc(
			clients,
			func(o client) bool { return o.depth > 0 && o.process != c.process },
		)
		switch {
		case op.by > 0 && held && (!broken || r.IntN(8) > 0):
			continue
		case r.IntN(30) == 0: // nobody knows, and the process is not heard of again
			op.maybe = true
			c.op.Input, c.op.Return = op, 1<<40
			ops = append(ops, *c.op)
			log("info", op)
			*c = client{process: fresh}
			fresh++
			continue
		}
		c.op.Return = int64(index)
		ops = append(ops, *c.op)
		log("ok", op)
		c.depth, c.op = c.depth+op.by, nil
	}
	for i := range clients { // what never ends
		if c := &clients[i]; c.op != nil {
			op := c.op.Input.(ownedOp)
			op.maybe = true
			c.op.Input, c.op.Return = op, 1<<40
			ops = append(ops, *c.op)
		}
	}
	return b.String(), ops
}

// TestReentrantHistoriesJudgedAsByLinearizabilityChecker compares verdicts on histories of reentrant locks
// with those of a linearizability checker.
func TestReentrantHistoriesJudgedAsByLinearizabilityChecker(t *testing.T) {
	runs := uint64(100)
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		runs = 2000
	}
	counts := map[porcupine.CheckResult]int{}
	for seed := range runs {
		text, ops := drawOwned(rand.New(rand.NewPCG(seed, 5)), seed%2 == 1)
		l := read(t, formats.Options{}, text)
		u := occupancy.OccupanciesOf(l, func(string) int { return 1 }, occupancy.Reading{Reentrant: true})[0]
		want := porcupine.CheckOperationsTimeout(reentrant(), ops, 0)
		counts[want]++
		if !u.Exact || (u.Count > 0) != (want == porcupine.Illegal) {
			t.Fatalf("seed %d: %d definite, Porcupine says %s\n%s", seed, u.Count, want, text)
		}
	}
	t.Log(counts)
	if counts[porcupine.Illegal] < 10 || counts[porcupine.Ok] < 10 {
		t.Errorf("one-sided: %v", counts)
	}
}
