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
	"github.com/atmostk/atmostk/model/usage"
)

// The static pass goes through the functions of a file that the model calls, before any of them is executed,
// with the types of their arguments. It reports nothing about a value that it does not know, and a mistake
// only if it is one on each visit, in all instances that it tries.
type pass struct {
	main      string
	entries   *entries
	functions map[string]*closure // by their places
	globals   map[string]starlark.StringDict
	library   starlark.StringDict
	lines     map[string][]string
	words     map[string]*valueType // of parameters, by the names of the variables that hold them
	names     map[[32]byte]string   // of records, by their types
	signed    map[syntax.Position]*signature
	files     map[string]*syntax.File
	seen      map[syntax.Node]shape     // of expressions, for editors; nil: they are not kept
	wanted    map[syntax.Position]shape // that expressions at these places may have, for editors

	judged map[string]*judgement
	active map[syntax.Position]bool
	left   int // expressions that may still be visited
}

// A judgement is about a place in a file.
type judgement struct {
	at    syntax.Position
	wrong *located // the mistake that the first visit with a mistake found
	right bool     // some visit found none
}

// maxInferred bounds the expressions that are visited; beyond it nothing is reported.
const maxInferred = 200_000

// entries are the functions of the file that the model calls.
type entries struct {
	calls    []entry
	vars     []named      // the records of the variables
	locals   []*valueType // of processes, by role
	messages *valueType   // that they receive
}

// An entry is a function with its arguments; said describes them in errors.
type entry struct {
	f    *starlark.Function
	with []argument
	said string
}

// A role is an argument of functions of the model: its shapes, and its name in errors.
type role struct {
	with []shape
	said string
}

func roleOf(said string, with ...shape) role { return role{with, said} }

// enter notes the functions among the arguments of a declaration, by their signatures: see declarations. The
// functions of the properties in it are among them.
func (e *entries) enter(s *settings, roles map[string]role) {
	for i, name := range s.names {
		switch takes := s.takes[i]; {
		case name == "properties":
			for _, v := range s.list(name) {
				if p, is := v.(*settings); is {
					e.enter(p, e.within(p, roles))
				}
			}
		case takes == "":
		case takes[0] == '[':
			for _, v := range s.list(name) {
				e.call(v, takes, roles)
			}
		default:
			if _, is := s.given(name).(*stepValue); !is {
				s.function(name)
			}
			e.call(s.given(name), takes, roles)
		}
	}
}

// within are the roles of arguments in a property of the processes of one role.
func (e *entries) within(property *settings, roles map[string]role) map[string]role {
	of, is := property.fields["of"].(*roleValue)
	if !is {
		return roles
	}
	roles = maps.Clone(roles)
	for _, name := range []string{"me", "one"} {
		roles[name] = roleOf("the local state", ofType(of.local))
	}
	return roles
}

// call notes a function or the function of a step.
func (e *entries) call(v starlark.Value, takes string, roles map[string]role) {
	step, is := v.(*stepValue)
	if !is {
		step = &stepValue{}
		step.f, _ = v.(starlark.Callable)
	}
	f, is := step.f.(*starlark.Function)
	if !is {
		f, is = step.urgent.(*starlark.Function)
	}
	if !is {
		return
	}
	call, said := entry{f: f}, []string{}
	for name := range strings.SplitSeq(takes[1:len(takes)-1], ",") {
		name, optional := strings.CutSuffix(name, "?")
		r, known := roles[name]
		if !known {
			return
		}
		if optional && arity(f) <= len(call.with) {
			continue
		}
		if name == "message" && step.of != nil {
			r.with = []shape{ofType(step.of)}
		}
		call.with = append(call.with, mapped(r.with, func(x shape) argument { return argument{x: x} })...)
		if r.said != "" {
			said = append(said, r.said)
		}
	}
	if len(step.domains) > 0 {
		of := func(d []starlark.Value) argument { return argument{x: shapeOf(d)} }
		call.with = append(call.with, mapped(step.domains, of)...)
		said = append(said, "a value of each list in action(...)")
	}
	last := len(said) - 1
	call.said = said[last]
	if last > 0 {
		call.said = words(said[:last]) + " and " + call.said
	}
	if strings.HasPrefix(takes, "[state") && len(step.domains) == 0 {
		call.said += "; of an action with more, action(" + f.Name() + ", values, ...) lists their values"
	}
	e.calls = append(e.calls, call)
}

// arity is the number of arguments that the model gives a function.
func arity(f *starlark.Function) int { return f.NumParams() - f.NumKwonlyParams() }

