package starfile

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
)

// tables are random relations: a list of numbers below most for each of n numbers.
func tables(r *rand.Rand, n, most, length int) [][]int {
	all := make([][]int, n)
	for i := range all {
		for range r.IntN(length + 1) {
			all[i] = append(all[i], r.IntN(most))
		}
	}
	return all
}

func written(x any) string { return strings.ReplaceAll(fmt.Sprint(x), " ", ", ") }

// A refining is a random model, a random abstraction and a mapping, as tables. States of the model are
// numbered; with processes, by the variables of both.
type refining struct {
	first, abstractFirst []int
	next                 [][]int // of the model; with processes, of each process's variable by itself
	pick, hop            [][]int // of the abstraction, by two actions
	mapping              []int
	processes, abstract  bool // the model, or the abstraction, are processes
}

const abstractStates, processStates = 5, 3

func randomRefining(r *rand.Rand) (x refining) {
	n := 4 + r.IntN(6)
	if x.processes = r.IntN(3) == 0; x.processes {
		n = processStates * processStates
	}
	x.pick, x.hop = tables(r, abstractStates, abstractStates, 3), tables(r, abstractStates, abstractStates, 2)
	for range n {
		x.mapping = append(x.mapping, r.IntN(abstractStates))
	}
	x.abstractFirst = []int{x.mapping[0], r.IntN(abstractStates)}
	if x.abstract = r.IntN(4) == 0; x.abstract {
		x.abstractFirst = x.abstractFirst[:1]
	}
	x.first = []int{0}
	if x.processes {
		x.next = tables(r, processStates, processStates, 2)
		return x
	}
	if r.IntN(3) == 0 {
		x.first = append(x.first, r.IntN(n))
	}
	x.next = tables(r, n, n, 4)
	for s, to := range x.next { // most steps are allowed, so that some models implement the abstraction
		for i := range to {
			for try := 0; try < 9 && !x.allowed(x.mapping[s], x.mapping[to[i]]); try++ {
				to[i] = r.IntN(n)
			}
		}
		x.next[s] = slices.DeleteFunc(to, func(t int) bool {
			return r.IntN(40) > 0 && !x.allowed(x.mapping[s], x.mapping[t])
		})
	}
	return x
}

func (x *refining) allowed(v, w int) bool {
	return v == w || slices.Contains(x.pick[v], w) || slices.Contains(x.hop[v], w)
}

// steps are the steps of the model by the tables.
func (x *refining) steps(s int) []int {
	if !x.processes {
		return x.next[s]
	}
	a, b := s/processStates, s%processStates
	var all []int
	for _, t := range x.next[a] {
		all = append(all, t*processStates+b)
	}
	for _, t := range x.next[b] {
		all = append(all, a*processStates+t)
	}
	return all
}

// judged goes through all states, and returns what the search has to find.
func (x *refining) judged() string {
	steps, begins, moved := -1, -1, false
	level, known := x.first, map[int]bool{}
	for _, s := range x.first {
		if known[s] = true; !slices.Contains(x.abstractFirst, x.mapping[s]) {
			begins = 0
		}
	}
	for depth := 1; len(level) > 0; depth++ {
		var below []int
		for _, s := range level {
			for _, t := range x.steps(s) {
				moved = moved || x.mapping[s] != x.mapping[t]
				if steps < 0 && !x.allowed(x.mapping[s], x.mapping[t]) {
					steps = depth
				}
				if !known[t] {
					known[t], below = true, append(below, t)
				}
			}
		}
		level = below
	}
	return fmt.Sprint(steps, begins, steps < 0 && !moved)
}

