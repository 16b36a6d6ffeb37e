// Package claims judges the claims of papers about algorithms that are models here. The claims of a paper are
// data, specs/PAPER/claims.yaml: a [Paper] has claims, each with a [Ruling] and with rows that test it, and
// tables of instances, about which statements are tested. The answers are data too, in docs/claims:
// PAPER-claims.ndjson has the verdicts, PAPER-rows.ndjson the rows, PAPER-tables.ndjson the tables, and the
// folder PAPER the counterexamples.
package claims

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/tools/paperdocs/rows"
)

// A Paper is a source whose claims are judged.
type Paper struct {
	Name string `yaml:"-"` // of its folder below specs
	// Sizes are the parameters that give the size of an instance and its environment. All others are
	// readings of the paper: a verdict covers every size of the tables, in the readings named.
	Sizes []string
	// Assumes are the conditions that the paper assumes throughout: instances that may refute it meet them,
	// if they have the parameters.
	Assumes string
	// Inventory lists every numbered statement, bound and figure of the paper, with the key of its claim.
	Inventory []struct{ Item, Claim string }
	Claims    []*Claim
	Tables    []Table
	// Implement is about the algorithm with all repairs; nil: there is no such algorithm.
	Implement *Claim
	Instances []*Instance `yaml:"-"` // the rows of the tables
	root      string      // of the repository
}

// A Ruling is the verdict on a claim.
type Ruling string

// The rulings. Claim.Because gives a reason where one is needed.
const (
	False      Ruling = "false"                   // in every reading
	FalseUnder Ruling = "false under"             // Claim.Readings, or the reading of Because, and not in all
	Gap        Ruling = "gap in the proof"        // a step of a proof is false; its claim need not be
	Misprint   Ruling = "misprint"                // the text of the paper, which Because cites, is right
	Outside    Ruling = "outside the assumptions" // false only where the assumptions of Because are not met
	Quoted     Ruling = "another paper's claim"   // Because names the paper
	Stands     Ruling = "holds"                   // in all instances listed, each explored to the end
	Simulated  Ruling = "judged by simulation"    // each row compares a sentence with measurements
	NotJudged  Ruling = "not judged"              // Because gives the reason
)

// demanded is the verdict that a ruling demands of the rows of the claim itself.
var demanded = map[Ruling]string{
	False: "violated", FalseUnder: "violated", Gap: "violated", Misprint: "violated",
	Outside: "not violated", NotJudged: "not violated", Stands: "holds",
}

// A Claim is a statement of a paper, with the rows that test it.
type Claim struct {
	Name string // "Lemma 1"
	// Place, Page and Line say where the paper has it: "section 5.2", "11", "Algorithm 1, lines 17-19".
	Place, Page, Line string
	Text              string // in our own words
	Ruling            Ruling
	Because           string
	// Readings are the settings, such as "variant=a", under which it is false. Each has a violated row.
	Readings []string
	// Within restricts the instances of the tables to the assumptions of the claim, as conditions: "f<k".
	Within     string
	Rows       []*Row
	Statements []*Statement
}

// A Table is a set of instances, each with a verdict on every property.
type Table struct {
	Name  string // "variants": of the section
	Doc   string // a sentence
	Spec  string
	Rows  []string // arguments; "variant=a/b" stands for one instance with each
	Limit int64    // states after which a search stops
	// Properties are the columns; nil: all that are not on request only.
	Properties []string
}

// Names are the papers below the folder specs of the repository at root.
func Names(root string) (names []string) {
	files, _ := filepath.Glob(filepath.Join(root, "specs", "*", "claims.yaml")) // the pattern is well-formed
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names
}

// Open reads the claims of a paper, with the answers and tables that the repository at root keeps.
func Open(root, name string) (*Paper, error) {
	text, err := os.ReadFile(filepath.Join(root, "specs", name, "claims.yaml"))
	if err != nil {
		return nil, err
	}
	p := &Paper{Name: name}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err = d.Decode(p); err == nil {
		if p.Implement != nil {
			p.Claims = append(p.Claims, p.Implement)
		}
		err = p.check()
	}
	if err == nil {
		err = p.load(root)
	}
	if err != nil {
		return nil, fmt.Errorf("the claims of %s: %w", name, err)
	}
	return p, nil
}

var asides = []Aside{"", Repaired, Contrast, Unassumed}

// check finds an inventory that leads to no claim or leaves one out, and unknown words.
func (p *Paper) check() error {
	listed := map[string]bool{}
	for _, item := range p.Inventory {
		listed[item.Claim] = true
		if !slices.ContainsFunc(p.Claims, func(c *Claim) bool { return c.Key() == item.Claim }) {
			return fmt.Errorf("the inventory, %q: there is no claim %s", item.Item, item.Claim)
		}
	}
	for _, c := range p.Claims {
		if !listed[c.Key()] && c != p.Implement {
			return fmt.Errorf("no item of the inventory leads to %q", c.Name)
		}
		for i, row := range c.Rows {
			if !slices.Contains(asides, row.Aside) {
				return fmt.Errorf("%s, row %d: aside %q; allowed are %q", c.Name, i+1, row.Aside, asides)
			}
		}
	}
	return nil
}

// load adds the answers and tables that are kept in the repository at root.
func (p *Paper) load(root string) error {
	p.root = root
	kept, err := rows.Read[Line](p.path("-rows.ndjson"))
	if err != nil {
		return err
	}
	found := map[string]*Line{}
	for i := range kept {
		found[kept[i].Command] = &kept[i]
	}
	for _, c := range p.Claims {
		for i, row := range c.Rows {
			row.claim, row.Number = c, i+1
			if err := row.open(root); err != nil {
				return fmt.Errorf("%s, row %d: %w", c.Name, row.Number, err)
			}
			if k := found[row.Command()]; k != nil {
				row.Kept, row.trace = &k.Finding, k.Trace
			}
		}
	}
	return p.readTables()
}

// path is a file of the paper in docs/claims: with the ending, or in the folder of its counterexamples.
func (p *Paper) path(end string) string { return filepath.Join(p.root, "docs", "claims", p.Name+end) }

// Choose returns the claims whose key begins with begin, all for ""; a number of a row above 0 must be one of
// a single claim.
func (p *Paper) Choose(begin string, row int) (chosen []*Claim, err error) {
	var keys []string
	for _, c := range p.Claims {
		if keys = append(keys, c.Key()); c.Key() == begin {
			chosen = []*Claim{c}
			break
		}
		if strings.HasPrefix(c.Key(), begin) {
			chosen = append(chosen, c)
		}
	}
	switch {
	case len(chosen) == 0:
		return nil, usage.Errorf("--claim=%s: %s has no such claim%s; it has %s", begin, p.Name,
			usage.Nearest(begin, keys), strings.Join(keys, ", "))
	case row > 0 && (len(chosen) > 1 || row > len(chosen[0].Rows)):
		return nil, usage.Errorf("--row=%d needs --claim with the key of one claim that has this row", row)
	}
	return chosen, nil
}

// Key names a claim on the command line and in links: lower-case letters, digits, hyphens and underscores.
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

// where is the place of a claim in its paper.
func (c *Claim) where() string {
	page := ""
	if c.Page != "" {
		page = "page " + c.Page
	}
	return joined(", ", c.Place, page, c.Line)
}

// joined joins the parts that are not empty.
func joined(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}
