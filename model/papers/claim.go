package papers

import (
	"slices"
	"strings"
	"sync"
)

// A Paper is a source whose claims are judged. The specs that come from it share it.
type Paper struct {
	Name   string // of the page that is written about it, and on the command line
	Source Source
	Intro  string // what a reader of the page should know first; Markdown
	// Inventory lists what the paper claims, for the page; nil: the page has no such list.
	Inventory Inventory
	Doc       string // the file doc.go of the models: what they are, and how the paper is read
	Claims    []Claim
	Tables    []Table
	// Sizes are the parameters that say how large an instance is and what its
	// surroundings do. All others are readings of the paper: a verdict on a claim is one
	// on every size of the tables, in the readings named.
	Sizes []string
	// Assumes are conditions (Statement.Where) that instances meet, if they have the parameters, which are to
	// refute what the page says: what the paper assumes throughout.
	Assumes string
	// Implement is what an implementer should take: the algorithm with all repairs.
	// Nil: nothing is recommended yet.
	Implement *Claim
	// Read fills in what is kept in a file, Intro, Inventory, Claims, Tables and Implement, when they are
	// first asked for: see Open. Nil: all is here.
	Read func(*Paper)
}

var opening sync.Mutex

// Open returns p with all that is kept in its file.
func (p *Paper) Open() *Paper {
	opening.Lock()
	defer opening.Unlock()
	if read := p.Read; read != nil {
		p.Read = nil
		read(p)
	}
	return p
}

// A Source is where a paper was published.
type Source struct {
	Authors string // "Bouillaguet, Arantes, Sens"
	Title   string
	Venue   string // series or journal, number, pages
	Year    string
	ID      string // DOI, or another identifier that lasts
	URL     string // without its scheme; "" if ID says it
	// Further are sources that the paper refers to for what it does not say itself, each
	// with what identifies the version that was read.
	Further []string
}

// String is the short form: authors, title, year.
func (s Source) String() string {
	if s.Year == "" {
		return s.Authors + ", " + s.Title
	}
	return s.Authors + ", " + s.Title + ", " + s.Year
}

// A Ruling is the verdict on a claim in a word. What it needs besides is in
// Claim.Because.
type Ruling string

const (
	// Erroneous says that the claim fails in every reading (Claim.Readings).
	Erroneous Ruling = "error"
	// ErroneousUnder says that it fails in the readings named, and not in all.
	ErroneousUnder Ruling = "error under"
	// Slip says that what is printed fails, and the paper's own text says otherwise;
	// Because cites where.
	Slip Ruling = "slip of the listing"
	// Outside says that it fails only where its assumptions are not met; Because names them.
	Outside Ruling = "outside the assumptions"
	// Quoted says that the paper takes the claim from another one, which Because names.
	Quoted Ruling = "another paper's claim"
	// Stands says that it holds in all instances listed, each explored to the end.
	Stands Ruling = "holds"
	// Simulated says that it is about measurements, and that each row is a sentence of it, held against
	// simulated runs by an experiment.
	Simulated Ruling = "judged by simulation"
	// NotJudged says that nothing is said; Because gives the reason.
	NotJudged Ruling = "not judged"
)

// A Claim is a statement of a paper, with the instances that test it and what the
// answers mean.
type Claim struct {
	Name string // "Lemma 1"
	// Place, Page and Line are where the paper has it: "section 5.2", "11", "Algorithm 1,
	// lines 17-19" or "second paragraph".
	Place, Page, Line string
	Text              string // what it says, in our own words
	Ruling            Ruling
	Because           string // what the ruling needs; see there
	// Readings are those of which an error is one, as settings: "variant=a". Each has
	// a violated row.
	Readings []string
	// Within restricts the instances of the tables of which the claim is one to those that
	// meet its assumptions, as conditions (Statement.Where): "f<k".
	Within string
	Trials []Trial
	// Account tells the counterexample in plain language; "" if there is none. Repair
	// says what makes the claim hold. Both Markdown. What either says of the tables is
	// said by Statements, which are tested.
	Account    string
	Repair     string
	Statements []Statement
}

// An Aside is why a trial does not count for the verdict on its claim.
type Aside string