func (x *refining) texts() (abstract, concrete string) {
	abstract = fmt.Sprintf(`PICK, HOP, V = %s, %s, range(%d)
def init(s):
    s.v = pick(%s)
def go(s):
    when(len(PICK[s.v]) > 0)
    s.v = pick(PICK[s.v])
def hop(s, v):
    when(v in HOP[s.v])
    s.v = v
system(state = record(v = V), init = init, actions = [go, action(hop, V)])
`, written(x.pick), written(x.hop), abstractStates, written(x.abstractFirst))
	image := `{"v": MAP[%s]}`
	if x.abstract {
		image = `{"all": [{"v": MAP[%s]}], "messages": []}`
		abstract = fmt.Sprintf(`PICK, HOP = %s, %s
def init(me):
    me.v = %d
def go(me):
    when(len(PICK[me.v]) > 0)
    me.v = pick(PICK[me.v])
def hop(me):
    when(len(HOP[me.v]) > 0)
    me.v = pick(HOP[me.v])
processes(n = 1, local = record(v = range(%d)), init = init, steps = [go, hop])
`, written(x.pick), written(x.hop), x.abstractFirst[0], abstractStates)
	}
	shared := fmt.Sprintf("NEXT, MAP = %s, %s\n", written(x.next), written(x.mapping))
	const property = `properties = [implements("abstract.star", %s, name = "i")])` + "\n"
	if x.processes {
		return abstract, shared + fmt.Sprintf(`def go(me):
    when(len(NEXT[me.x]) > 0)
    me.x = pick(NEXT[me.x])
processes(n = 2, local = record(x = range(%d)), steps = [go], `+property, processStates,
			fmt.Sprintf("lambda g: "+image, fmt.Sprintf("g[1].x * %d + g[2].x", processStates)))
	}
	return abstract, shared + fmt.Sprintf(`def init(s):
    s.x = pick(%s)
def go(s):
    when(len(NEXT[s.x]) > 0)
    s.x = pick(NEXT[s.x])
system(state = record(x = range(%d)), init = init, actions = [go], `+property, written(x.first),
		len(x.mapping), fmt.Sprintf("lambda s: "+image, "s.x"))
}

// TestRandomRefinementsAgree: of random models, the search finds what enumeration of the tables finds. 2,000
// are part of the sweep.
func TestRandomRefinementsAgree(t *testing.T) {
	models, dir, found := uint64(80), t.TempDir(), map[string]int{}
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		models = 2000
	}
	for seed := range models {
		x := randomRefining(rand.New(rand.NewPCG(seed, 5)))
		abstract, concrete := x.texts()
		in := instanceOf(t, dir, map[string]string{"abstract.star": abstract, "m.star": concrete})
		options := explore.Options{KeepGoing: true, Workers: 1 + int(seed%3)}
		r, err := explore.Run(context.Background(), in, options)
		if err != nil || r.Mistake != nil || !r.Complete {
			t.Fatal(err, r.Mistake, concrete)
		}
		steps, begins := &r.Properties[0], &r.Properties[1]
		got, want := fmt.Sprint(steps.Length, begins.Length, steps.Vacuous != nil), x.judged()
		if got != want {
			t.Fatalf("seed %d: found %s, enumerated %s\n%s\n%s", seed, got, want, abstract, concrete)
		}
		found[fmt.Sprint(steps.Verdict, " ", begins.Verdict, " ", steps.Vacuous)]++
	}
	for outcome, n := range found {
		t.Logf("%s: %d", outcome, n)
	}
	if len(found) < 4 {
		t.Errorf("too few different outcomes: %v", found)
	}
}

// instanceOf writes files, of which m.star is the model, and builds it.
func instanceOf(t *testing.T, dir string, files map[string]string) model.Instance {
	t.Helper()
	in, err := builtFrom(t, dir, files)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func builtFrom(t *testing.T, dir string, files map[string]string, args ...string) (
	in model.Instance, err error,
) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	spec, err := Load(filepath.Join(dir, "m.star"))
	if err == nil {
		in, _, err = spec.Instantiate(args)
	}
	return in, err
}

// A counter, and a model that counts with it, of which parts are replaced.
const (
	counterFile = `m = param("m", 3, range(2, 5))
def up(s):
    when(s.c < m - 1)
    s.c += 1
system(state = record(c = range(m)), actions = [up])
`
	countingFile = `p = param("p", "a", ["a", "b"])
def up(s):
    when(s.x < 2)
    s.x += 1
def counter(s):
    return {"c": s.x}
system(state = record(x = range(3)), actions = [up], properties = [implements("counter.star", counter)])
`
)

