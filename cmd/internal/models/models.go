// Package models is what a program knows of its models: their names, the files they come from, and the
// headers of their runs.
package models

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
)

// A Set is the models of a program.
type Set struct {
	Name  string // of the program, as users type it
	Specs []model.Spec
}

// Check returns the first mistake in what the program declares, a *model.Error, or nil.
func (s *Set) Check() error {
	if strings.ContainsFunc(s.Name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return &model.Error{What: "Program.Name holds a blank or a control character, so nobody can type it"}
	}
	return model.CheckNames(s.Specs)
}

// Tool is the name and version of the program, as it signs what it writes.
func (s *Set) Tool() string { return s.Name + " " + Version() }

// Instance returns the model of the given name, or the one in the file of that name, and what its arguments
// make of it.
func (s *Set) Instance(name string, args []string) (*model.Spec, model.Instance, *model.Args, error) {
	spec, err := s.Spec(name)
	if err != nil {
		return nil, model.Instance{}, nil, err
	}
	in, values, err := spec.Instantiate(args)
	return spec, in, values, err
}

// Spec returns the model of the given name, or the one in the file of that name.
func (s *Set) Spec(name string) (*model.Spec, error) {
	if strings.HasSuffix(name, starfile.Extension) {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return nil, usage.Errorf("%s: there is no such file", name)
		}
		return starfile.Load(name)
	}
	names := make([]string, len(s.Specs))
	for i := range s.Specs {
		names[i] = s.Specs[i].Name
	}
	if i := slices.Index(names, name); i >= 0 {
		return &s.Specs[i], nil
	}
	if len(names) == 0 {
		return nil, usage.Errorf("there is no model %q: Program.Specs of %s is empty", name, s.Name)
	}
	return nil, usage.Errorf("there is no model %q%s; `%s list` shows all", name, usage.Nearest(name, names),
		s.Name)
}

// Record turns the path of a result into a run, and puts its steps in an order
// that is easier to follow, unless the raw one is wanted.
func (s *Set) Record(in model.Instance, spec *model.Spec, args *model.Args, r *explore.Result,
	raw bool) (*traces.Run, error) {
	h := s.Header(spec, args, r.Name)
	if r.Kind == model.Liveness {
		h.CycleAt = &r.CycleAt
	}
	run, err := Recorded(in, h, r.Path)
	if err == nil && !raw {
		run = traces.Tidy(run)
	}
	return run, err
}

// Header is the header of a run that shows something of a property, or of a part of the model.
func (s *Set) Header(spec *model.Spec, args *model.Args, property string) traces.Header {
	h := traces.Header{Spec: spec.Name, Parameters: map[string]string{}, Property: property, Tool: s.Tool()}
	for _, kv := range args.List() {
		h.Parameters[kv[0]] = kv[1]
	}
	return h
}

// Recorded turns a path into a run.
func Recorded(in model.Instance, h traces.Header, path []explore.Step) (*traces.Run, error) {
	states := make([]lts.State, len(path))
	for k, step := range path {
		states[k] = step.State
	}
	run, err := traces.FromPath(in, h, states, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", explore.ErrInternal, err)
	}
	return run, nil
}

// home is the module that this package belongs to.
const home = "github.com/atmostk/atmostk"

// Version is the version of the module as built, with the revision if known; of a program
// of somebody else's also that of atmostk.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	version := released(info.Main.Version)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version += " " + s.Value
		}
	}
	version += " " + info.GoVersion
	for _, dep := range info.Deps {
		if dep.Replace != nil { // as a rule a directory, which has no version
			dep = &debug.Module{Path: dep.Path, Version: dep.Replace.Version}
		}
		if dep.Path == home {
			version += ", atmostk " + released(dep.Version)
		}
	}
	return version
}

// released is the version of a module, in a word.
func released(version string) string {
	if version == "" || version == "(devel)" {
		return "devel"
	}
	return version
}
