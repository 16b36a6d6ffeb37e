package goform

import (
	"bytes"
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/param"
)

// write puts everything together.
func (t *translator) write(name, build string) ([]byte, error) {
	if t.main == nil {
		return nil, fmt.Errorf("there is no system(...) or processes(...) on its own line")
	}
	var body bytes.Buffer
	body.WriteString(t.spec(name))
	body.WriteString(t.algorithm())
	t.varsOf()
	t.records["\x00"] = t.main
	for _, r := range t.sorted() {
		t.declare(r)
	}
	body.Write(t.declarations.Bytes())
	if t.system {
		body.WriteString(ofSystems)
	} else {
		body.WriteString(t.messageType())
		body.WriteString(strings.ReplaceAll(ofProcesses, "FIRST", strconv.Itoa(t.first)))
		if t.past == nil {
			body.WriteString("\ntype past = model.None\n")
		}
	}
	body.Write(t.methods.Bytes())
	errors := ""
	if strings.Contains(build, "err = a.") {
		errors = "var err error\n"
	}
	fmt.Fprintf(&body, "\nfunc build(a *model.Args) (model.Instance, error) {\nm := &algorithm{}\n%s%s}\n",
		errors, build)
	if strings.Contains(body.String(), "nobody(") {
		body.WriteString(quiet)
	}
	body.WriteString(needed(body.String()))
	code := fmt.Sprintf("// Command %s checks the model of %[1]s.star, from which `atmostk export --go` "+
		"made this file.\n"+
		"// It is the reader's own: nothing makes it again.\npackage main\n\nimport (%s)\n%s", name,
		imports(body.String()), body.String())
	formatted, err := format.Source([]byte(code))
	if err != nil {
		return nil, fmt.Errorf("the Go form of %s is not Go, which is a mistake of this program: %w\n%s",
			name, err, code)
	}
	return formatted, nil
}

// sorted are the records in the order of their names in Go, each once.
func (t *translator) sorted() (all []*record) {
	for _, r := range t.records {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *record) int { return strings.Compare(a.name, b.name) })
	return all
}

var packages = []string{
	"cmp", "fmt", "maps", "math/bits", "reflect", "slices", "strconv", "strings", "",
	"github.com/atmostk/atmostk/cmd", "github.com/atmostk/atmostk/invariants",
	"github.com/atmostk/atmostk/model", "github.com/atmostk/atmostk/model/param",
	"github.com/atmostk/atmostk/model/values",
}

// imports are the packages that code uses.
func imports(code string) string {
	var b strings.Builder
	for _, p := range packages {
		short := p[strings.LastIndex(p, "/")+1:]
		if p == "" {
			b.WriteString("\n")
		} else if regexp.MustCompile(`\b` + short + `\.[A-Z]`).MatchString(code) {
			b.WriteString(strconv.Quote(p) + "\n")
		}
	}
	return b.String()
}

// spec is the declaration of the model.
func (t *translator) spec(name string) string {
	s := t.source.Spec
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc main() { cmd.Program{Name: %q, Specs: []model.Spec{spec}}.Main() }\n\nvar spec "+
		"= model.Spec{\nName: %q, Title: %q, Source: %q,\n",
		name, name, s.Title, s.Source)
	fmt.Fprintf(&b, "Doc: %q,\nBuild: build,\nParams: %s,\n", s.Doc, params(s.Params))
	b.WriteString("References: []model.Reference{\n")
	for _, r := range s.References {
		fmt.Fprintf(&b, "{Args: %q, States: %d, Generated: %d, Depth: %d, Large: %t, From: %q", r.Args,
			r.States, r.Generated, r.Depth, r.Large, r.From)
		if len(r.Violated) > 0 {
			var all []string
			for name, steps := range r.Violated {
				all = append(all, fmt.Sprintf("%q: %d", name, steps))
			}
			slices.Sort(all)
			b.WriteString(", Violated: map[string]int{" + strings.Join(all, ", ") + "}")
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\n}\n")
	return b.String()
}