// TestRefinementErrorsHaveTheirPlace: mistakes in implements, and in its mapping.
func TestRefinementErrorsHaveTheirPlace(t *testing.T) {
	for _, x := range [][3]string{
		{`{"c": s.x}`, `{}`, `m.star:5:1: counter, the mapping to counter, has no value for c; the variables ` +
			`are c`},
		{`{"c": s.x}`, `{"c": s.x + 2}`, `m.star:5:1: counter, the mapping to counter, does not fit: field c: ` +
			`3 is not allowed here; allowed: 0 to 2`},
		{`{"c": s.x}`, `{"c": s.x, "cc": 1}`, `m.star:5:1: counter, the mapping to counter, has a value for "cc" ` +
			`(did you mean "c"?); the variables are c`},
		{`{"c": s.x}`, `s.x`, `m.star:5:1: counter, the mapping to counter, returns 0; allowed: a dictionary with ` +
			`a value for each variable`},
		{`counter)]`, `counter, parameters = {"n": 3})]`, `m.star:7:78: implements: counter.star has no ` +
			`parameter "n"; it has m`},
		{`counter)]`, `counter, parameters = {"m": 9})]`, `m.star:7:78: implements: m=9 does not fit ` +
			`counter.star: allowed: 2 to 4`},
		{`"counter.star"`, `"count.star"`, `m.star:7:78: implements("count.star"): there is no such file`},
		{`"counter.star"`, `"../counter.star"`, `m.star:7:78: implements("../counter.star"): allowed are .star ` +
			`files in the same folder, or in folders in it`},
		{`"counter.star"`, `"bounded.star"`, `m.star:7:78: implements: bounded.star has a constraint or ` +
			`rounds=inf; allowed are models without`},
		{`"counter.star"`, `"procs.star"`, `m.star:5:1: counter, the mapping to procs, returns {"c": 0}; allowed: ` +
			`{"all": [...], "messages": [...]} with variables of 2 processes, and (sender, receiver, message)`},
		{`"counter.star"`, `"wrong.star"`, `wrong.star:1:1: there is no nothing`},
		{`[implements("counter.star", counter)]`, `[implements("counter.star", counter)] if p == "b" else []`,
			`m.star: implements("counter.star") is declared only with some values of parameters; declare it in ` +
				`all cases, and say in moot why it is not asked`},
		{`"counter.star"`, `"m.star"`, ``}, // each model implements itself, if the mapping says so
	} {
		dir := t.TempDir()
		text := strings.Replace(countingFile, x[0], x[1], 1)
		if x[1] == `"m.star"` {
			text = strings.Replace(text, `{"c": s.x}`, `{"x": s.x}`, 1)
		}
		const procs = "def s(me):\n    pass\nprocesses(n = 2, local = record(), steps = [s])\n"
		in, err := builtFrom(t, dir, map[string]string{"m.star": text, "counter.star": counterFile,
			"wrong.star": "nothing", "procs.star": procs, "bounded.star": strings.Replace(counterFile,
				"actions", "constraint = lambda s: s.c < 2, actions", 1)}, "p=b")
		got := ""
		if err != nil {
			got = strings.ReplaceAll(shortened(err), dir+"/", "")
		} else if r, wrong := explore.Run(context.Background(), in, explore.Options{}); wrong != nil {
			t.Error(wrong)
		} else if r.Mistake != nil {
			got = strings.ReplaceAll(shortened(r.Mistake.Error), dir+"/", "")
		}
		if got != x[2] {
			t.Errorf("%s\n  got  %s\n  want %s", x[1], got, x[2])
		}
	}
}

// TestRefinementReadsTheTextOfBoth: the text of the other model is part of the model's, so that a search that
// is resumed, or other machines, notice a change of it.
func TestRefinementReadsTheTextOfBoth(t *testing.T) {
	dir := t.TempDir()
	in := instanceOf(t, dir, map[string]string{"m.star": countingFile, "counter.star": counterFile})
	source, err := ReadSource(filepath.Join(dir, "m.star"))
	if err != nil || source.Digest() != in.Text || source["counter.star"] != counterFile {
		t.Fatalf("%v: %q, digest %s, of the instance %s", err, source, source.Digest(), in.Text)
	}
	spec, err := source.Load("elsewhere/m.star")
	if err != nil {
		t.Fatal(err)
	}
	if other, _, err := spec.Instantiate(nil); err != nil || other.Text != in.Text {
		t.Error(err, other.Text)
	}
	changed := strings.Replace(counterFile, "+= 1", "+= 2", 1)
	other := instanceOf(t, dir, map[string]string{"counter.star": changed})
	if other.Text == in.Text {
		t.Error("the digest does not change with the text of the abstraction")
	}
}
