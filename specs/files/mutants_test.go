package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/lint"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// A slip is one slip of the pen: a part of a file in place of which stands something else.
type slip struct {
	kind     string
	from, to int // bytes
	text     string
}

// slips finds what can be mistaken in a file, by kinds.
func slips(t *testing.T, source []byte, r *rand.Rand) map[string][]slip {
	options := &syntax.FileOptions{Set: true, TopLevelControl: true, GlobalReassign: true}
	f, err := options.Parse("m.star", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := &writer{source: source, r: r, found: map[string][]slip{}, fields: map[string]bool{},
		names: map[syntax.Expr]bool{}}
	w.lines = append(w.lines, 0)
	for i, c := range source {
		if c == '\n' {
			w.lines = append(w.lines, i+1)
		}
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if d, is := n.(*syntax.DotExpr); is {
			w.fields[d.Name.Name] = true
		}
		return true
	})
	for _, stmt := range f.Stmts {
		w.stmt(stmt)
	}
	return w.found
}

type writer struct {
	source []byte
	lines  []int // where each begins
	r      *rand.Rand
	found  map[string][]slip
	fields map[string]bool
	names  map[syntax.Expr]bool // of properties: anything may stand there
}

func named(e syntax.Expr) bool {
	x, is := e.(*syntax.BinaryExpr)
	return is && x.Op == syntax.EQ
}

func (w *writer) at(p syntax.Position) int { // of bytes: the models are ASCII
	return w.lines[p.Line-1] + int(p.Col) - 1
}

func (w *writer) add(kind string, from, to syntax.Position, text string) {
	a, b := w.at(from), w.at(to)
	if string(w.source[a:b]) != text {
		w.found[kind] = append(w.found[kind], slip{kind, a, b, text})
	}
}

// mistyped is a word with one letter left out, doubled, changed for another, or two of them exchanged.
func (w *writer) mistyped(s string) string {
	i := w.r.IntN(len(s))
	switch w.r.IntN(4) {
	case 0:
		if len(s) > 2 {
			return s[:i] + s[i+1:]
		}
	case 1:
		return s[:i+1] + s[i:]
	case 2:
		if i > 0 && s[i] != s[i-1] {
			return s[:i-1] + s[i:i+1] + s[i-1:i] + s[i+1:]
		}
	}
	return s[:i] + string(rune('a'+(int(s[i])+7)%26)) + s[i+1:]
}

// stmt looks at the functions of a file, at types and properties: not at texts for people, and references.
func (w *writer) stmt(stmt syntax.Stmt) {
	syntax.Walk(stmt, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			return w.call(n)
		case *syntax.ExprStmt:
			if call, is := n.X.(*syntax.CallExpr); is && name(call) == "when" {
				start, end := n.Span()
				w.add("guard", start, end, "pass")
			}
		case *syntax.BinaryExpr:
			if n.Op == syntax.AND {
				start, end := n.Span()
				_, x := n.X.Span()
				y, _ := n.Y.Span()
				w.add("guard", start, end, string(w.source[w.at(start):w.at(x)]))
				w.add("guard", start, end, string(w.source[w.at(y):w.at(end)]))
			}
			if n.Op == syntax.EQ { // an argument with a name
				if to, is := n.X.(*syntax.Ident); is && slices.Contains(texts, to.Name) {
					return false
				}
			}
		case *syntax.DotExpr:
			end := n.Name.NamePos
			end.Col += int32(len(n.Name.Name))
			w.add("field", n.Name.NamePos, end, w.mistyped(n.Name.Name))
			all := []string{}
			for f := range w.fields {
				all = append(all, f)
			}
			sort.Strings(all)
			w.add("field", n.Name.NamePos, end, all[w.r.IntN(len(all))])
		case *syntax.Literal:
			if s, is := n.Value.(string); is && len(s) > 1 && !w.names[n] {
				end := n.TokenPos
				end.Col += int32(len(n.Raw))
				w.add("word", n.TokenPos, end, `"`+w.mistyped(s)+`"`)
			}
		}
		return true
	})
}

func name(call *syntax.CallExpr) string {
	if f, is := call.Fn.(*syntax.Ident); is {
		return f.Name
	}
	return ""
}

