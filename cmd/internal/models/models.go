// Package models finds the models of a program by name or file, and makes instances, runs and
// page texts of them.
package models

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Set contains the models of a program.
type Set struct {
	Name    string // of the program, as users type it
	Specs   []model.Spec
	Cluster bool // check has other processes search, and no other verb searches
}

// Check returns the first mistake in the declarations of the program, a *model.Error, or nil.
func (s *Set) Check() error {
	if strings.ContainsFunc(s.Name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return &model.Error{What: "Program.Name holds a blank or a control character, so nobody can type it"}
	}
	return model.CheckNames(s.Specs)
}

// Tool is the name and version of the program, for reports and traces.
func (s *Set) Tool() string { return s.Name + " " + Version() }

// A Subject is an instance with its model and arguments, the subject of a report.
type Subject struct {
	model.Instance
	Program *Set
	Spec    *model.Spec
	Args    *model.Args
}

// Instance returns an instance of the named model, or of the model in the named file, with args.
func (s *Set) Instance(name string, args []string) (*Subject, error) {
	return s.subject(name, args, (*model.Spec).Instantiate)
}

// Played is Instance for single runs: with numbers where times count by their order only.
func (s *Set) Played(name string, args []string) (*Subject, error) {
	return numbered(s.Instance(name, args))
}

// Followed is Played for instances that may be too large for a search.
func (s *Set) Followed(name string, args []string) (*Subject, error) {
	return numbered(s.subject(name, args, (*model.Spec).Follow))
}

func numbered(of *Subject, err error) (*Subject, error) {
	if err == nil {
		of = of.Numbered()
	}
	return of, err
}

func (s *Set) subject(name string, args []string,
	build func(*model.Spec, []string) (model.Instance, *model.Args, error)) (*Subject, error) {
	spec, err := s.Spec(name)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, starfile.Extension) &&
		(strings.ContainsAny(name, " \t\r\n,") || !utf8.ValidString(name)) {
		return nil, usage.Errorf("%q: the path of a model is UTF-8 text without blanks and commas: "+
			"rename or go there", name)
	}
	in, values, err := build(spec, args)
	return &Subject{in, s, spec, values}, err
}

// String is the name of the model with its arguments, without empty ones.
func (s *Subject) String() string {
	text := s.Spec.Name
	for _, kv := range s.Args.List() {
		if kv[1] != "" {
			text += " " + kv[0] + "=" + kv[1]
		}
	}
	return text
}

// Parameters returns the values of all parameters by their names.
func (s *Subject) Parameters() map[string]string {
	all := map[string]string{}
	for _, kv := range s.Args.List() {
		all[kv[0]] = kv[1]
	}
	return all
}

// Spec returns the named model, or the model in the named file.
func (s *Set) Spec(name string) (*model.Spec, error) {
	if strings.HasSuffix(name, starfile.Extension) {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return nil, usage.Errorf("%s: there is no such file", name)
		}
		return starfile.Load(name)
	}
	names := printable.Each(s.Specs, func(of *model.Spec) string { return of.Name })
	if i := slices.Index(names, name); i >= 0 {
		return s.Specs[i].Loaded(), nil
	}
	if len(names) == 0 {
		return nil, usage.Errorf("there is no model %q: Program.Specs of %s is empty", name, s.Name)
	}
	return nil, usage.Errorf("there is no model %q%s; `%s list` shows all", name, usage.Nearest(name, names),
		s.Name)
}

// Named returns the models with the given names; without names all models of the program.
func (s *Set) Named(names []string) (all []model.Spec, err error) {
	if len(names) == 0 {
		names = printable.Each(s.Specs, func(of *model.Spec) string { return of.Name })
	}
	for _, name := range names {
		spec, err := s.Spec(name)
		if err != nil {
			return nil, err
		}
		all = append(all, *spec)
	}
	return all, nil
}

// Numbered returns the subject of the runs that a search finds: where times count by their order only, the
// same with numbers.
func (s *Subject) Numbered() *Subject {
	if s.Numbers == nil {
		return s
	}
	return &Subject{s.Numbers(0).Instance, s.Program, s.Spec, s.Args}
}

// Header is the header of a run that shows a property, or an error in a part of the model; "": neither.
func (s *Subject) Header(property string) traces.Header {
	return traces.Header{Spec: s.Spec.Name, Parameters: s.Parameters(), Property: property,
		Typed: s.Args.Typed(), Tool: s.Program.Tool()}
}