const (
	// Repaired says that the instance is a repaired reading, not what the paper prints.
	Repaired Aside = "repaired"
	// Contrast says that it shows what a supposition of the claim, or a part of a repair, is worth.
	Contrast Aside = "for contrast"
	// Unassumed says that it is outside of what the paper assumes.
	Unassumed Aside = "outside the assumptions"
)

// A Trial is one question about one instance. The answers are kept beside the pages, as
// the command has written them; a different one is a changed finding, which the tests
// report.
type Trial struct {
	Spec     string // by name
	Args     string // "n=3 k=2"
	Property string
	Aside    Aside // "": the trial is of the claim itself
	// Experiment and Sentence, if not "", answer in place of a search: by the claim of that name of the
	// experiment of that name. Spec and Property are empty then.
	Experiment, Sentence string
	// Limit is the number of states after which the search gives up; 0: none.
	Limit int64
	// Lost asks also from how many states the goal, a Reachable property, is out of reach.
	Lost bool
	// Compute, if not nil, answers in place of a search: for claims about sets and
	// numbers and not about runs. Spec and Property may be empty then, and How is another
	// command that shows an example of it, without the name of the program; "" if there is none.
	Compute func() Finding `yaml:"-"`
	How     string
	// Computed is the name of Compute in the file of the paper's claims; see paperfile.Reader.
	Computed string
	// Remark is what the figures do not say, a sentence; mostly "".
	Remark string
}

// A Finding is the answer to a trial.
type Finding struct {
	// Verdict is holds, violated or unknown; of simulated runs reproduced, not reproduced, depends or
	// undecided.
	Verdict string `json:"verdict"`
	// Explored says how much was looked at: "complete", within which bounds, or where the
	// search stopped.
	Explored string `json:"explored"`
	// States visited; the search ends at a violation of the property asked about.
	States int64 `json:"states"`
	// Length is the number of steps of the shortest counterexample or, for a Reachable
	// property that holds, of the shortest run to the goal.
	Length int `json:"steps"`
	// Pruned counts the steps that an assumption on runs forbids, Stuck the states that
	// are left with no other: they belong to no run that keeps the assumption.
	Pruned int64 `json:"pruned,omitempty"`
	Stuck  int64 `json:"stuck,omitempty"`
	// Detail is what else was asked for: "out of reach from 3 of 12 states", or the numbers of an experiment,
	// in lines.
	Detail string `json:"detail,omitempty"`
}

// Searches reports whether the trial is answered by a search.
func (t *Trial) Searches() bool { return t.Compute == nil && t.Experiment == "" }

// A Statement is a sentence about all instances of a paper's tables that meet some
// conditions. The pages print it with the number of these instances, and a test holds it
// against every one.
type Statement struct {
	Says string // "With repair=full every property holds."
	Spec string // the model; its tables are meant
	// Where are conditions on the parameters, separated by spaces and all to be met:
	// "repair=full", "list!=literal/auto", "f<k", "f<=n-min-k". Alternatives of = and !=
	// are separated by slashes; the others compare numbers, sums of numbers and of
	// parameters.
	Where string
	// Properties are columns, separated by commas; "" all of the tables, less those after
	// a minus sign: "-no-lost-request".
	Properties string
	Verdict    Extent
}

// An Extent says of how many instances a statement is one.
type Extent string

const (
	// Everywhere says that each property holds in each instance that was explored to the end, and
	// is violated in none.
	Everywhere Extent = "holds"
	// Nowhere says that each property is violated in each instance.
	Nowhere Extent = "violated"
	// Somewhere says that each property is violated in some instance, and not in all.
	Somewhere Extent = "violated in some"
	// NotSeen says that each property is violated in none. Less than Everywhere, it may be said
	// of instances that were explored within bounds only.
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

// Key is the name of a claim on the command line and in links: lower-case letters,
// digits, hyphens and underscores.
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

// Columns are the properties of a statement, of those that a table has.
func (s *Statement) Columns(all []string) []string {
	if s.Properties != "" && !strings.HasPrefix(s.Properties, "-") {
		return strings.Split(s.Properties, ",")
	}
	left := strings.Split(strings.TrimPrefix(s.Properties, "-"), ",")
	var columns []string
	for _, c := range all {
		if !slices.Contains(left, c) {
			columns = append(columns, c)
		}
	}
	return columns
}
