package model

// A Paper is a source whose claims are judged. The specs that come from it share it.
type Paper struct {
	Name   string // of the page that is written about it, and on the command line
	Title  string // authors, title, year
	Intro  string // what a reader of the page should know first; Markdown
	Claims []Claim
	Tables []Table
}

// A Claim is a statement of a paper, with the instances that test it and what
// was found.
type Claim struct {
	Name  string // "Lemma 1"
	Place string // where the paper has it: "section 5.2"
	Text  string // what it says, in our own words
	// Trials test it. The claim stands if all of them hold, those of
	// repairs and contrasts apart.
	Trials []Trial
	// Account tells the counterexample in plain language; "" if there is none. Repair
	// says what makes the claim hold, and at which sizes that was seen. Both Markdown.
	Account string
	Repair  string
}

// A Trial is one question about one instance, with the answer that was found. A
// different answer is a changed finding, which the tests report.
type Trial struct {
	Spec     string // by name
	Args     string // "n=3 k=2"
	Property string
	// Repair: the instance is a repaired reading, not what the paper prints.
	Repair bool
	// Contrast: the instance is outside of what the claim supposes; it shows what
	// the suppositions are worth.
	Contrast bool
	// Full: too long for the quick run.
	Full bool
	// Limit is the number of states after which the search gives up; 0: none.
	Limit int64
	// Lost asks also from how many states the goal, a Reachable property, is out of reach.
	Lost bool
	// Compute, if not nil, answers in place of a search: for claims about sets and
	// numbers and not about runs. Spec and Property may be empty then, and How is the
	// command by which a user gets the same, "" if there is none.
	Compute func() Finding
	How     string

	Found Finding
	// Trace is the name of the file in which the counterexample is kept; "" if it is not.
	Trace string
	// Remark is what the figures do not say, a sentence; mostly "".
	Remark string
}

// A Finding is the answer to a trial.
type Finding struct {
	Verdict string // holds, violated or unknown
	// States visited; the search ends at a violation of the property asked about.
	States int64
	// Length is the number of steps of the shortest counterexample or, for a Reachable
	// property that holds, of the shortest run to the goal.
	Length int
	// Detail is what else was asked for: "out of reach from 3 of 12 states".
	Detail string
}

// A Table is a set of instances, each with a verdict on every property.
type Table struct {
	Name  string // "variants": of the section
	Doc   string // what it shows, a sentence
	Spec  string
	Rows  []string // arguments; "variant=a/b" stands for one instance with each
	Limit int64    // states after which an instance is given up
	// Properties are the columns; nil: all that are not on request only.
	Properties []string
}