// params are the parameters: those that all models have by their names.
func params(ps []param.Param) string {
	var all []string
	var own strings.Builder
	end := func() {
		if own.Len() > 0 {
			all = append(all, "[]param.Param{\n"+own.String()+"}")
			own.Reset()
		}
	}
	network := param.Network("none")
	for i := 0; i < len(ps); i++ {
		switch p := ps[i]; {
		case p.Name == network[0].Name && p.Doc == network[0].Doc:
			end()
			sends := slices.IndexFunc(network, func(p param.Param) bool { return p.Name == "crash-sends" })
			all = append(all, fmt.Sprintf("param.Network(%q)", ps[i+sends].Default))
			i += len(network) - 1
		case p.Name == param.Rounds.Name && p.Doc == param.Rounds.Doc:
			own.WriteString("param.Rounds,\n")
		case p.Name == param.Fairness.Name && p.Doc == param.Fairness.Doc:
			own.WriteString("param.Fairness,\n")
		default:
			fmt.Fprintf(&own, "{Name: %q, Doc: %q, Default: %q, Type: %s},\n", p.Name, p.Doc, p.Default,
				paramType(&p))
		}
	}
	end()
	switch len(all) {
	case 0:
		return "nil"
	case 1:
		return all[0]
	}
	return "slices.Concat(" + strings.Join(all, ", ") + ")"
}

// paramType is the type of a parameter, in Go.
func paramType(p *param.Param) string {
	switch p.Type.Form {
	case "number":
		return fmt.Sprintf("param.IntRange(%d, %d)", p.Type.Range[0], p.Type.Range[1])
	case "word":
		var all []string
		for _, w := range p.Type.Words {
			all = append(all, strconv.Quote(w))
		}
		return "param.OneOf(" + strings.Join(all, ", ") + ")"
	}
	return "param.Rounds.Type"
}

// algorithm is the struct of what a file knows, by the names of the file.
func (t *translator) algorithm() string {
	var names []string
	for name := range t.globals {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("\n// algorithm is the model with its parameters.\ntype algorithm struct {\n")
	for _, name := range names {
		fmt.Fprintf(&b, "%s %s\n", goName(name), t.globals[name])
	}
	if !t.system {
		b.WriteString("processes int\n")
	}
	return b.String() + "}\n"
}

// messageType is the type of messages: one of several kinds.
func (t *translator) messageType() string {
	if len(t.messages) == 0 {
		return "\ntype message = model.None\n"
	}
	var kinds, texts, cases, fields []string
	for i, r := range t.messages {
		kind := "kind" + joined(r.name)
		var shown []string
		for _, f := range r.fields {
			shown = append(shown, ", x."+r.name+"."+f.goName)
		}
		cases = append(cases, fmt.Sprintf("case %s:\nreturn call(%q%s)\n", kind, r.tag,
			strings.Join(shown, "")))
		if len(r.fields) > 0 {
			fields = append(fields, r.name+" "+r.name)
		}
		if i == 0 {
			kind += " kind = iota"
		}
		kinds, texts = append(kinds, kind), append(texts, strconv.Quote(r.tag))
	}
	return fmt.Sprintf("\ntype kind uint8\n\nconst (\n%s\n)\n\nfunc (k kind) String() string { return "+
		"[...]string{%s}[k] }\n\n"+
		"// A message has the fields of its kind.\ntype message struct {\nkind kind\n%s\n}\n\n"+
		"func (x message) String() string {\nswitch x.kind {\n%s}\nreturn \"\"\n}\n",
		strings.Join(kinds, "\n"), strings.Join(texts, ", "), strings.Join(fields, "\n"),
		strings.Join(cases, ""))
}

// varsOf writes the method that lists the variables as a person reads them.
func (t *translator) varsOf() {
	var b strings.Builder
	for _, f := range t.main.fields {
		if t.system && f.t.kind == kArray && t.members != nil {
			if list, of := t.root().expr(t.members, nil); f.t.dom == list && of.of.kind == f.t.key.kind {
				fmt.Fprintf(&b, "for i, x := range %s {\nall = append(all, model.Var{Owner: m.owners[i], "+
					"Name: %q, Value: show(x)})\n}\n", f.t.load("s."+f.goName), f.name)
				continue
			}
		}
		fmt.Fprintf(&b, "all = append(all, model.Var{Name: %q, Value: show(%s)})\n", f.name,
			f.t.load("s."+f.goName))
	}
	fmt.Fprintf(&t.methods, "\n// vars are the variables as a person reads them.\nfunc (m *algorithm) "+
		"vars(s *%s) (all []model.Var) {\n%sreturn all\n}\n", t.mainName(), b.String())
}
