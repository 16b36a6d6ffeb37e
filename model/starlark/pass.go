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
	local     *valueType
	functions map[string]*closure // by where they stand
	globals   map[string]starlark.StringDict
	library   starlark.StringDict
	lines     map[string][]string
	words     map[string]*valueType // of parameters, by the names of the variables that hold them

	judged map[string]*judgement
	active map[syntax.Position]bool
	left   int // expressions that may still be visited
}

// A judgement is about a place: what is wrong with it on the first visit where something is, and whether it
// is right on another.
type judgement struct {
	at    syntax.Position
	wrong *located
	right bool
}

// maxInferred bounds the expressions that are visited; beyond it nothing is reported.
const maxInferred = 200_000

// entries are the functions of the file that the model calls.
type entries struct {
	calls    []entry
	local    *valueType // of processes
	messages *valueType // that they receive
	state    *valueType // of processes, as properties see it; nil in a system
}

// An entry is a function with the shapes of its arguments, and those in words.
type entry struct {
	f    *starlark.Function
	with []shape
	said string
}

// A role is an argument of functions of the model: its shapes, and its name in errors.
type role struct {
	with []shape
	said string
}

func roleOf(said string, with ...shape) role { return role{with, said} }

// enter notes the functions among the arguments of a declaration, by their signatures: see declarations.
func (e *entries) enter(s *settings, roles map[string]role) {
	for i, name := range s.names {
		takes := s.takes[i]
		if takes == "" {
			continue
		}
		given := []starlark.Value{s.given(name)}
		if takes[0] == '[' {
			given = s.list(name)
		} else if _, is := given[0].(*stepValue); !is {
			s.function(name)
		}
		for _, v := range given {
			step, is := v.(*stepValue)
			if f, plain := v.(starlark.Callable); plain {
				e.call(f, takes, roles, &stepValue{})
			} else if is {
				e.call(step.f, takes, roles, step)
			}
		}
	}
}

// call notes a function, which may stand in a step.
func (e *entries) call(f starlark.Callable, takes string, roles map[string]role, step *stepValue) {
	fn, is := f.(*starlark.Function)
	if !is {
		return
	}
	call, said := entry{f: fn}, []string{}
	for name := range strings.SplitSeq(takes[1:len(takes)-1], ",") {
		name, optional := strings.CutSuffix(name, "?")
		r, known := roles[name]
		if !known {
			return
		}
		if optional && arity(fn) <= len(call.with) {
			continue
		}
		if name == "message" && step.of != nil {
			r.with = []shape{ofType(step.of)}
		}
		if call.with = append(call.with, r.with...); r.said != "" {
			said = append(said, r.said)
		}
	}
	for _, d := range step.domains {
		call.with = append(call.with, shapeOf(d))
	}
	if len(step.domains) > 0 {
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

// arity is how many arguments the model has to give a function.
func arity(f *starlark.Function) int { return f.NumParams() - f.NumKwonlyParams() }

// properties notes the functions of the properties of a model.
func (e *entries) properties(set *settings, roles map[string]role) {
	roles["used"] = roleOf("the units in use, and how many live", ofKind("int"), ofKind("int"))
	for _, v := range set.list("properties") {
		if p, is := v.(*settings); is {
			e.enter(p, roles)
		}
	}
}

// newPass goes through a file that was executed.
func (b *builder) newPass() (*pass, error) {
	p := &pass{
		main: b.path, entries: &b.entries, local: b.entries.local, library: b.library, globals: b.files,
		functions: map[string]*closure{}, lines: map[string][]string{}, words: map[string]*valueType{},
		judged: map[string]*judgement{}, active: map[syntax.Position]bool{}, left: maxInferred,
	}
	var main *syntax.File
	for path, source := range b.sources {
		f, err := options.Parse(path, source, 0)
		if err != nil {
			return nil, err
		}
		if p.lines[path] = strings.Split(string(source), "\n"); path == b.path {
			main = f
		}
		syntax.Walk(f, func(n syntax.Node) bool {
			if c := closureAt(n, nil); c != nil {
				p.functions[c.at.String()] = c
			}
			if a, is := n.(*syntax.AssignStmt); is && path == b.path {
				to, _ := a.LHS.(*syntax.Ident)
				call, _ := a.RHS.(*syntax.CallExpr)
				if to != nil && call != nil && b.words[call.Lparen.String()] != nil {
					p.words[to.Name] = b.words[call.Lparen.String()]
				}
			}
			return true
		})
	}
	p.unlisted(main)
	for _, e := range p.entries.calls {
		if c := p.closureOf(e.f); c != nil {
			p.apply(c, &arguments{shapes: e.with}, c.at, e.said)
		}
	}
	s := &scope{vars: map[string]shape{}, file: b.path, top: true}
	p.block(main.Stmts, s, new(shape))
	return p, nil
}

// unlisted judges whether each function of the file is listed or called, directly or by another that is.
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

// mistaken returns the mistakes of a file that are mistakes in all instances that are tried.
func (b *builder) mistaken() error {
	p, err := b.newPass()
	if err != nil || len(p.mistakes()) == 0 || p.left < 0 {
		return err
	}
	for _, args := range b.others() {
		if q := lookAt(b.path, b.spec, args); q != nil {
			for key, j := range q.judged {
				if is := p.judged[key]; is != nil {
					is.right = is.right || j.right
				}
			}
		}
	}
	found := p.mistakes()
	if len(found) == 0 {
		return nil
	}
	all := *found[0].wrong
	for _, j := range found[1:min(len(found), 10)] {
		if more := j.wrong.Error(); !strings.Contains(all.Error(), more) {
			all.What += "\n" + more
		}
	}
	return &all
}

// mistakes are the judgements of what was never right, by their places.
func (p *pass) mistakes() (all []*judgement) {
	for _, key := range slices.Sorted(maps.Keys(p.judged)) {
		if j := p.judged[key]; !j.right {
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, func(a, b *judgement) int {
		x, y := a.at, b.at
		return cmp.Or(cmp.Compare(x.Filename(), y.Filename()), cmp.Compare(x.Line, y.Line),
			cmp.Compare(x.Col, y.Col))
	})
	return all
}

// maxOthers bounds the instances that are tried beside the one that is asked for.
const maxOthers = 60

// others are the arguments of other instances: each word, and the ends and some numbers of a range, one at a
// time.
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
			for i, x := range []int{r[0], 2, 3, 4, 8, 16, r[1]} {
				if i == 0 || i == 6 || r[0] < x && x < r[1] {
					add(q.Name + "=" + strconv.Itoa(x))
				}
			}
		}
	}
	return all
}

