package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
)

// Searched reports whether the instance can be searched, and is not only one whose runs are played.
func (in Instance) Searched() bool { return in.mistake == nil }

// Check returns the first mistake in what a model declares, an *Error, or nil. It looks at
// names, forms, ranges and combinations, before anything is searched; that handlers do what
// they may is checked while they run. Every search and every Spec.Instantiate begin with it.
func (in Instance) Check() error {
	switch {
	case in.mistake != nil:
		return in.mistake
	case in.Space == nil || in.Plain == nil:
		return &Error{What: "an Instance is made by Compose or NewSystem: this one has no Space"}
	}
	return nil
}

// CheckNames returns an *Error if two specs have the same name, or one has none.
func CheckNames(specs []Spec) error {
	var c checker
	c.names("model", "Name", len(specs), func(i int) string { return specs[i].Name })
	return c.err()
}

// Check returns the first mistake in what a spec declares, an *Error, or nil. The models that
// it builds are checked by Instantiate.
func (s *Spec) Check() error {
	c := checker{of: "model " + s.Name}
	c.word("model", "Name", s.Name)
	c.demand(s.Build != nil, "Build is nil: it returns the instance that the arguments describe")
	c.names("parameter", "Name", len(s.Params), func(i int) string { return s.Params[i].Name })
	for _, p := range s.Params {
		c.word("parameter", "Name", p.Name)
		c.demand(!strings.Contains(p.Name, "="),
			"parameter %q: Name holds =, so key=value cannot give it", p.Name)
		if !p.Type.Declared() {
			c.wrong(
				"parameter %s has no Type: allowed are IntRange, OneOf, Processes and the others "+
					"of package param",
				p.Name)
		} else if p.Default != "" && !p.Type.Allows(p.Default, false) {
			c.wrong("parameter %s: Default %q is not among what its Type allows: %s",
				p.Name, p.Default, p.Type.Allowed)
		}
	}
	return c.err()
}

// A checker keeps the first mistake that it is told of.
type checker struct {
	of    string // what it is in, for the message; "": nothing to be named
	first *Error
}

func (c *checker) wrong(format string, a ...any) {
	if c.first != nil {
		return
	}
	msg := fmt.Sprintf(format, a...)
	if c.of != "" {
		msg = c.of + ": " + msg
	}
	c.first = &Error{What: msg}
}

// demand notes a mistake unless ok.
func (c *checker) demand(ok bool, format string, a ...any) {
	if !ok {
		c.wrong(format, a...)
	}
}

func (c *checker) err() error {
	if c.first == nil { // a nil *Error in an error would not be nil
		return nil
	}
	return c.first
}

// names demands of n things that each has a name of its own, without control characters.
func (c *checker) names(thing, field string, n int, name func(i int) string) {
	at := map[string]int{}
	for i := range n {
		x := name(i)
		switch earlier, twice := at[x]; {
		case x == "":
			c.wrong("%s %d of %d has no %s", thing, i+1, n, field)
		case strings.ContainsFunc(x, unicode.IsControl):
			c.wrong("%s %q: its %s holds control characters", thing, x, field)
		case twice:
			c.wrong("two are called %s %s, number %d and number %d: each needs a %s of its own",
				thing, x, earlier+1, i+1, field)
		}
		at[x] = i
	}
}

// word demands that a name can be written on the command line.
func (c *checker) word(thing, field, name string) {
	typed := !strings.HasPrefix(name, "-") &&
		!strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	c.demand(typed, "%s %q: its %s holds a blank or a comma, or begins with -, so nobody can ask for it",
		thing, name, field)
}

// named demands that all names that a field gives are those of actions. Those in elsewhere
// are of actions that other instances have: a crash where nobody may.
func (c *checker) named(where string, given []string, actions []lts.Action, elsewhere ...string) {
	known := make([]string, 0, len(actions))
	for _, a := range actions {
		known = append(known, a.Name)
	}
	for _, name := range given {
		if !slices.Contains(known, name) && !slices.Contains(elsewhere, name) {
			c.wrong("%s: there is no action %q%s; the model has %s", where, name, usage.Nearest(name, known),
				orNone(known))
		}
	}
}
