// Package paper is what is said about papers whose algorithms are models: a [Paper] has [Claim] after Claim,
// each with a [Ruling] and with [Trial] instances that test it, and [Table] after Table of instances, about
// which a [Statement] is a sentence that is tested. All of it is data: specs/PAPER/claims.yaml.
package paper

import (
	"slices"
	"strings"
)

// A Paper is a source whose claims are judged.
type Paper struct {
	Name   string `yaml:"-"` // of its folder below specs, and of its page
	Source Source
	// Sizes are the parameters that say how large an instance is and what its surroundings do. All others are
	// readings of the paper: a verdict on a claim is one on every size of the tables, in the readings named.
	Sizes []string
	// Assumes are conditions that instances meet, if they have the parameters, which are to refute what the
	// page says: what the paper assumes throughout.
	Assumes string
	Intro   string // what a reader of the page should know first; Markdown
	// Inventory lists every numbered statement, bound and figure of the paper, each with the key of the claim
	// that judges it.
	Inventory []struct{ What, Claim string }
	Claims    []Claim
	Tables    []Table
	// Implement is what an implementer should take: the algorithm with all repairs. Nil: nothing is
	// recommended.
	Implement *Claim
	Doc       string `yaml:"-"` // doc.go of the models: what they are, and how the paper is read
}

// All returns the claims, with what to implement as the last.
func (p *Paper) All() []*Claim {
	all := make([]*Claim, 0, len(p.Claims)+1)
	for i := range p.Claims {
		all = append(all, &p.Claims[i])
	}
	if p.Implement != nil {
		all = append(all, p.Implement)
	}
	return all
}

// A Source is where a paper was published.
type Source struct {
	Authors, Title string
	Venue          string // series or journal, number, pages
	Year           string
	ID             string // DOI, or another identifier that lasts
	URL            string // without its scheme; "" if ID says it
	// Further are sources that the paper refers to for what it does not say itself, each with what identifies
	// the version that was read.
	Further []string
}

// String is the short form: authors, title, year.
func (s Source) String() string { return strings.Join([]string{s.Authors, s.Title, s.Year}, ", ") }

// Published is where the paper was published.
func (s Source) Published() string {
	parts := []string{s.Authors, "*" + s.Title + "*", s.Venue, s.Year, s.ID}
	if s.URL != "" {
		parts = append(parts, "<https://"+s.URL+">")
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// A Ruling is the verdict on a claim in a word. Claim.Because has what it needs besides.
type Ruling string

// The rulings.
const (
	Erroneous      Ruling = "error"                   // the claim fails in every reading
	ErroneousUnder Ruling = "error under"             // it fails in Claim.Readings, and not in all
	Slip           Ruling = "slip of the listing"     // the paper's text, which Because cites, says otherwise
	Outside        Ruling = "outside the assumptions" // it fails only where those of Because are not met
	Quoted         Ruling = "another paper's claim"   // of the one that Because names
	Stands         Ruling = "holds"                   // in all instances listed, each explored to the end
	Simulated      Ruling = "judged by simulation"    // each row is a sentence, held against measurements
	NotJudged      Ruling = "not judged"              // Because gives the reason
)

// Rows says what the rulings demand of the rows of the claim itself: that some is violated, or that none is.
var Rows = map[Ruling]string{
	Erroneous: "violated", ErroneousUnder: "violated", Slip: "violated",
	Outside: "not violated", NotJudged: "not violated", Stands: "holds",
}

// A Claim is a statement of a paper, with the instances that test it and what the answers mean.
type Claim struct {
	Name string // "Lemma 1"
	// Place, Page and Line are where the paper has it: "section 5.2", "11", "Algorithm 1, lines 17-19".
	Place, Page, Line string
	Text              string // what it says, in our own words
	Ruling            Ruling
	Because           string // what the ruling needs; see there
	// Readings are the settings, such as "variant=a", under which it is an error. Each has a violated row.
	Readings []string
	// Within restricts the instances of the tables to the assumptions of the claim, as conditions: "f<k".
	Within string
	Trials []Trial
	// Account describes the counterexample in plain language; "" if there is none. Repair says what makes the
	// claim hold. Both Markdown. What either says of the tables is said by Statements, which are tested.
	Account    string
	Repair     string
	Statements []Statement
}

// An Aside is why a trial does not count for the verdict on its claim.
type Aside string

// The asides.
const (
	Repaired  Aside = "repaired"                // a repaired reading, not what the paper prints
	Contrast  Aside = "for contrast"            // what a supposition, or a part of a repair, is worth
	Unassumed Aside = "outside the assumptions" // of the paper
)

// A Trial is one question about one instance. The answers are kept beside the pages.
type Trial struct {
	Spec     string // by name
	Args     string // "n=3 k=2"
	Property string
	Aside    Aside // "": the trial is of the claim itself
	// Within restricts the instances that can refute the row, beside the claim's: "channel=fifo".
	Within string
	// Experiment and Sentence, if not "", answer in place of a search: the claim of that name of the
	// experiment of that name. Spec and Property are empty then.
	Experiment, Sentence string
	Limit                int64 // states after which the search gives up; 0: none
	Lost                 bool  // asks also from how many states the goal, a can-... property, is out of reach
	// Computed, if not "", names a computation in the tests that answers in place of a search, for a claim
	// about sets and numbers and not about runs. How is a command that shows an example of it.
	Computed string
	How      string
	Remark   string // what the figures do not say, a sentence; mostly ""
}

// Searches reports whether the trial is answered by a search.
func (t *Trial) Searches() bool { return t.Computed == "" && t.Experiment == "" }

// A Statement is a sentence about all instances of a paper's tables that meet some conditions. The pages
// print it with the number of these instances, and a test holds it against every one.
type Statement struct {
	Says  string // "With repair=full every property holds."
	Spec  string // the model; its tables are meant
	Where string // conditions on the parameters, all to be met, separated by blanks; see package cond
	// Properties are columns, separated by commas; "" all of the tables, less those after a minus sign:
	// "-no-lost-request".
	Properties string
	Verdict    Extent
}

// An Extent says of how many instances a statement is one.
type Extent string

// The extents.
const (
	Everywhere Extent = "holds"            // in each instance explored to the end, and it is violated in none
	Nowhere    Extent = "violated"         // in each instance
	Somewhere  Extent = "violated in some" // instance, and not in all
	// NotSeen, less than Everywhere, may be said of instances that were explored within bounds only.
	NotSeen Extent = "not seen to be violated"
)

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

// Key is the name of a claim on the command line and in links: lower-case letters, digits, hyphens and
// underscores.
func (c *Claim) Key() string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, strings.ToLower(c.Name))
}

// Where is the place of a claim in its paper.
func (c *Claim) Where() string {
	parts := []string{c.Place}
	if c.Page != "" {
		parts = append(parts, "page "+c.Page)
	}
	if c.Line != "" {
		parts = append(parts, c.Line)
	}
	return strings.Join(parts, ", ")
}

// Columns are the properties that a statement is about, of the columns of a table.
func (s *Statement) Columns(all []string) []string {
	if s.Properties != "" && !strings.HasPrefix(s.Properties, "-") {
		return strings.Split(s.Properties, ",")
	}
	less := strings.Split(strings.TrimPrefix(s.Properties, "-"), ",")
	return slices.DeleteFunc(slices.Clone(all), func(c string) bool { return slices.Contains(less, c) })
}