// call looks at a call, and reports whether to look into it.
func (w *writer) call(n *syntax.CallExpr) bool {
	switch name(n) {
	case "reference", "source", "paper", "claim", "param", "require", "fairness_param", "rounds_param":
		return false
	case "all", "any", "min", "max", "weak", "strong":
		f := n.Fn.(*syntax.Ident)
		end := f.NamePos
		end.Col += int32(len(f.Name))
		other := map[string]string{"all": "any", "any": "all", "min": "max", "max": "min", "weak": "strong",
			"strong": "weak"}
		w.add("quantifier", f.NamePos, end, other[f.Name])
	}
	for i := range n.Args {
		if _, is := n.Args[i].(*syntax.Literal); is && slices.Contains(labelled, name(n)) {
			w.names[n.Args[i]] = true
		}
		if x, is := n.Args[i].(*syntax.BinaryExpr); is && named(x) &&
			slices.Contains(texts, x.X.(*syntax.Ident).Name) {
			continue
		}
		if i > 0 {
			_, from := n.Args[i-1].Span()
			_, to := n.Args[i].Span()
			w.add("argument", from, to, "") // left out
			a, _ := n.Args[i-1].Span()
			b, _ := n.Args[i].Span()
			if named(n.Args[i-1]) || named(n.Args[i]) { // their order does not matter
				continue
			}
			first, second := string(w.source[w.at(a):w.at(from)]), string(w.source[w.at(b):w.at(to)])
			w.add("argument", a, to, second+", "+first) // exchanged
		}
	}
	return true
}

// A mutant is a file with a slip, and what came of it.
type mutant struct {
	model, what string // the line as it was, and as it is
	kind, fate  string
	said        string
}

// fates are what may come of a slip, the best first.
var fates = []string{"told before", "model error", "violated", "vacuous", "unknown", "other figures", "same"}

// small are the instances on which models are judged: those with few states.
func small(spec *model.Spec) (all []model.Reference) {
	refs := slices.SortedFunc(slices.Values(spec.References), func(a, b model.Reference) int {
		return cmp.Compare(a.States, b.States)
	})
	for i, r := range refs {
		if i == 0 || !r.Large && r.States < 3000 {
			all = append(all, r)
		}
	}
	return all
}

// judged is what a search finds out of an instance: per property, and the figures.
type judged struct {
	found           map[string]string
	states, figures int64
	fate, said      string
}

