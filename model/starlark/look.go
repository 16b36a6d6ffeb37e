package starfile

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// A View is a file as an editor shows it. Columns of places count runes, from 1.
type View struct {
	Problems []Problem   // that are found before a search
	Spec     *model.Spec // nil: the file makes no model

	path    string
	library starlark.StringDict // the names of the language
	p       *pass               // nil: the file cannot be executed
	file    *syntax.File        // nil: it has no syntax tree
}

// A Problem is a mistake at a place, perhaps in a file that this one loads; in line 0: at none in particular.
type Problem struct {
	At   syntax.Position
	What string
}

// Look reads a file. The function read returns its text, and the texts of files that it loads.
func Look(path string, read readFunc) *View {
	v := &View{path: path}
	spec, err := loadWith(path, read)
	if err == nil {
		spec.Name = filepath.Base(unnamed.ReplaceAllString(path, "_"))
		_, _, err = spec.Instantiate(nil)
	}
	v.Spec, v.Problems = spec, problemsOf(err)
	if spec == nil {
		spec = &model.Spec{Name: path}
		newBuilder(path, read, spec, nil).look() // it finds the parameters
	}
	args, _ := spec.ParseArgs(nil)           // if they are wrong, there are no types
	b := newBuilder(path, read, spec, args)
	b.seen, v.library = map[syntax.Node]shape{}, b.names()
	maps.Copy(v.library, starlark.Universe)
	if v.p = b.look(); v.p != nil {
		v.file = v.p.files[path]
		v.p.tryAll(v.file)
	} else if source, err := readFile(read, path); err == nil {
		v.file, _ = options.Parse(path, source, 0) // the problems say why there is none
	}
	if v.file != nil {
		_ = resolve.File(v.file, v.library.Has, v.library.Has) // unknown names are among the problems
	}
	return v
}

// unnamed are the characters that names of models do not have.
var unnamed = regexp.MustCompile(`[\s,]|/-`)

// Loads reports whether the file loads another one, directly or not.
func (v *View) Loads(path string) bool { return v.p != nil && v.p.files[path] != nil }

// placed is a line of an error that begins with a place.
var placed = regexp.MustCompile(`(?m)^(.+?):(\d+):(\d+): (.*)$`)

func problemsOf(err error) (all []Problem) {
	if err == nil {
		return nil
	}
	for _, part := range placed.FindAllStringSubmatch(err.Error(), -1) {
		row, _ := strconv.ParseInt(part[2], 10, 32)
		col, _ := strconv.ParseInt(part[3], 10, 32)
		all = append(all, Problem{syntax.MakePosition(&part[1], int32(row), int32(col)), part[4]})
	}
	if all == nil {
		all = []Problem{{What: err.Error()}}
	}
	return all
}

// tryAll visits the functions that nobody lists or calls yet, with arguments as a step or a handler has them.
func (p *pass) tryAll(f *syntax.File) {
	state := shape{}
	for _, of := range p.entries.vars {
		state = join(state, ofType(of.t))
	}
	for _, stmt := range f.Stmts {
		if def, is := stmt.(*syntax.DefStmt); is && p.signed[def.Def] == nil {
			with := make([]argument, len(def.Params))
			for i, x := range []shape{state, nil, ofType(p.entries.messages)} {
				if i < len(with) {
					with[i].x = x
				}
			}
			p.apply(&closure{def, nil}, with, def.Def, "")
		}
	}
}

// around are the nodes around a place, the innermost last. A name of a field is not among them: its node is
// the whole expression.
func (v *View) around(at syntax.Position) (path []syntax.Node) {
	before := func(a, b syntax.Position) bool { return a.Line < b.Line || a.Line == b.Line && a.Col <= b.Col }
	if v.file == nil {
		return nil
	}
	fields := map[syntax.Node]bool{v.file: true, nil: true}
	syntax.Walk(v.file, func(n syntax.Node) bool {
		if dot, is := n.(*syntax.DotExpr); is {
			fields[dot.Name] = true
		}
		if fields[n] {
			return n != nil
		}
		if from, to := n.Span(); before(from, at) && before(at, to) {
			path = append(path, n)
		}
		return true
	})
	return path
}

// at returns the expression at a place, nil if there is none, and for a name where it is bound.
func (v *View) at(at syntax.Position) (n syntax.Node, id *syntax.Ident, to *resolve.Binding) {
	if path := v.around(at); len(path) > 0 {
		n = path[len(path)-1]
	}
	if id, _ = n.(*syntax.Ident); id != nil {
		to = boundTo(id)
	}
	return n, id, to
}

// boundTo is what a name means; its scope is undefined for the name of an argument.
func boundTo(id *syntax.Ident) *resolve.Binding {
	if to, is := id.Binding.(*resolve.Binding); is {
		return to
	}
	return &resolve.Binding{First: id}
}

