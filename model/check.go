package model

import (
	"strings"

	"github.com/atmostk/atmostk/model/check"
)

// CheckNames returns an *Error if two specs have the same name, or one has none.
func CheckNames(specs []Spec) error {
	var c check.Checker
	c.Names("model", "Name", len(specs), func(i int) string { return specs[i].Name })
	return c.Err()
}

// Check returns the first mistake in what a spec declares, an *Error, or nil. The models that
// it builds are checked by Instantiate.
func (s *Spec) Check() error {
	c := check.Checker{Of: "model " + s.Name}
	c.Word("model", "Name", s.Name)
	c.Demand(s.Build != nil, "Build is nil: it returns the instance that the arguments describe")
	c.Names("parameter", "Name", len(s.Params), func(i int) string { return s.Params[i].Name })
	for _, p := range s.Params {
		c.Word("parameter", "Name", p.Name)
		c.Demand(!strings.Contains(p.Name, "="),
			"parameter %q: Name holds =, so key=value cannot give it", p.Name)
		if !p.Type.Declared() {
			c.Wrong(
				"parameter %s has no Type: allowed are IntRange, OneOf, Processes and the others "+
					"of package param",
				p.Name)
		} else if p.Default != "" && !p.Type.Allows(p.Default, false) {
			c.Wrong("parameter %s: Default %q is not among what its Type allows: %s",
				p.Name, p.Default, p.Type.Allowed)
		}
	}
	return c.Err()
}
