// Package computed answers the rows about sets and numbers, which no search of runs answers: its tests
// compute each and compare it with the kept answer.
package computed

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/tools/paperdocs/claims"
)

const root = "../../.."

type finding = claims.Finding

// computed answers, by paper, the rows of its claims.yaml that name a computation: a name of its own, or
// the key of the claim with the number of the row.
var computed = map[string]map[string]func() finding{
	"cohorts": {
		"a-candidate-for-the-highest-availability 1": judgeSets(mostNodes, lessAvailable(dominating),
			several),
		"a-candidate-for-the-highest-availability 2": judgeSets(12, undivided, single),
		"a-candidate-for-the-highest-availability 3": judgeSets(mostNodes, lessAvailable(majorities)),
		"baldoni":                             baldoni,
		"cohorts-coteries-are-k-coteries 1":   judgeSets(mostNodes, notCoterie),
		"cohorts-coteries-are-nondominated 1": judgeSets(mostNodes, dominated),
		"cohorts-coteries-are-nondominated 2": judgeSets(mostNodes, dominated, several),
		"cohorts-coteries-are-nondominated 3": judgeSets(2*mostNodes, notExtended, several),
		"cohorts-coteries-are-nondominated 4": judgeSets(mostNodes, dominated, single),
		"cohorts-coteries-are-nondominated 5": judgeSets(12, undivided, single),
		"cubes":                               cubes,
		"cyclic":                              cyclic,
		"figure-1-finds-the-quorums 1":        judgeSets(mostNodes, misses),
		"figure-1-finds-the-quorums 2":        judgeSets(mostNodes, notedWrongly),
		"nineQuorums":                         nineQuorums,
		"printedCube":                         printedCube,
		"the-range-of-the-primary-cohorts 1":  func() finding { return cohortsIn(-1) },
		"the-range-of-the-primary-cohorts 2":  func() finding { return cohortsIn(1) },
		"uniform":                             uniform,
	},
	"ring": {
		"closesWithFewer":           closesWithFewer,
		"figure-3 1":                figure3.Follow,
		"figure-3 2":                figure3Consecutive.Follow,
		"incompleteList":            incompleteList,
		"listsOfSix":                listsOfSix,
		"rangeReached":              rangeReached,
		"the-rectified-onrelease 1": of(neededInHeld, "n=2 f=1 release=code"),
		"the-rectified-onrelease 2": of(neededInHeld, "n=3 f=1 release=code"),
		"the-rectified-onrelease 3": of(neededInHeld, "n=3 f=1 rounds=2 release=code"),
		"the-rectified-onrelease 4": of(neededInHeld, "n=4 f=1 release=code"),
		"the-rectified-onrelease 5": of(neededInHeld, "n=3 f=1 release=prose"),
		"what-to-implement 1":       of(recoveryMessages, "n=2 f=1 rounds=0 variant=repaired"),
		"what-to-implement 2":       of(recoveryMessages, "n=2 f=1 rounds=0"),
		"what-to-implement 3":       of(recoveryMessages, "n=3 f=1 rounds=0 variant=repaired"),
		"what-to-implement 4":       of(recoveryMessages, "n=3 f=1 rounds=0"),
		"what-to-implement 5":       of(recoveryMessages, "n=3 f=1 rounds=1 variant=repaired"),
		"what-to-implement 6":       of(recoveryMessages, "n=3 f=1 rounds=1"),
		"what-to-implement 7":       of(recoveryMessages, "n=4 f=1 rounds=0 variant=repaired"),
		"what-to-implement 8":       of(recoveryMessages, "n=4 f=1 rounds=0"),
	},
	"timerfree": {
		"a-grid-of-clusters-keeps-rp 1": func() finding { return grids(1, 7) },
		"a-grid-of-clusters-keeps-rp 2": func() finding { return grids(2, 8) },
		"a-ring-keeps-rp 1":             func() finding { return rings(5, 7, 2) },
		"a-ring-keeps-rp 2":             func() finding { return rings(5, 5, 1) },
		"a-ring-keeps-rp 3":             func() finding { return rings(4, 4, 2) },
		"satisfiable":                   satisfiable,
	},
	"vcube": {
		"a-logarithmic-number-of-tests 2": func() finding { return sent(false) },
		"examples-of-section-51 1":        func() finding { return neighborhoodIs(0, 1, 4) },
		"examples-of-section-51 2":        func() finding { return neighborhoodIs(0, 1, 1) },
		"fewestTests":                     fewestTests,
		"figure-4 1":                      figure4.Follow,
		"figure-5 1":                      figure5.Follow,
		"hypercube":                       hypercube,
		"leaves":                          leaves,
		"logarithmic-message-complexity-of-the-broadcast 1": func() finding { return sent(true) },
		"logarithmic-message-complexity-of-the-broadcast 5": func() finding { return sent(false) },
		"logarithmic-properties-in-spite-of-failures 1": func() finding {
			return underFaults(8, func(f linkFigures) int { return max(f.own, f.apart) - 3 },
				linkFigures.String)
		},
		"logarithmic-properties-in-spite-of-failures 2": func() finding {
			return underFaults(8, func(f linkFigures) int { return f.most - 3 }, linkFigures.String)
		},
		"logRounds":         logRounds,
		"number-of-tests 1": func() finding { return testsPerCycle(8) },
		"number-of-tests 2": func() finding { return testsPerCycle(16) },
		"ownCluster":        ownCluster,
		"pictures":          pictures,
		"symmetric":         symmetric,
		"trees":             trees,
	},
}

