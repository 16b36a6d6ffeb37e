package prove

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// kept are the variables of timerfree.star that timerfree-sets.star has, too.
var kept = regexp.MustCompile(`^(state|H|last|crashed_i|have_perm|pending|rounds|inbox)$`)

// A permission, and what timerfree-sets.star leaves out: refusals, and whose answers a sender lacked.
var (
	permission = regexp.MustCompile(`REPLY\(PERM,\{[^}]*\},(\d+)\)`)
	refusal    = regexp.MustCompile(`REPLY\(NOPERM,[^)]*\) from p\d+(, )?`)
)

// common is a state of either model as far as both have it. The variables of the dead mean nothing.
func common(s lts.State) string {
	var all []string
	dead := ""
	for _, v := range s.Vars() {
		if v.Name == "crashed" && v.Value == "true" {
			dead = v.Owner
			all = append(all, v.Owner+" is dead")
		}
		if v.Owner != dead && kept.MatchString(v.Name) {
			text := permission.ReplaceAllString(refusal.ReplaceAllString(v.Value, ""), "REPLY($1)")
			all = append(all, v.Owner+"."+v.Name+"="+strings.Replace(text, ", ]", "]", 1))
		}
	}
	return strings.Join(all, "; ")
}

// TestProvedFileSimulatesTimerFree: each step of the repaired algorithm, with lines 34-38 and under the
// Responsiveness Property, is a step of the file that is proved, with at most one notice of a crash before or
// after it, or such a notice, or changes nothing there. With the footnote's order, or without the property,
// some step is not.
func TestProvedFileSimulatesTimerFree(t *testing.T) {
	small := []string{"n=2", "k=2", "rounds=3,1", "crashes=1"}
	middle := []string{"n=3", "k=2", "rounds=2,1,0", "crashes=1"}
	dead := []string{"n=3", "k=2", "rounds=2,2,0", "crashes=1", "dead=3"}
	for _, m := range []struct {
		args []string
		of   string
		most int
		want bool
	}{
		{small, "f=1 variant=repaired rp=V", 150, true},
		{small, "f=1 variant=c order=footnote rp=V", 500, false},
		{dead, "f=1 variant=repaired rp=V", 100000, true},
		{middle, "f=1 variant=repaired rp=off", 100000, false},
	} {
		if m.most > 1000 && os.Getenv("ATMOSTK_SWEEP") == "" {
			continue
		}
		concrete := instantiated(t, "timerfree", append(m.args, strings.Fields(m.of)...))
		abstract := instantiated(t, "timerfree-sets", m.args)
		states, notices, fails := simulate(concrete.Plain, abstract.Plain, m.most)
		t.Log(m.args, m.of, states, "states,", notices, "notices", fails)
		if (fails == "") != m.want || m.want && notices == 0 {
			t.Errorf("%v %s: %q, %d notices", m.args, m.of, fails, notices)
		}
	}
}

func instantiated(t *testing.T, name string, args []string) model.Instance {
	t.Helper()
	spec, err := starfile.Load(filepath.Join("..", "..", "specs", "files", name+".star"))
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(args)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// simulate follows the concrete states, with the abstract state of each, and returns their numbers, the steps
// that took a notice, and the first step that the abstract model does not have.
func simulate(concrete, abstract lts.Plain, most int) (states [2]int, notices int, fails string) {
	type pair struct{ concrete, abstract lts.State }
	queue := []pair{{concrete.Init()[0].Next, abstract.Init()[0].Next}}
	met, of := map[string]bool{queue[0].concrete.Key(): true}, map[string][]lts.Transition{}
	steps := func(s lts.State) []lts.Transition {
		if _, is := of[s.Key()]; !is {
			of[s.Key()] = abstract.Steps(s)
		}
		return of[s.Key()]
	}
	for len(queue) > 0 && len(met) < most {
		p := queue[0]
		queue = queue[1:]
		for _, tr := range concrete.Steps(p.concrete) {
			if tr.Pruned {
				continue
			}
			next, noticed := matching(steps, p.abstract, common(tr.Next))
			if next == nil {
				return [2]int{len(met), len(of)}, notices, tr.Text() + " from " + common(p.concrete)
			}
			if notices += bit(noticed); !met[tr.Next.Key()] {
				met[tr.Next.Key()] = true
				queue = append(queue, pair{tr.Next, next})
			}
		}
	}
	return [2]int{len(met), len(of)}, notices, ""
}

// matching is the state with a text to which at most one step leads, and at most one notice before or after
// it; nil: there is none.
func matching(steps func(lts.State) []lts.Transition, from lts.State, text string) (to lts.State,
	noticed bool) {
	if common(from) == text {
		return from, false
	}
	for _, a := range steps(from) {
		if common(a.Next) == text {
			return a.Next, a.Noticed != ""
		}
	}
	for _, a := range steps(from) {
		for _, b := range steps(a.Next) {
			if (a.Noticed != "" || b.Noticed != "") && common(b.Next) == text {
				return b.Next, true
			}
		}
	}
	return nil, false
}
