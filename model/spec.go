package model

import (
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/param"
)

// A Spec is an algorithm, or another model, with its parameters.
type Spec struct {
	Name   string // as on the command line
	Title  string // a few words
	Source string // the paper or the published model
	Doc    string // what a user should know before using it
	Params []param.Param
	// Build returns the instance that the arguments describe. It reports
	// combinations that make no sense with Args.Reject.
	Build func(*Args) (Instance, error)
	// Picture returns what a state of such an instance looks like; nil: there is nothing to see but its
	// variables.
	Picture func(*Args, State) drawing.Drawing
	// Draw returns a picture of the instance that the arguments describe; nil: there
	// is none.
	Draw func(*Args) drawing.Drawing
	// References are instances with known figures.
	References []Reference
	// Paper is the heading below which list has the model: authors, title and year of the paper whose claims
	// the pages judge by it; "": none.
	Paper string
}

// A Reference is an instance whose figures are known from elsewhere.
type Reference struct {
	Args      string // "n=3 k=2": complete exploration, nothing stops it
	States    int
	Generated int // 0: not given
	Depth     int
	Large     bool // too large for the quick tests
	// Violated are the properties that do not hold, with the length of the shortest
	// counterexample in steps.
	Violated map[string]int
	From     string // where the figures come from
}
