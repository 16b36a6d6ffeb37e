package starfile

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// A pass goes through the functions of a file as far as the model calls them, before any is run, with the
// types of what they are called with. What it does not know it does not report; and it reports what is wrong
// wherever it comes by, in all instances that it tries.
type pass struct {
	main      string
	entries   *entries
	local     *recordType
	functions map[string]*closure // by where they stand
	globals   map[string]starlark.StringDict
	library   starlark.StringDict
	lines     map[string][]string
	words     map[string]*wordType // of the parameters, by the names of the variables that hold them

	wrong  map[string]*located
	right  map[string]bool
	places map[string]syntax.Position
	active map[syntax.Position]bool
	left   int // expressions that may still be gone through
}

// maxInferred bounds the expressions that are gone through; beyond it nothing is reported.
const maxInferred = 200_000

// entries are what the model calls of the file.
type entries struct {
	calls    []entry
	messages unionType
	history  *historyValue
	local    *recordType
}

// An entry is a function with what the model calls it with, and that in words.
type entry struct {
	f    starlark.Callable
	with []shape
	said string
}

func (e *entries) add(f starlark.Callable, said string, with ...shape) {
	if f != nil {
		e.calls = append(e.calls, entry{f, with, said})
	}
}

// newPass goes through a file that was executed.
func (l *loading) newPass(main string) (*pass, error) {
	p := &pass{
		main: main, entries: &l.b.entries, local: l.b.entries.local, library: l.library, globals: l.files,
		functions: map[string]*closure{}, lines: map[string][]string{}, words: map[string]*wordType{},
		wrong: map[string]*located{}, right: map[string]bool{}, places: map[string]syntax.Position{},
		active: map[syntax.Position]bool{}, left: maxInferred,
	}
	for path, source := range l.sources {
		f, err := options.Parse(path, source, 0)
		if err != nil {
			return nil, err
		}
		p.lines[path] = strings.Split(string(source), "\n")
		p.find(f)
		if path == main {
			p.parameters(f, l.b.spec)
			p.unlisted(f)
			defer func() {
				s := &scope{vars: map[string]shape{}, file: main, top: true}
				p.block(f.Stmts, s, new(shape))
			}()
		}
	}
	for _, e := range p.entries.calls {
		if f, is := e.f.(*starlark.Function); is {
			if c := p.closureOf(f); c != nil {
				p.apply(c, &arguments{shapes: e.with}, c.at, e.said)
			}
		}
	}
	return p, nil
}

// find notes the functions of a file by where they stand.
func (p *pass) find(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			p.functions[n.Def.String()] = &closure{name: n.Name.Name, at: n.Def, params: n.Params,
				body: n.Body}
		case *syntax.LambdaExpr:
			p.functions[n.Lambda.String()] = &closure{name: "lambda", at: n.Lambda, params: n.Params,
				value: n.Body}
		}
		return true
	})
}

// parameters finds the variables that hold parameters whose values are words.
func (p *pass) parameters(f *syntax.File, spec *model.Spec) {
	syntax.Walk(f, func(n syntax.Node) bool {
		a, is := n.(*syntax.AssignStmt)
		if !is {
			return true
		}
		to, is := a.LHS.(*syntax.Ident)
		call, calls := a.RHS.(*syntax.CallExpr)
		if !is || !calls {
			return true
		}
		name := ""
		switch f, _ := call.Fn.(*syntax.Ident); {
		case f != nil && f.Name == "fairness_param":
			name = "fairness"
		case f != nil && f.Name == "param" && len(call.Args) > 0:
			if text, is := call.Args[0].(*syntax.Literal); is {
				name, _ = text.Value.(string)
			}
		}
		for _, q := range spec.Params {
			if q.Name == name && q.Type.Form == "word" {
				var values []starlark.Value
				for _, w := range q.Type.Words {
					values = append(values, starlark.String(w))
				}
				p.words[to.Name], _ = newWords(values) // they are words
			}
		}
		return true
	})
}