func judge(path string, args string) (j judged) {
	j.found = map[string]string{}
	spec, err := starfile.Load(path)
	var in model.Instance
	if err == nil {
		in, _, err = spec.Instantiate(strings.Fields(args))
	}
	if err != nil {
		j.fate, j.said = "told before", err.Error()
		var mistake *model.Error
		if errors.As(err, &mistake) && !strings.Contains(err.Error(), filepath.Base(path)+":") {
			j.said = "NO PLACE: " + j.said
		}
		return j
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	r, err := explore.Run(ctx, in, explore.Options{KeepGoing: true, Workers: 1, MaxStates: 40_000,
		Properties: lint.Judged(in.Space)})
	switch {
	case err != nil:
		j.fate, j.said = "model error", err.Error()
	case r.Mistake != nil:
		j.fate, j.said = "model error", r.Mistake.Error.Error()
	default:
		j.states, j.figures = r.States, r.Generated*1000+int64(r.Depth)
		for _, p := range r.Properties {
			j.found[p.Name] = string(p.Verdict)
			if len(p.Vacuous) > 0 && p.Excuse == "" {
				j.found[p.Name] = "vacuous"
			}
		}
		if !r.Complete {
			j.fate, j.said = "unknown", r.Stopped
		}
	}
	return j
}

// mutate writes a slip into a file, and says what comes of it over the small instances.
func mutate(t *testing.T, name string, source []byte, s slip, refs []model.Reference,
	right []func() judged) mutant {
	path := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(filepath.Dir(path), os.DirFS(".")); err != nil { // it may implement another one
		t.Fatal(err)
	}
	changed := string(source[:s.from]) + s.text + string(source[s.to:])
	if err := os.WriteFile(path, []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	line := func(text string, at int) string {
		from := strings.LastIndex(text[:at], "\n") + 1
		rest, _, _ := strings.Cut(text[from:], "\n")
		return fmt.Sprintf("%d: %s", strings.Count(text[:at], "\n")+1, strings.TrimSpace(rest))
	}
	m := mutant{model: name, kind: s.kind, what: line(string(source), s.from) + "\n       =>  " +
		line(changed, s.from)}
	worst := len(fates) - 1
	for i, ref := range refs {
		if worst == 0 || worst < len(fates)-1 && !sweep { // only the sweep's table wants the best of all
			break
		}
		j := judge(path, ref.Args)
		fate, said := j.fate, j.said
		if fate == "" {
			fate, said = compare(j, right[i]())
		}
		if at := slices.Index(fates, fate); at < worst {
			worst, m.said = at, said
		}
	}
	m.fate = fates[worst]
	return m
}

// compare says what is new beside what the model has without the slip.
func compare(j, right judged) (fate, said string) {
	fate = "same"
	if j.states != right.states || j.figures != right.figures {
		fate, said = "other figures", fmt.Sprintf("%d states in place of %d", j.states, right.states)
	}
	for name, v := range j.found {
		if v == right.found[name] {
			continue
		}
		if v == "violated" || right.found[name] == "violated" {
			return "violated", name + " " + v
		}
		if v == "vacuous" {
			fate, said = "vacuous", name
		}
	}
	return fate, said
}

// TestSlipsOfThePen writes single slips into the models here, and counts what comes of them: of all kinds in
// the sweep, 400, and otherwise one word in each model. A word that no variable can hold must never go
// unnoticed.
func TestSlipsOfThePen(t *testing.T) {
	names, err := filepath.Glob("*" + starfile.Extension)
	if err != nil {
		t.Fatal(err)
	}
	each, apart := 1, 5 // 5: the first of the kinds, words, is drawn from for each model
	if sweep {
		each, apart = (400+len(names)-1)/len(names), 1
	}
	table, rows := map[string]map[string]int{}, []mutant{}
	for i, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		spec, err := starfile.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		refs := small(spec)
		var right []func() judged // most slips are told before a search
		for _, ref := range refs {
			right = append(right, sync.OnceValue(func() judged { return judge(name, ref.Args) }))
		}
		all := slips(t, source, rand.New(rand.NewPCG(37, uint64(i))))
		for _, s := range chosen(all, each, uint64(apart*i)) {
			rows = append(rows, mutate(t, name, source, s, refs, right))
		}
	}
	rows = rows[:min(len(rows), 400)]
	for _, m := range rows {
		if table[m.kind] == nil {
			table[m.kind] = map[string]int{}
		}
		table[m.kind][m.fate]++
		if m.fate == "same" || m.fate == "other figures" || os.Getenv("ATMOSTK_SLIPS") == "all" {
			t.Logf("%s, %s %s, %s\n    %s", m.fate, m.model, m.kind, m.said, m.what)
		}
		if m.kind == "word" && m.fate == "same" && !strings.Contains(m.what, unseen) {
			t.Errorf("%s: a word with a slip goes unnoticed:\n    %s", m.model, m.what)
		}
	}
	for _, kind := range []string{"word", "field", "argument", "quantifier", "guard"} {
		line := fmt.Sprintf("%-10s", kind)
		for _, fate := range fates {
			line += fmt.Sprintf("  %s %d", fate, table[kind][fate])
		}
		t.Log(line)
	}
	t.Logf("%d slips", len(rows))
}

// chosen draws so many slips, as evenly from the kinds as there are some.
func chosen(all map[string][]slip, n int, seed uint64) (some []slip) {
	r := rand.New(rand.NewPCG(400, seed))
	kinds := []string{"word", "field", "argument", "quantifier", "guard"}
	for _, k := range kinds {
		r.Shuffle(len(all[k]), func(i, j int) { all[k][i], all[k][j] = all[k][j], all[k][i] })
	}
	for turn := int(seed); len(some) < n && turn < 10_000; turn++ {
		k := kinds[turn%len(kinds)]
		if len(all[k]) > 0 {
			some, all[k] = append(some, all[k][0]), all[k][1:]
		}
	}
	return some
}

// labelled are the declarations whose strings are names, and texts the arguments that are texts: for people,
// so that anything may stand there.
var (
	labelled = []string{"invariant", "reachable", "eventually", "leads_to", "infinitely_often", "served",
		"at_end", "message", "messages_total",
		"at_most", "can_reach", "weak", "strong"}
	texts = []string{"doc", "source", "origin", "text", "name", "names", "lines", "moot", "excuse"}
)

// unseen are words that nothing looks at: what is picked there is only compared with the other one.
const unseen = `pick(["moves", "misses"])`