// Hover returns what is at a place, with its type; "": nothing is known. ours: it is a name of the language.
func (v *View) Hover(at syntax.Position) (text string, ours bool) {
	n, id, to := v.at(at)
	e, is := n.(syntax.Expr)
	switch {
	case to != nil && to.First == nil:
		return signatureOf(id.Name), true
	case v.p == nil || !is:
		return "", false
	}
	text = v.p.text(e)
	if to != nil {
		def := v.origin(to.First)
		for at, s := range v.p.signed {
			if at.Filename() == def.NamePos.Filename() && at.Line == def.NamePos.Line && s.name == def.Name {
				return text + v.p.signatureText(s), false
			}
		}
		if x := v.p.globals[def.NamePos.Filename()][def.Name]; x != nil && (to.Scope == resolve.Global || def != to.First) {
			return text + " = " + v.p.value(x), false
		}
	}
	if x := v.p.seen[e]; x != nil {
		return text + ": " + v.p.say(x), false
	}
	return "", false
}

// value is a value as a file writes it.
func (p *pass) value(x starlark.Value) string {
	t := declaredType(x)
	if t == nil {
		return short(x)
	}
	if kind, is := map[bool]string{true: "record", false: "message"}[t.tag == ""]; is && t.isA(records) {
		return kind + "(" + p.fields(t) + ")"
	}
	return p.written(t)
}

// Definition returns where the name at a place is defined; ok is false if no file defines it.
func (v *View) Definition(at syntax.Position) (to syntax.Position, ok bool) {
	n, _, bound := v.at(at)
	if bound != nil && bound.First != nil {
		return v.origin(bound.First).NamePos, true
	}
	dot, is := n.(*syntax.DotExpr)
	if !is || v.p == nil || len(v.p.seen[dot.X]) == 0 || v.p.seen[dot.X][0].record() == nil {
		return to, false
	}
	field := func(n syntax.Node) bool { // it declares the type of the record
		call, _ := n.(*syntax.CallExpr)
		if call == nil || call.Lparen.String() != v.p.seen[dot.X][0].record().declaredAt {
			return true
		}
		for _, arg := range call.Args {
			if x, is := arg.(*syntax.BinaryExpr); is && nameOf(x.X) == dot.Name.Name {
				to, ok = start(x), true
			}
		}
		return true
	}
	for _, f := range v.p.files {
		syntax.Walk(f, field)
	}
	return to, ok
}

// origin is the name where it is defined, perhaps in another file.
func (v *View) origin(first *syntax.Ident) *syntax.Ident {
	for _, stmt := range v.file.Stmts {
		load, is := stmt.(*syntax.LoadStmt)
		if !is || v.p == nil || !slices.Contains(load.To, first) {
			continue
		}
		f := v.p.files[filepath.Join(filepath.Dir(v.path), load.ModuleName())]
		_ = resolve.File(f, func(string) bool { return true }, starlark.Universe.Has) // it was executed
		for _, b := range f.Module.(*resolve.Module).Globals {
			if b.First.Name == load.From[slices.Index(load.To, first)].Name {
				return b.First
			}
		}
	}
	return first
}

// Rename returns all places of the name at a place, and the name, if another name may stand there. Strings,
// such as names of actions, stay.
func (v *View) Rename(at syntax.Position, other string) (places []syntax.Position, name string, err error) {
	_, id, bound := v.at(at)
	if bound == nil || bound.First == nil || v.origin(bound.First) != bound.First {
		return nil, "", errors.New("only variables, parameters and functions of this file are renamed")
	}
	e, err := options.ParseExpr("", other, 0)
	if _, is := e.(*syntax.Ident); err != nil || !is {
		return nil, "", fmt.Errorf("%q is no name; allowed: letters, digits and _", other)
	}
	if v.library.Has(other) {
		return nil, "", fmt.Errorf("%s is a name of the language", other)
	}
	syntax.Walk(v.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			if b := boundTo(n); b.First == bound.First {
				places = append(places, n.NamePos)
			} else if n.Name == other && b.Scope != resolve.Undefined {
				err = fmt.Errorf("%s is in use: line %d", other, n.NamePos.Line)
			}
		case *syntax.BinaryExpr:
			if n.Op == syntax.EQ && nameOf(n.X) == id.Name && bound.Scope != resolve.Global && start(n) != bound.First.NamePos {
				err = fmt.Errorf("line %d may give the argument by its name: %s = ...", n.OpPos.Line, id.Name)
			}
		}
		return true
	})
	return places, id.Name, err
}

// A Symbol is a name that a file defines, with its type.
type Symbol struct {
	Name, Type string
	At         syntax.Position
}

// Symbols are the names that the file defines, in their order.
func (v *View) Symbols() (all []Symbol) {
	if v.file == nil {
		return nil
	}
	of := v.file.Module.(*resolve.Module)
	loads := func(b *resolve.Binding) bool { return v.origin(b.First) == b.First }
	for _, b := range append(slices.DeleteFunc(of.Locals, loads), of.Globals...) {
		s := Symbol{Name: b.First.Name, At: b.First.NamePos}
		s.Type, _ = v.Hover(s.At)
		all = append(all, s)
	}
	return all
}