// Recorded turns a path into a run; nil if the path is nil.
func (s *Subject) Recorded(h traces.Header, path []explore.Step) (*traces.Run, error) {
	if path == nil {
		return nil, nil
	}
	states := printable.Each(path, func(s *explore.Step) lts.State { return s.State })
	texts := printable.Each(path, func(s *explore.Step) string { return s.Text })
	run, err := traces.FromPath(s.Instance, h, states, texts)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", explore.ErrInternal, err)
	}
	return run, nil
}

// home is the module of this package.
const home = "github.com/atmostk/atmostk"

// Version is the version of the main module and of Go, with the revision if known. For a program in another
// module it includes the version of atmostk.
var Version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	released := func(v string) string { return cmp.Or(strings.Trim(v, "()"), "devel") } // "(devel)" is devel
	version := released(info.Main.Version)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version += " " + s.Value
		}
	}
	version += " " + info.GoVersion
	for _, dep := range info.Deps {
		if dep.Replace != nil { // usually a directory, which has no version
			dep = &debug.Module{Path: dep.Path, Version: dep.Replace.Version}
		}
		if dep.Path == home {
			version += ", atmostk " + released(dep.Version)
		}
	}
	return version
})

// Forms are all forms of a run: the page, and the forms of package traces.
func (s *Set) Forms() []traces.Form {
	return append([]traces.Form{s.PageForm()}, traces.Forms...)
}

// PageForm is the form that writes a run as a page for a browser.
func (s *Set) PageForm() traces.Form {
	return traces.Form{
		Name: "html", Doc: "a page in one file, to step through the run and see the steps not taken",
		Write: func(w io.Writer, r *traces.Run, _ traces.Options) error {
			return page.Write(w, page.Of(r, s.About(r.Trace)))
		},
	}
}

// About describes the model of a run for a page. It is empty if the program does not have the model.
func (s *Set) About(t *traces.Trace) page.About {
	about := page.About{Set: []string{}, Default: []string{}}
	spec, err := s.Spec(t.Spec)
	if err != nil {
		return about
	}
	about.Title, about.Source = spec.Title, cmp.Or(spec.Paper, spec.Source)
	for _, param := range spec.Params {
		switch value := t.Parameters[param.Name]; {
		case value == "":
		case value == param.Default && !shown(param.Name, t.Typed):
			about.Default = append(about.Default, param.Name+"="+value)
		default:
			about.Set = append(about.Set, param.Name+"="+value)
		}
	}
	fold(spec, &about, t.Typed)
	about.Args = strings.Join(append([]string{t.Spec}, about.Set...), " ")
	about.Command = s.Again(t, about.Args)
	return about
}

// always are the parameters that a page names even if they have their default values.
var always = map[string]bool{"n": true, "k": true, "h": true, "cohorts": true}

// shown reports whether a page names a parameter even if it has its default value.
func shown(name string, typed []string) bool { return always[name] || slices.Contains(typed, name) }

// fold moves parameters that were not typed from Set to Default if the model sets the same values itself.
func fold(spec *model.Spec, about *page.About, typed []string) {
	_, all, err := spec.Instantiate(about.Set)
	if err != nil {
		return
	}
	for i := len(about.Set) - 1; i >= 0; i-- {
		name, _, _ := strings.Cut(about.Set[i], "=")
		without := slices.Delete(slices.Clone(about.Set), i, i+1)
		if shown(name, typed) {
			continue
		}
		if _, values, err := spec.Instantiate(without); err == nil &&
			slices.Equal(values.List(), all.List()) {
			about.Default, about.Set = append(about.Default, about.Set[i]), without
		}
	}
}

// Again is the command that finds the same violation or goal as a run again.
func (s *Set) Again(t *traces.Trace, args string) string {
	switch {
	case t.Property == "":
		return s.Name + " explore " + args
	case t.Mistake != nil:
		return s.Name + " check " + args
	case t.Verdict == traces.Reached:
		return s.Name + " check " + args + " --witness --property " + t.Property
	case t.Kind == model.Costs.String():
		return s.Name + " check " + args + " --costs --property " + t.Property
	}
	return s.Name + " check " + args + " --property " + t.Property
}
