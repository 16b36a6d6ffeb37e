package goform

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/file"
)

// A translator is one translation of a file.
type translator struct {
	source  *file.Source
	system  bool
	endless bool

	globals   map[string]*typ // of the fields of the algorithm, by the names of the file
	functions map[string]definition
	types     map[string]*typ
	records   map[string]*record // by the names of the file
	made      map[string]*function
	names     map[string]bool // of methods

	declarations bytes.Buffer // of types
	methods      bytes.Buffer
	keys         int // fields for keys that have no name

	messages   []*record
	members    syntax.Expr // of a system
	memberType *typ
	first      int // the number of the first process
	past       *record
	main       *record // the local state, or the state
	prefix     string  // before which build has come
}

// A definition is a function of the file, or a lambda with a name.
type definition struct {
	name string
	def  *syntax.DefStmt
}

func (d definition) params() (names []string) {
	for _, p := range d.def.Params {
		switch p := p.(type) {
		case *syntax.Ident:
			names = append(names, p.Name)
		case *syntax.BinaryExpr:
			names = append(names, p.X.(*syntax.Ident).Name)
		default:
			refuse(p, "*args")
		}
	}
	return names
}

// preset is the default of a parameter; nil if it has none.
func (d definition) preset(i int) syntax.Expr {
	if p, ok := d.def.Params[i].(*syntax.BinaryExpr); ok {
		return p.Y
	}
	return nil
}

// root is the scope of the file.
func (t *translator) root() *scope {
	return &scope{t: t, vars: map[string]*variable{}, global: true}
}

// steps reports whether a function reports whether a step is enabled: it calls when, or another such.
func (t *translator) steps(name string) (yes bool) {
	d, ok := t.functions[name]
	if !ok || d.def == nil {
		return false
	}
	for _, s := range d.def.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok {
				if f, ok := call.Fn.(*syntax.Ident); ok && f.Name != name &&
					(f.Name == "when" || t.steps(f.Name)) {
					yes = true
				}
			}
			return !yes
		})
	}
	return yes
}

// instance is a function of the file as a method, for parameters of some types.
func (t *translator) instance(at syntax.Node, d definition, params []*typ, result *typ, step bool) *function {
	key := fmt.Sprint(d.name, step)
	for _, p := range params {
		key += " " + p.String()
	}
	if f := t.made[key]; f != nil {
		return f
	}
	f := &function{name: goName(d.name), step: step, result: result}
	for i := 2; t.names[f.name]; i++ {
		f.name = fmt.Sprintf("%s%d", goName(d.name), i)
	}
	t.names[f.name], t.made[key] = true, f
	if step {
		f.result = boolean
	}
	names := d.params()
	if len(names) != len(params) {
		refuse(at, "%s with %d parameters", d.name, len(params))
	}
	c := &scope{t: t, vars: map[string]*variable{}, fn: f}
	var all []string
	for i, name := range names {
		v := c.declare(name, params[i])
		all = append(all, v.name)
		if params[i].kind == kMember {
			c.member = v.name
		}
	}
	body := c.body(f, d.def.Body)
	for i, name := range names {
		if v := c.vars[name]; !v.used {
			all[i] = "_"
		}
		all[i] += " " + params[i].String()
	}
	returns := ""
	if f.result != nil {
		returns = " " + f.result.String()
	}
	receiver := "m *algorithm"
	if !strings.Contains(body, "m.") {
		receiver = "*algorithm"
	}
	fmt.Fprintf(&t.methods, "\nfunc (%s) %s(%s)%s {\n%s}\n", receiver, f.name, strings.Join(all, ", "),
		returns, body)
	return f
}

// declared is what a file declares by a call, where a value of it is wanted.
func (t *translator) declared(c *scope, e *syntax.CallExpr, name string) (string, *typ, bool) {
	switch name {
	case "weak", "strong":
		code := t.condition(c, e, name == "strong")
		return code, made("demand"), true
	case "fairness_param":
		return `a.String("fairness")`, str, true
	case "network_params":
		const field = "surroundings"
		if t.globals[field] == nil {
			t.prefix += t.networkParams(c, field, e)
		}
		return "m." + field, t.globals[field], true
	case "action", "step", "on":
		refuse(e, "%s other than in the list of all", name)
	}
	if _, ok := file.PropertyForms[name]; ok {
		return t.property(c, e, name), made("property"), true
	}
	return "", nil, false
}