// unlisted judges whether each function of the file is listed or called, by what is.
func (p *pass) unlisted(f *syntax.File) {
	defs, reached := map[string]*syntax.DefStmt{}, map[string]bool{}
	var reach func(n syntax.Node)
	reach = func(n syntax.Node) {
		for name := range mentioned(n) {
			if def := defs[name]; def != nil && !reached[name] {
				reached[name] = true
				reach(def)
			}
		}
	}
	var rest []syntax.Stmt
	for _, stmt := range f.Stmts {
		if def, is := stmt.(*syntax.DefStmt); is {
			defs[def.Name.Name] = def
		} else {
			rest = append(rest, stmt)
		}
	}
	for _, stmt := range rest {
		reach(stmt)
	}
	for name, def := range defs {
		p.judge(def.Name.NamePos, "listed", def.Def, reached[name] || strings.HasPrefix(name, "_"),
			"%s is defined, and nobody lists or calls it; call it _%s if that is meant", name, name)
	}
}

// mistaken returns what is wrong with a file in all instances that are tried; nil if nothing is.
func (l *loading) mistaken(path string) error {
	p, err := l.newPass(path)
	if err != nil || len(p.remaining()) == 0 || p.left < 0 {
		return err
	}
	for _, args := range l.b.others() {
		if q := lookAt(path, l.b.spec, args); q != nil {
			maps.Copy(p.right, q.right)
		}
	}
	keys := p.remaining()
	if len(keys) == 0 {
		return nil
	}
	slices.SortFunc(keys, func(a, b string) int {
		x, y := p.places[a], p.places[b]
		return cmp.Or(cmp.Compare(x.Filename(), y.Filename()), cmp.Compare(x.Line, y.Line),
			cmp.Compare(x.Col, y.Col), cmp.Compare(a, b))
	})
	all := &located{p.wrong[keys[0]].Where, p.wrong[keys[0]].What}
	for _, key := range keys[1:min(len(keys), 10)] {
		if more := p.wrong[key].Error(); !strings.Contains(all.Error(), more) {
			all.What += "\n" + more
		}
	}
	return all
}

// remaining are the keys of what is never right.
func (p *pass) remaining() (keys []string) {
	for key := range p.wrong {
		if !p.right[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// maxOthers bounds the instances that are tried beside the one that is asked for.
const maxOthers = 60

// others are arguments of other instances: each word and each end of a range of numbers, one at a time.
func (b *builder) others() (all []*model.Args) {
	add := func(pairs ...string) {
		if a, err := b.spec.ParseArgs(pairs); err == nil && len(all) < maxOthers {
			all = append(all, a)
		}
	}
	add()
	for _, q := range b.spec.Params {
		for _, w := range q.Type.Words {
			add(q.Name + "=" + w)
		}
		if r := q.Type.Range; r != nil && q.Type.Form == "number" {
			add(q.Name + "=" + strconv.Itoa(r[0]))
			for _, x := range []int{2, 3, 4, 8, 16} {
				if r[0] < x && x < r[1] {
					add(q.Name + "=" + strconv.Itoa(x))
				}
			}
			add(q.Name + "=" + strconv.Itoa(r[1]))
		}
	}
	return all
}

// lookAt goes through a file in another instance, of which no model is made; nil if there is no such
// instance.
func lookAt(path string, spec *model.Spec, args *model.Args) (p *pass) {
	defer func() { // what a model does wrong in this instance is not asked here
		if recover() != nil {
			p = nil
		}
	}()
	b := &builder{spec: spec, args: args, looks: true}
	b.room.Store(maxNodes)
	b.premises = map[string][]*premise{}
	l := newLoading(b)
	if _, err := l.file(path); err != nil {
		return nil
	}
	p, err := l.newPass(path)
	if err != nil {
		return nil
	}
	return p
}
