package ring

import (
	"context"
	"maps"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// Many small searches would pay more for the collection of their heap than for themselves.
var _ = debug.SetGCPercent(1000)

// TestReadingsHaveKnownViolations: what does not hold under which reading, with the lengths of the
// shortest counterexamples, at the smallest sizes where the readings differ.
func TestReadingsHaveKnownViolations(t *testing.T) {
	for _, c := range verdicts {
		got := map[string]int{}
		for _, p := range explored(t, c.spec, c.args).Properties {
			if p.Verdict == explore.Violated {
				got[p.Name] = p.Length
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s %s: violated %v, want %v", c.spec.Name, c.args, got, c.want)
		}
	}
}

func explored(t *testing.T, spec model.Spec, args string) *explore.Report {
	t.Helper()
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("not complete: %s", r.Stopped)
	}
	return r
}

// TestImpossibleCombinationsAreRejected looks at combinations that make no sense, and at some that do.
func TestImpossibleCombinationsAreRejected(t *testing.T) {
	for _, c := range []struct {
		spec model.Spec
		args string
		says string // "": fits
	}{
		{Election, "n=11", "1 to 10"},
		{Election, "n=3 starts=1,2", "each of the 3"},
		{Basic, "ring-up=none", "one, all"},
		{Basic, "n=2 rounds=1,2", ""},
		{Recovery, "repair=drop+drop2", ""},
		{Recovery, "repair=drop+none", "none alone"},
		{Recovery, "repair=drops", "full"},
		{Recovery, "n=3 spare=2 scheme=3 rounds=1,1,1", "each of the 5"},
		{Recovery, "n=3 spare=2 rounds=1,1,1", ""}, // spare has no meaning in scheme 2
		{Recovery, "n=4 spare=4 scheme=3", "at most 7"},
		{Recovery, "scheme=4", "0, 1, 2, 3"},
		{Recovery, "scheme=0 breaks=1", "nothing fails"},
		{Recovery, "lasting=yes", "without breaks=1"},
		{Recovery, "crashable=4", "no process p4"},
		{Recovery, "variant=repaired repair=full", "allowed is none"},
		{Recovery, "variant=repaired coordinator-off=no", "the other reading"},
		{Recovery, "variant=repaired after-election=reset", "the other reading"},
		{Recovery, "variant=repaired list=auto release=code", ""},
		{Recovery, "n=1 f=1", ""},
	} {
		_, _, err := c.spec.Instantiate(strings.Fields(c.args))
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s %s: %v", c.spec.Name, c.args, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s %s: got %v, want an error with %q", c.spec.Name, c.args, err, c.says)
		}
	}
}

// TestListsAreAsInSection3 compares the lists of ids with the example of section 3, and looks at
// what INJ inserts.
func TestListsAreAsInSection3(t *testing.T) {
	r := &ring{n: 8, members: 6}
	for p, want := range map[model.Proc]string{
		0: "(p2 p3 p4 p5 p6 p1)", 1: "(p3 p4 p5 p6 p1 p2)", 5: "(p1 p2 p3 p4 p5 p6)",
		6: "(p8 p1 p2 p3 p4 p5 p7)", 7: "(p1 p2 p3 p4 p5 p6 p8)",
	} {
		if got := r.round(p).String(); got != want {
			t.Errorf("the list of p%d is %s, want %s", p+1, got, want)
		}
	}
	for _, c := range []struct {
		list        ids
		j, k        id
		front, back string
	}{
		{"\x03\x01", 4, 1, "(p3 p4 p1)", "(p3 p4 p1)"},
		{"\x03\x02", 4, 1, "(p4 p3 p2)", "(p3 p2 p4)"},
		{"\x04\x03\x01", 4, 1, "(p3 p4 p1)", "(p3 p4 p1)"}, // it moves
		{"", 4, 1, "(p4)", "(p4)"},
	} {
		for _, back := range []bool{false, true} {
			want := c.front
			if back {
				want = c.back
			}
			l := record{CEH: cehState{List: c.list}}
			(&ring{insertsBack: back}).insertBefore(c.j, c.k, &l)
			if got := l.CEH.List.String(); got != want {
				t.Errorf("%v before %v in %v, back %v: %s, want %s", c.j, c.k, c.list, back, got, want)
			}
		}
	}
}

// TestUnboundedSearchIsUndecided: a rup of a dead process goes round for ever and collects ids, so
// that there is no end of states; the search says that it does not know.
func TestUnboundedSearchIsUndecided(t *testing.T) {
	in, _, err := Recovery.Instantiate(strings.Fields("n=4 f=2 rounds=0 list=auto guard=none"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, MaxStates: 4_000})
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete {
		t.Error("complete")
	}
	for _, p := range r.Properties {
		if p.Verdict == explore.Holds {
			t.Errorf("%s holds", p.Name)
		}
	}
}

// TestListsOfSixAreTheExamples: the lists of a ring of six are the examples of section 3.
func TestListsOfSixAreTheExamples(t *testing.T) {
	r := &ring{n: 6, members: 6}
	for p, want := range []string{
		"(p2 p3 p4 p5 p6 p1)", "(p3 p4 p5 p6 p1 p2)", "(p4 p5 p6 p1 p2 p3)", "(p5 p6 p1 p2 p3 p4)",
		"(p6 p1 p2 p3 p4 p5)", "(p1 p2 p3 p4 p5 p6)",
	} {
		if got := r.round(model.Proc(p)).String(); got != want {
			t.Errorf("p%d has %s, want %s", p+1, got, want)
		}
	}
}
