package starfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
	p       *pass               // without types if the file cannot be executed
	file    *syntax.File        // empty if it cannot be read
}

// A Problem is a mistake at a place, perhaps in a file that this one loads; in line 0: at no place.
type Problem struct {
	At   syntax.Position
	What string
}

// Look reads a file. The function read returns its text, and the texts of files that it loads.
func Look(path string, read readFunc) *View {
	v := &View{path: path, p: &pass{}}
	spec, err := LoadWith(path, read)
	if err == nil {
		unnamed := regexp.MustCompile(`[\s,]|/-`) // what names of models do not have
		v.Spec, spec.Name = spec, filepath.Base(unnamed.ReplaceAllString(path, "_"))
		_, _, err = spec.Instantiate(nil)
	} else {
		spec = &model.Spec{Name: path}
		newBuilder(path, read, spec, nil).look() // it finds the parameters
	}
	v.Problems = problemsOf(err)
	args, _ := spec.ParseArgs(nil) // if they are wrong, there are no types
	b := newBuilder(path, read, spec, args)
	b.seen, v.library = map[syntax.Node]shape{}, b.names()
	maps.Copy(v.library, starlark.Universe)
	if p := b.look(); p != nil {
		v.p, v.file = p, p.files[path]
		// Nobody lists or calls these yet: arguments as a step or a handler has them.
		state := allOf(slices.Values(p.entries.vars), func(of named) shape { return ofType(of.t) })
		usual := []argument{{x: state}, {}, {x: ofType(p.entries.messages)}}
		for _, stmt := range v.file.Stmts {
			if def, is := stmt.(*syntax.DefStmt); is && p.signed[def.Def] == nil {
				with := make([]argument, len(def.Params))
				copy(with, usual)
				p.apply(&closure{def, nil}, with, def.Def, "")
			}
		}
	} else if source, err := readFile(read, path); err == nil {
		v.file, _ = options.Parse(path, source, 0)
	}
	v.file = cmp.Or(v.file, &syntax.File{Path: path, Options: options})
	_ = resolve.File(v.file, v.library.Has, v.library.Has) // unknown names are among the problems
	return v
}

// Loads reports whether the file may load another one; if it cannot be executed, it may.
func (v *View) Loads(path string) bool { return v.p.files == nil || v.p.files[path] != nil }

func problemsOf(err error) (all []Problem) {
	if err == nil {
		return nil
	}
	text, failed := err.Error(), &model.Error{}
	if errors.As(err, &failed) && failed.Where != "" && !strings.HasPrefix(text, failed.Where) {
		text = failed.Where + ": " + text
	}
	placed := regexp.MustCompile(`(?m)^(.+?):(\d+):(\d+): (.*)$`) // a line that begins with a place
	for _, part := range placed.FindAllStringSubmatch(text, -1) {
		row, _ := strconv.ParseInt(part[2], 10, 32)
		col, _ := strconv.ParseInt(part[3], 10, 32)
		all = append(all, Problem{syntax.MakePosition(&part[1], int32(row), int32(col)), part[4]})
	}
	if all == nil {
		all = []Problem{{What: err.Error()}}
	}
	return all
}

// around are the nodes around a place, the innermost last. A field is one node with the value that has it.
func (v *View) around(at syntax.Position) (path []syntax.Node) {
	before := func(a, b syntax.Position) bool { return a.Line < b.Line || a.Line == b.Line && a.Col <= b.Col }
	skip := map[syntax.Node]bool{v.file: true}
	syntax.Walk(v.file, func(n syntax.Node) bool {
		if dot, is := n.(*syntax.DotExpr); is {
			skip[dot.Name] = true
		}
		if n != nil && !skip[n] {
			if from, to := n.Span(); before(from, at) && before(at, to) {
				path = append(path, n)
			}
		}
		return n != nil
	})
	return path
}

// at returns the expression at a place, and the name that stands there, with its meaning; or nil.
func (v *View) at(at syntax.Position) (e syntax.Expr, id *syntax.Ident, to *resolve.Binding) {
	if path := v.around(at); len(path) > 0 {
		e, _ = path[len(path)-1].(syntax.Expr)
	}
	if id, _ = e.(*syntax.Ident); id != nil {
		to = boundTo(id)
	}
	return e, id, to
}

// boundTo is the meaning of a name. The scope of the name of an argument is undefined.
func boundTo(id *syntax.Ident) *resolve.Binding {
	if to, is := id.Binding.(*resolve.Binding); is {
		return to
	}
	return &resolve.Binding{First: id}
}