// lookAt is the static pass in another instance, without a model; nil if the file cannot be executed in it.
func lookAt(path string, spec *model.Spec, args *model.Args) (p *pass) {
	defer func() { // mistakes that the model makes in this instance are not reported here
		if recover() != nil {
			p = nil
		}
	}()
	b := newBuilder(path, spec, args)
	b.looks = true
	if _, err := b.file(path); err != nil {
		return nil
	}
	p, err := b.newPass()
	if err != nil {
		return nil
	}
	return p
}

// judge notes that a place is right or wrong: it is reported if it is never right. Judgements of one place
// differ by what is judged, and by another place that matters.
func (p *pass) judge(at syntax.Position, what string, other syntax.Position, right bool, format string,
	a ...any,
) {
	key := at.String() + " " + what + " " + other.String()
	j := p.judged[key]
	if j == nil {
		j = &judgement{at: at}
		p.judged[key] = j
	}
	if j.right = j.right || right; !right && j.wrong == nil {
		j.wrong = locate(at, format, a...)
	}
}

// judgeHere is judge where no other place matters.
func (p *pass) judgeHere(at syntax.Position, what string, right bool, format string, a ...any) {
	p.judge(at, what, at, right, format, a...)
}

// compared judges operands of == or !=: some value has to be of both kinds.
func (p *pass) compared(e *syntax.BinaryExpr, x, y shape) {
	if x.literal() && !y.literal() {
		p.comparable(e.OpPos, e.Y, e.X, y, x)
	} else {
		p.comparable(e.OpPos, e.X, e.Y, x, y)
	}
}

// comparable judges whether b may have a value that a has.
func (p *pass) comparable(op syntax.Position, a, b syntax.Expr, x, y shape) {
	if len(x) == 0 || len(y) == 0 || !x.declared() && !y.declared() && (len(x) < 2 || !y.literal()) {
		return
	}
	at := start(b)
	if y[0].at.IsValid() {
		at = y[0].at
	}
	p.judge(at, "compared", op, meet(x, y), "%s is never %s; it is one of: %s%s", p.text(a), p.named(b, y), x,
		nearest(y, x))
}

// distinct judges a comparison of a variable, or of a part of it, with itself: its answer never changes.
func (p *pass) distinct(e *syntax.BinaryExpr) {
	switch e.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		text := p.text(e.X)
		if isPlace(e.X) && text != "it" && text == p.text(e.Y) {
			p.judgeHere(e.OpPos, "itself", false, "%s is compared with itself", text)
		}
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
	var listed []syntax.Expr
	switch among := unwrapped(e.Y).(type) {
	case *syntax.ListExpr:
		listed = among.List
	case *syntax.TupleExpr:
		listed = among.List
	}
	for _, b := range listed {
		p.comparable(e.OpPos, e.X, b, x, p.expr(b, s))
	}
	switch elem := y.inside(); {
	case listed != nil || y.is("string"):
	case x.literal():
		p.comparable(e.OpPos, &syntax.ParenExpr{Lparen: start(e.Y), X: e.Y}, e.X, elem, x)
	default:
		p.comparable(e.OpPos, e.X, e.Y, x, elem)
	}
}

// named is an expression as it stands, with its value where that is another text.
func (p *pass) named(e syntax.Expr, s shape) string {
	text, value := p.text(e), s.String()
	if text == value {
		return text
	}
	if s.literal() {
		return value
	}
	return text + " (" + value + ")"
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
		if x.t.isA(optionals) {
			x.t = x.t.of
		}
		for _, v := range x.values() {
			if text, is := v.(starlark.String); is {
				words = append(words, string(text))
			}
		}
	}
	return usage.Nearest(string(word), words)
}