// newPass goes through a file that was executed.
func (b *builder) newPass() (*pass, error) {
	p := &pass{
		main: b.path, entries: &b.entries, library: b.library, globals: b.files,
		functions: map[string]*closure{}, lines: map[string][]string{}, words: map[string]*valueType{},
		judged: map[string]*judgement{}, active: map[syntax.Position]bool{}, left: maxInferred,
		names: map[[32]byte]string{}, signed: map[syntax.Position]*signature{},
		files: map[string]*syntax.File{}, seen: b.seen, wanted: map[syntax.Position]shape{},
	}
	for _, globals := range p.globals {
		for _, name := range slices.Backward(globals.Keys()) {
			if t, is := globals[name].(*recordType); is && t.tag == "" {
				p.names[t.same] = name
			}
		}
	}
	for _, of := range p.entries.vars {
		if len(p.entries.locals) > 1 && p.names[of.t.same] == "" {
			p.names[of.t.same] = of.name // a role
		}
	}
	for path, source := range b.sources {
		f, err := options.Parse(path, source, 0)
		if err != nil {
			return nil, err
		}
		p.files[path], p.lines[path] = f, strings.Split(string(source), "\n")
		syntax.Walk(f, func(n syntax.Node) bool {
			if c := closureAt(n, nil); c != nil {
				p.functions[c.Def.String()] = c
			}
			if a, is := n.(*syntax.AssignStmt); is && path == b.path {
				if call, is := a.RHS.(*syntax.CallExpr); is && b.words[call.Lparen.String()] != nil {
					p.words[nameOf(a.LHS)] = b.words[call.Lparen.String()]
				}
			}
			return true
		})
	}
	main := p.files[b.path]
	p.unlisted(main)
	for _, e := range p.entries.calls {
		if c := p.closureOf(e.f); c != nil {
			p.apply(c, e.with, c.Def, "; it is called with "+e.said)
		}
	}
	p.block(main.Stmts, &scope{}, new(shape))
	return p, nil
}

// unlisted judges whether each function of the file is listed or called, directly or by another listed one.
func (p *pass) unlisted(f *syntax.File) {
	defs, reached := map[string]*syntax.DefStmt{}, map[string]bool{}
	for _, stmt := range f.Stmts {
		if def, is := stmt.(*syntax.DefStmt); is {
			defs[def.Name.Name] = def
		}
	}
	var reach func(n syntax.Node)
	reach = func(n syntax.Node) {
		for name := range mentioned(n) {
			if def := defs[name]; def != nil && !reached[name] {
				reached[name] = true
				reach(def)
			}
		}
	}
	for _, stmt := range f.Stmts {
		if _, is := stmt.(*syntax.DefStmt); !is {
			reach(stmt)
		}
	}
	for name, def := range defs {
		p.judge(def.Name.NamePos, reached[name] || strings.HasPrefix(name, "_"),
			"%s is defined, and nobody lists or calls it; call it _%s if that is meant", name, name)
	}
}

// mistaken returns the mistakes of a file that are mistakes in all instances that are tried.
func (b *builder) mistaken() error {
	p, err := b.newPass()
	if err == nil {
		b.made.Types = p.types()
	}
	if err != nil || p.left < 0 {
		return err
	}
	if p.forgive(p); len(p.judged) > 0 { // without a mistake here, no other instance is tried
		for _, args := range b.others() {
			p.forgive(newBuilder(b.path, b.read, b.spec, args).look())
		}
	}
	found := slices.SortedFunc(maps.Values(p.judged), func(a, b *judgement) int {
		return cmp.Or(comparePlaces(a.at, b.at), cmp.Compare(a.wrong.What, b.wrong.What))
	})
	if len(found) == 0 {
		return nil
	}
	all := found[0].wrong
	for _, j := range found[:min(len(found), 10)] {
		if more := j.wrong.Error(); !strings.Contains(all.Error(), more) {
			all.What += "\n" + more
		}
	}
	return all
}

// forgive forgets the judgements of places that are right in another instance; nil: the file cannot be
// executed in that instance.
func (p *pass) forgive(in *pass) {
	maps.DeleteFunc(p.judged, func(key string, _ *judgement) bool {
		return in != nil && in.judged[key] != nil && in.judged[key].right
	})
}

// maxOthers bounds the instances that are tried beside the one that the user asks for.
const maxOthers = 60

// others are the arguments of other instances: each word, and the ends and some numbers of a range, one at a
// time.
func (b *builder) others() (all []*model.Args) {
	pairs := [][]string{nil}
	for _, q := range b.spec.Params {
		values := slices.Clone(q.Type.Words)
		if r := q.Type.Range; r != nil && q.Type.Form == "number" {
			for _, x := range []int{r[0], 2, 3, 4, 8, 16, r[1]} {
				if r[0] <= x && x <= r[1] {
					values = append(values, strconv.Itoa(x))
				}
			}
		}
		for _, v := range slices.Compact(values) {
			pairs = append(pairs, []string{q.Name + "=" + v})
		}
	}
	for _, given := range pairs {
		if a, err := b.spec.ParseArgs(given); err == nil && len(all) < maxOthers {
			all = append(all, a)
		}
	}
	return all
}

