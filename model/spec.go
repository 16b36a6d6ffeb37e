package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// A Spec is an algorithm, or another model, with its parameters.
type Spec struct {
	Name   string // as on the command line
	Title  string // a few words
	Source string // the paper or the published model
	Doc    string // for users, before they use it
	Params []param.Param
	// Build returns the instance that the arguments describe. It reports
	// combinations that make no sense with Args.Reject.
	Build func(*Args) (Instance, error)
	// Picture returns a picture of a state of an instance that Build gives none; nil: only its variables are
	// shown.
	Picture func(*Args, State) drawing.Drawing
	// References are instances with known figures.
	References []Reference
	// Paper is the heading of the model in list: authors, title and year of the paper whose claims
	// are judged by it; "": none.
	Paper string
	// Load returns the model, where only Name is set here: see Loaded. nil: the other fields are the model.
	Load func() *Spec
}

// Loaded returns the model with all fields. A built-in model that is a file is loaded when it is needed.
func (s *Spec) Loaded() *Spec {
	if s.Load == nil {
		return s
	}
	return s.Load()
}

// A Reference is an instance whose figures are known from another source.
type Reference struct {
	Args      string `json:"arguments"` // "n=3 k=2": explored completely, without limits
	States    int    `json:"states"`
	Generated int    `json:"generated,omitempty"` // 0: not known
	Depth     int    `json:"depth"`
	// Violated are the properties that do not hold, with the length of the shortest
	// counterexample in steps.
	Violated map[string]int `json:"violated,omitempty"`
	Large    bool           `json:"large,omitempty"` // too large for the quick tests
	From     string         `json:"from"`            // source of the figures
}

// ParseArgs reads key=value arguments. Parameters that are not given have their defaults.
func (s *Spec) ParseArgs(args []string) (*Args, error) { return s.Loaded().parse(args, false) }

func (s *Spec) parse(args []string, staged bool) (*Args, error) {
	a := &Args{spec: s, values: map[string]string{}}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, usage.Errorf("%q is not of the form key=value, without blanks", arg)
		}
		i := slices.IndexFunc(s.Params, func(p param.Param) bool { return p.Name == key })
		if i < 0 {
			return nil, usage.Errorf("%s has no parameter %q%s; it has %s", s.Name, key,
				usage.Nearest(key, s.paramNames()), check.OrNone(s.paramNames()))
		}
		if _, twice := a.values[key]; twice {
			return nil, usage.Errorf("%s is given twice", key)
		}
		if !s.Params[i].Type.Allows(value, staged) {
			if _, _, several := strings.Cut(value, "="); several {
				return nil, usage.Errorf("%s: write a blank between parameters: %s", arg,
					strings.NewReplacer(",", " ", ";", " ").Replace(arg))
			}
			return nil, a.misfit(key, value, "allowed: "+s.Params[i].Type.Allowed)
		}
		a.values[key], a.given = value, append(a.given, key)
	}
	for _, p := range s.Params {
		if _, given := a.values[p.Name]; !given {
			a.values[p.Name] = p.Default
		}
	}
	return a, nil
}

func (s *Spec) paramNames() []string {
	return mapped(s.Params, func(p param.Param) string { return p.Name })
}

// Instantiate builds the instance that key=value arguments describe, and returns
// the arguments with all defaults filled in.
func (s *Spec) Instantiate(args []string) (Instance, *Args, error) {
	s = s.Loaded()
	in, a, err := s.made(args, false)
	if a == nil {
		return in, nil, err
	}
	if err == nil {
		err = in.Check()
	}
	in.Arguments = s.Name
	for _, pair := range a.List() {
		in.Arguments += " " + pair[0] + "=" + pair[1]
	}
	if s.Picture != nil && in.Picture == nil {
		in.Picture = func(at State) drawing.Drawing { return s.Picture(a, at) }
	}
	return in, a, err
}

// Stage builds the instance that key=value arguments describe, to be played only: fields other than
// Instance.Interp may be unset. It may have up to protocol.MaxStage processes if the parameters are of type
// ProcCount.
func (s *Spec) Stage(args []string) (in Instance, a *Args, err error) {
	s = s.Loaded()
	if in, a, err = s.made(args, true); err == nil && in.Interp == nil {
		err = cmp.Or(in.Check(), usage.Errorf(
			"%s cannot be played: it is no composition whose channels deliver everything", s.Name))
	}
	return in, a, err
}

// Follow builds the instance to be played and followed: as Instantiate does, or as Stage if it has more
// processes than a search takes and its runs can still be judged.
func (s *Spec) Follow(args []string) (Instance, *Args, error) {
	in, a, err := s.Instantiate(args)
	if err == nil {
		return in, a, nil
	}
	staged, b, unplayable := s.Stage(args)
	switch {
	case unplayable != nil:
		return in, a, err
	case staged.Plain == nil:
		return in, a, usage.Errorf("%v; runs of up to %d are played if nobody crashes inside a handler, "+
			"crash-sends=none, and up to %d are measured by experiments", err, protocol.MaxProcs,
			protocol.MaxStage)
	}
	return staged, b, nil
}

// made checks the spec, reads the arguments, and builds the instance.
func (s *Spec) made(args []string, staged bool) (in Instance, a *Args, err error) {
	if err = s.Check(); err == nil {
		a, err = s.parse(args, staged)
	}
	if err == nil {
		in, err = s.build(a)
	}
	return in, a, err
}

// build builds the instance. A model that cannot be built is an Error, unless a value was rejected.
func (s *Spec) build(a *Args) (in Instance, err error) {
	var mistake *Error
	defer func() {
		if err = cmp.Or(a.Err(), err); err == nil && mistake != nil {
			mistake.Part = cmp.Or(mistake.Part, "Build")
			err = mistake
		}
	}()
	defer Catch(&mistake)
	return s.Build(a)
}