// Hover returns what is at a place, with its type; "": nothing is known. ours: it is a name of the language.
func (v *View) Hover(at syntax.Position) (text string, ours bool) {
	e, id, to := v.at(at)
	switch {
	case e == nil:
		return "", false
	case to != nil && to.First == nil:
		return signatureOf(id.Name), true
	case to != nil:
		def := v.origin(to.First)
		for at, s := range v.p.signed {
			if at.Filename() == def.NamePos.Filename() && at.Line == def.NamePos.Line && s.name == def.Name {
				return id.Name + v.p.signatureText(s), false
			}
		}
		x := v.p.globals[def.NamePos.Filename()][def.Name]
		if x != nil && (to.Scope == resolve.Global || def != to.First) {
			return id.Name + " = " + v.p.value(x), false
		}
	}
	if x := v.p.seen[e]; x != nil {
		return v.p.text(e) + ": " + v.p.say(x), false
	}
	return "", false
}

// value is a value as a file writes it.
func (p *pass) value(x starlark.Value) string {
	switch t := declaredType(x); {
	case t == nil:
		return short(x)
	case t.isA(records) && t.tag == "":
		return "record(" + p.fields(t) + ")"
	case t.isA(records):
		return "message(" + p.fields(t) + ")"
	default:
		return p.written(t)
	}
}

// Definition returns where the name at a place is defined; ok is false if no file defines it.
func (v *View) Definition(at syntax.Position) (to syntax.Position, ok bool) {
	e, _, bound := v.at(at)
	if bound != nil && bound.First != nil {
		return v.origin(bound.First).NamePos, true
	}
	dot, is := e.(*syntax.DotExpr)
	if !is || len(v.p.seen[dot.X]) == 0 || v.p.seen[dot.X][0].record() == nil {
		return to, false
	}
	for _, f := range v.p.files {
		syntax.Walk(f, func(n syntax.Node) bool {
			call, is := n.(*syntax.CallExpr)
			if !is || call.Lparen.String() != v.p.seen[dot.X][0].record().declaredAt {
				return true
			}
			for _, arg := range call.Args {
				if x, is := arg.(*syntax.BinaryExpr); is && nameOf(x.X) == dot.Name.Name {
					to, ok = start(x), true
				}
			}
			return true
		})
	}
	return to, ok
}

// origin is the name where it is defined, perhaps in another file.
func (v *View) origin(first *syntax.Ident) *syntax.Ident {
	for _, stmt := range v.file.Stmts {
		load, is := stmt.(*syntax.LoadStmt)
		if !is || !slices.Contains(load.To, first) {
			continue
		}
		if f := v.p.files[filepath.Join(filepath.Dir(v.path), load.ModuleName())]; f != nil {
			_ = resolve.File(f, v.library.Has, v.library.Has) // it was executed
			for _, b := range f.Module.(*resolve.Module).Globals {
				if b.First.Name == load.From[slices.Index(load.To, first)].Name {
					return b.First
				}
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
	if _, is := e.(*syntax.Ident); err != nil || !is || v.library.Has(other) {
		return nil, "", fmt.Errorf("%q is no new name; allowed: letters, digits and _, and no name of the "+
			"language", other)
	}
	syntax.Walk(v.file, func(n syntax.Node) bool {
		if n, is := n.(*syntax.Ident); is {
			switch b := boundTo(n); {
			case b.First == bound.First:
				places = append(places, n.NamePos)
			case n.Name == other && b.Scope != resolve.Undefined:
				err = fmt.Errorf("%s is in use: line %d", other, n.NamePos.Line)
			case n.Name == id.Name && b.Scope == resolve.Undefined && bound.Scope != resolve.Global:
				err = fmt.Errorf("line %d may name the argument %s", n.NamePos.Line, id.Name)
			}
		}
		return true
	})
	return places, id.Name, err
}

// A Symbol is a name that a file defines or loads, with its type.
type Symbol struct {
	Name, Type string
	At         syntax.Position
}

// Symbols are the names that the file loads, and then the ones that it defines.
func (v *View) Symbols() (all []Symbol) {
	of := v.file.Module.(*resolve.Module)
	loops := func(b *resolve.Binding) bool { return v.origin(b.First) == b.First }
	for _, b := range append(slices.DeleteFunc(of.Locals, loops), of.Globals...) {
		s := Symbol{Name: b.First.Name, At: b.First.NamePos}
		s.Type, _ = v.Hover(s.At)
		all = append(all, s)
	}
	return all
}