// TestComputed computes each row that names a computation, and compares it with the kept finding;
// ATMOSTK_UPDATE=1 keeps the computed ones.
func TestComputed(t *testing.T) {
	for _, name := range claims.Names(root) {
		p, err := claims.Open(root, name)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string]bool{}
		for _, c := range p.Claims {
			for _, row := range c.Rows {
				if row.Computed == "" {
					continue
				}
				asked[row.Computed] = true
				t.Run(row.Computed, func(t *testing.T) { compute(t, computed[name][row.Computed], c, row) })
			}
		}
		for known := range computed[name] {
			if !asked[known] {
				t.Errorf("no row of %s asks for %q", name, known)
			}
		}
		if os.Getenv("ATMOSTK_UPDATE") != "" {
			if err := p.Write(); err != nil {
				t.Error(err)
			}
		}
	}
}

// compute answers a row, and compares.
func compute(t *testing.T, by func() finding, c *claims.Claim, row *claims.Row) {
	if by == nil {
		t.Fatal("nothing computes this")
	}
	f := by()
	f.Explored = cmp.Or(f.Explored, "complete")
	if row.Now = &f; !row.AsKept() && os.Getenv("ATMOSTK_UPDATE") == "" {
		t.Errorf("%s, row %d: %+v is kept, and %+v was computed", c.Name, row.Number, row.Kept, f)
	}
}

// TestFiguresAreFollowed: with two steps exchanged, or a message to another process, a figure is no run.
func TestFiguresAreFollowed(t *testing.T) {
	for _, f := range []figure{figure3, figure3Consecutive, figure4, figure5} {
		if got := f.Follow(); got.Verdict != "holds" || got.Length != len(f.Steps) {
			t.Errorf("%s %s: %+v", f.Spec.Name, f.Args, got)
		}
		last := len(f.Steps) - 1
		swapped, other := f, f
		swapped.Steps, other.Steps = slices.Clone(f.Steps), slices.Clone(f.Steps)
		swapped.Steps[3], swapped.Steps[last] = swapped.Steps[last], swapped.Steps[3]
		to := slices.IndexFunc(other.Steps, func(s string) bool { return strings.HasSuffix(s, "to p3") })
		other.Steps[to] = strings.TrimSuffix(other.Steps[to], "p3") + "p1"
		for _, wrong := range []figure{swapped, other} {
			if got := wrong.Follow(); got.Verdict != "violated" {
				t.Errorf("%s %s: %+v for %q", f.Spec.Name, f.Args, got, wrong.Steps)
			}
		}
	}
}

// TestRecoveryMessages: a ring of one sends itself rup, election, elected, clear, and the token twice.
func TestRecoveryMessages(t *testing.T) {
	for _, c := range []struct{ args, verdict, detail string }{
		{"n=2 f=1 rounds=0 variant=repaired", "holds", "6 to 6 messages"},
		{"n=3 f=1 rounds=1", "violated", "the ring never recovers"},
	} {
		if f := recoveryMessages(c.args); f.Verdict != c.verdict || !strings.HasSuffix(f.Detail, c.detail) {
			t.Errorf("%s: %+v", c.args, f)
		}
	}
}

// TestResponsive: the demands of RP on the order of answers, at the smallest sizes where they differ.
func TestResponsive(t *testing.T) {
	for name, c := range map[string]struct{ got, want bool }{
		"three, one crash":     {mayKeep(3, 1), true},
		"four, two crashes":    {mayKeep(4, 2), false},
		"five, two crashes":    {mayKeep(5, 2), true},
		"one, none":            {mayKeep(1, 0), true},
		"two, one crash":       {mayKeep(2, 1), false},
		"two clusters or more": {grids(2, 6).Verdict == "holds", true},
		"one cluster":          {grids(1, 3).Verdict == "holds", false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", name, c.got)
		}
	}
}

// TestSlowest compares the computed number of rounds after one crash with the diagnosis itself: it
// suffices, and one less does not.
func TestSlowest(t *testing.T) {
	for n, args := range map[int]string{2: "n=2 crashes=1 bound=", 4: "n=4 crashes=1 crashable=0 bound="} {
		for less, want := range []string{"holds", "violated"} {
			if bound := slowest(n) - less; bound > 0 {
				row := claims.Row{Spec: "vcube-rounds", Args: fmt.Sprint(args, bound),
					Property: "latency-last"}
				if err := row.Ask(t.Context(), root); err != nil || row.Now.Verdict != want {
					t.Errorf("n=%d: after %d rounds %+v, want %s (%v)", n, bound, row.Now, want, err)
				}
			}
		}
	}
}