// look is the static pass in another instance, without a model; nil if the file cannot be executed in it.
func (b *builder) look() (p *pass) {
	defer func() { // mistakes that the model makes in this instance are not reported here
		if recover() != nil {
			p = nil
		}
	}()
	b.looks = true
	if _, err := b.file(b.path); err == nil {
		p, _ = b.newPass()
	}
	return p
}

// judge notes that a place is right or wrong: it is reported if it is never right.
func (p *pass) judge(at syntax.Position, right bool, format string, a ...any) {
	p.judgeFor(at, at, right, format, a...)
}

// judgeFor is judge for a mistake that needs two places: it is reported at the second. Judgements differ by
// both places and by the format.
func (p *pass) judgeFor(here, at syntax.Position, right bool, format string, a ...any) {
	key := at.String() + here.String() + format
	j := p.judged[key]
	if j == nil {
		j = &judgement{at: at}
		p.judged[key] = j
	}
	if j.right = j.right || right; !right && j.wrong == nil {
		j.wrong = locate(at, format, a...)
	}
}

// origin is where the value of an expression stands in the file.
func origin(e syntax.Expr, x shape) syntax.Position {
	if x[0].at.IsValid() {
		return x[0].at
	}
	return start(e)
}

// comparable judges whether two expressions may have the same value.
func (p *pass) comparable(op syntax.Position, a, b syntax.Expr, x, y shape) {
	p.wanted[start(b)] = x
	far := !x.is("NoneType") && !slices.ContainsFunc(x, func(a alt) bool {
		return y.is(append(a.kinds(), "NoneType")...)
	})
	if len(x) == 0 || len(y) == 0 || !far && !x.declared() && !y.declared() && (len(x) < 2 || !y.literal()) {
		return
	}
	p.judgeFor(op, origin(b, y), meet(x, y), "%s is never %s; it is one of: %s%s", p.text(a), p.named(b, y),
		x, nearest(y, x))
}

// distinct judges a comparison of a variable, or of a part of it, with itself: its answer never changes.
func (p *pass) distinct(e *syntax.BinaryExpr) {
	if text := p.text(e.X); isPlace(e.X) && text != "it" && text == p.text(e.Y) {
		p.judge(e.OpPos, false, "%s is compared with itself", text)
	}
}

// isPlace reports whether an expression is a variable, or a field or an element of one.
func isPlace(e syntax.Expr) bool {
	switch e := unwrapped(e).(type) {
	case *syntax.Ident:
		return true
	case *syntax.DotExpr:
		return isPlace(e.X)
	case *syntax.IndexExpr:
		_, literal := unwrapped(e.Y).(*syntax.Literal)
		return isPlace(e.X) && (literal || isPlace(e.Y))
	}
	return false
}

// sought judges the left operand of `in`.
func (p *pass) sought(e *syntax.BinaryExpr, x, y shape, s *scope) {
	list := displayed(e.Y)
	_, text := unwrapped(e.Y).(*syntax.Literal)
	p.judge(e.OpPos, !text || !x.declared(), "%s is no list; write (%[1]s,)", p.text(unwrapped(e.Y)))
	for _, b := range list {
		p.comparable(e.OpPos, e.X, b, x, p.expr(b, s))
	}
	switch {
	case list != nil || y.is("string"):
	case x.literal():
		of := &syntax.ParenExpr{Lparen: start(e.Y), X: e.Y}
		p.comparable(e.OpPos, of, e.X, y.inside(), x)
	default:
		p.comparable(e.OpPos, e.X, e.Y, x, y.inside())
	}
}

// named is an expression as it stands, with its value where that is another text.
func (p *pass) named(e syntax.Expr, s shape) string {
	switch text, value := p.text(e), s.String(); {
	case text == value:
		return text
	case s.literal():
		return value
	default:
		return text + " (" + value + ")"
	}
}

// text is an expression as it stands in the file; brackets that stand in no file mean an element.
func (p *pass) text(e syntax.Expr) string {
	if of, is := e.(*syntax.ParenExpr); is && !of.Rparen.IsValid() {
		return "an element of " + p.text(of.X)
	}
	return textOf(e, p.lines[start(e).Filename()])
}

// nearest suggests one of some words for a word that is not among them.
func nearest(given, among shape) string {
	word, ok := given.only().(starlark.String)
	if !ok {
		return ""
	}
	var words []string
	for _, x := range among {
		for _, v := range x.values() {
			if text, is := v.(starlark.String); is {
				words = append(words, string(text))
			}
		}
	}
	return usage.Nearest(string(word), words)
}
