package goform

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
	"sync"
)

// prelude are the declarations that the Go of a model may need; what it does not need is left out.
//
//go:embed prelude.go.txt
var prelude string

// A part is a declaration of the prelude.
type part struct {
	names []string // that it declares
	text  string
}

var parts = sync.OnceValue(func() (all []part) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "prelude.go", prelude, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	for _, d := range f.Decls {
		from, p := d.Pos(), part{}
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
			p.names = []string{d.Name.Name}
			if d.Recv != nil {
				p.names = []string{"." + receiver(d.Recv.List[0].Type)}
			}
		case *ast.GenDecl:
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
			p.names = []string{d.Specs[0].(*ast.TypeSpec).Name.Name}
		}
		p.text = prelude[fset.Position(from).Offset:fset.Position(d.End()).Offset]
		all = append(all, p)
	}
	return all
})

// receiver is the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

var preludeNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, p := range parts() {
		names[p.names[0]] = true
	}
	return names
})

// needed are the parts of the prelude that some code needs, in their order.
func needed(code string) string {
	words := map[string]bool{}
	note := func(text string) {
		var s scanner.Scanner
		fset := token.NewFileSet()
		s.Init(fset.AddFile("", fset.Base(), len(text)), []byte(text), nil, 0)
		last := token.ILLEGAL
		for {
			_, tok, word := s.Scan()
			if tok == token.EOF {
				return
			}
			if tok == token.IDENT && last != token.PERIOD {
				words[word] = true
			}
			last = tok
		}
	}
	note(code)
	taken := map[int]bool{}
	for again := true; again; {
		again = false
		for i, p := range parts() {
			if !taken[i] && words[strings.TrimPrefix(p.names[0], ".")] {
				taken[i], again = true, true
				note(p.text)
			}
		}
	}
	var b strings.Builder
	for i, p := range parts() {
		if taken[i] {
			b.WriteString("\n" + p.text + "\n")
		}
	}
	return b.String()
}

// ofSystems and ofProcesses stand between a model and what it calls.
const ofSystems = `
type property = model.Property[state]

// A member is the state as a step or a property sees it.
type member struct {
	*state
	choice *model.Choice
}

func (m member) pick(n int) int { return m.choice.Pick(n) }

func ofState(f func(member) bool) func(*state) bool {
	return func(s *state) bool { return f(member{state: s}) }
}
`

const ofProcesses = `
type (
	outbox   = model.Outbox[message]
	global   = model.Global[local, message, past]
	property = model.Property[global]
)

// A member is a process as a step or a property sees it.
type member struct {
	*local
	id  int
	box *outbox
}

func (me member) pick(n int) int { return me.box.Pick(n) }

func (me member) send(x message, to ...int) {
	for _, p := range to {
		me.box.Send(model.Proc(p-FIRST), x)
	}
}

func (me member) note(kind int, about set) { me.box.Note(uint32(kind)<<16 | uint32(about>>FIRST)) }

func (m *algorithm) at(p model.Proc, l *local, out *outbox) member { return member{l, int(p) + FIRST, out} }

func (m *algorithm) of(g *global, p model.Proc) member { return member{local: g.Local(p), id: int(p) + FIRST} }

// ids are processes by their numbers.
func (m *algorithm) ids(s model.Set) set { return set(s) << FIRST }

func (m *algorithm) members(g *global, s model.Set) (all []member) {
	for p := range s.Each() {
		all = append(all, m.of(g, p))
	}
	return all
}

func (m *algorithm) all(g *global) []member  { return m.members(g, model.All(g.N)) }
func (m *algorithm) live(g *global) []member { return m.members(g, model.All(g.N)&^g.Dead) }

// An envelope is a message under way.
type envelope struct {
	src, dst int
	message  message
}

func (m *algorithm) inbox(g *global, p model.Proc) (all []envelope) {
	for _, l := range g.Inbox(p) {
		all = append(all, envelope{int(l.From) + FIRST, int(p) + FIRST, l.M})
	}
	return all
}

func (m *algorithm) messages(g *global) (all []envelope) {
	for p := range model.Proc(g.N) {
		all = append(all, m.inbox(g, p)...)
	}
	return all
}

// eachLive asks about one of the live.
func (m *algorithm) eachLive(f func(member) bool) func(*global, int) bool {
	return func(g *global, i int) bool { return g.Live(model.Proc(i)) && f(m.of(g, model.Proc(i))) }
}

func (m *algorithm) ofLocal(f func(member) bool) func(*global, model.Proc) bool {
	return func(g *global, p model.Proc) bool { return f(m.of(g, p)) }
}

func (m *algorithm) ofInbox(f func([]envelope) bool) func(*global, model.Proc) bool {
	return func(g *global, p model.Proc) bool { return f(m.inbox(g, p)) }
}

func (m *algorithm) eachAndDead(f func(member, set) bool) func(*global) bool {
	return func(g *global) bool {
		for p := range model.Proc(g.N) {
			if g.Live(p) && !f(m.of(g, p), m.ids(g.Dead)) {
				return false
			}
		}
		return true
	}
}

func (m *algorithm) counted(f func(member) bool) func(*global, model.Proc) int {
	return func(g *global, p model.Proc) int {
		if f(m.of(g, p)) {
			return 1
		}
		return 0
	}
}

func (m *algorithm) countMessages(f func(envelope) bool) func(*global, model.Proc) int {
	return func(g *global, p model.Proc) (n int) {
		for _, e := range m.inbox(g, p) {
			if f(e) {
				n++
			}
		}
		return n
	}
}

func (m *algorithm) ofMessages(f func(envelope) bool) func(*global, model.Proc) bool {
	return func(g *global, p model.Proc) bool { return m.countMessages(f)(g, p) == len(g.Inbox(p)) }
}

// An event is what a history is told of a step.
type event struct {
	proc, note  int
	procs, dead set
	crash       bool
}

func (m *algorithm) event(e model.Event) event {
	return event{int(e.Proc) + FIRST, int(e.Note >> 16), m.ids(model.Set(e.Note & 0xffff)), m.ids(e.Dead), e.Crash}
}
`

// quiet is for no_starvation.
const quiet = `
// nobody makes a predicate that holds where f holds of none of n.
func nobody[S any](n int, f func(s *S, i int) bool) func(*S) bool {
	return func(s *S) bool {
		for i := range n {
			if f(s, i) {
				return false
			}
		}
		return true
	}
}
`