// define is an assignment to a name of the file, if it is not one of a plain value.
func (t *translator) define(c *scope, name string, from syntax.Expr) (code string, known bool) {
	if call, ok := bare(from).(*syntax.CallExpr); ok {
		if f, ok := call.Fn.(*syntax.Ident); ok {
			switch f.Name {
			case "param":
				return t.param(c, name, call), true
			case "fairness_param":
				return c.assignValue(&syntax.Ident{Name: name}, `a.String("fairness")`, str), true
			case "rounds_param":
				return t.roundsParam(c, name, call), true
			case "network_params":
				return t.networkParams(c, name, call), true
			case "history":
				t.historyOf(c, call)
				t.types[name] = void
				return "", true
			}
		}
	}
	if lambda, ok := bare(from).(*syntax.LambdaExpr); ok {
		t.functions[name] = definition{name, &syntax.DefStmt{
			Def: lambda.Lambda, Name: &syntax.Ident{NamePos: lambda.Lambda, Name: name},
			Params: lambda.Params,
			Body:   []syntax.Stmt{&syntax.ReturnStmt{Return: lambda.Lambda, Result: lambda.Body}},
		}}
		return "", true
	}
	if t.isType(from) {
		return t.withPrefix(func() { t.types[name] = t.typeOf(c, from, name) }), true
	}
	return "", false
}

// withPrefix does something that may need fields, and returns the code that fills them.
func (t *translator) withPrefix(do func()) string {
	before := t.prefix
	t.prefix = ""
	do()
	code := t.prefix
	t.prefix = before
	return code
}

// collect finds the functions and the names of a file before it is gone through.
func (t *translator) collect(f *syntax.File) {
	for _, s := range f.Stmts {
		def, ok := s.(*syntax.DefStmt)
		if !ok {
			continue
		}
		if _, twice := t.functions[def.Name.Name]; twice {
			refuse(def, "a second function %s", def.Name.Name)
		}
		t.functions[def.Name.Name] = definition{def.Name.Name, def}
	}
}

// file goes through a file, and returns what build does.
func (t *translator) file(f *syntax.File) string {
	c := t.root()
	var code strings.Builder
	for _, s := range f.Stmts {
		switch s := s.(type) {
		case *syntax.DefStmt:
		case *syntax.LoadStmt:
			for i, from := range s.From {
				if from.Name != s.To[i].Name {
					refuse(s, "a load that changes the name %s", from.Name)
				}
			}
		default:
			code.WriteString(c.stmt(s))
		}
	}
	return code.String()
}

// Export returns the Go of the model in a file: a program with the verbs of the command for this model,
// which reaches the same states. What cannot be translated is an error that names it, with its place.
func Export(path string) (code []byte, err error) {
	source, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r, ok := recover().(refusal); ok {
			err = r.err
		}
	}()
	t := &translator{
		source: source, globals: map[string]*typ{}, functions: map[string]definition{},
		types:   map[string]*typ{},
		records: map[string]*record{}, made: map[string]*function{}, names: map[string]bool{}, first: 1,
	}
	for _, f := range source.Files {
		t.collect(f)
	}
	for _, f := range source.Files {
		t.look(f)
	}
	var build string
	for _, f := range source.Files {
		build += t.file(f)
	}
	name := strings.TrimSuffix(filepath.Base(path), file.Extension)
	return t.write(name, build)
}

// look finds out whether the model is a system or made of processes.
func (t *translator) look(f *syntax.File) {
	for _, s := range f.Stmts {
		if e, ok := s.(*syntax.ExprStmt); ok {
			if call, ok := e.X.(*syntax.CallExpr); ok {
				if name, ok := call.Fn.(*syntax.Ident); ok {
					t.system = t.system || name.Name == "system"
				}
			}
		}
	}
}
