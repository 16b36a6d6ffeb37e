// Package paperfile reads what is kept of a paper in a file: its claims, the tables of instances, and the
// list of what it claims. What is computed is in Go, and is named there.
package paperfile

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/atmostk/atmostk/model/papers"
)

// text is what a file has, in YAML. The keys are the fields' names in lower-case letters.
type text struct {
	Intro     string
	Inventory []struct{ What, Claim string } // the key of the claim: see papers.Claim.Key
	Claims    []papers.Claim
	Tables    []papers.Table
	Implement *papers.Claim
}

// Reader returns what reads the file of a paper, for papers.Paper.Read. The trials of it that name a
// computation have that of this name. A file that cannot be read is a mistake of the program: reading
// panics and says what is wrong.
func Reader(file []byte, computed map[string]func() papers.Finding) func(*papers.Paper) {
	return func(p *papers.Paper) {
		if err := read(p, file, computed); err != nil {
			panic(fmt.Sprintf("the claims of %s: %v", p.Name, err))
		}
	}
}

func read(p *papers.Paper, file []byte, computed map[string]func() papers.Finding) error {
	var t text
	d := yaml.NewDecoder(bytes.NewReader(file))
	d.KnownFields(true)
	if err := d.Decode(&t); err != nil {
		return err
	}
	p.Intro, p.Claims, p.Tables, p.Implement = t.Intro, t.Claims, t.Tables, t.Implement
	claims := make([]*papers.Claim, 0, len(t.Claims)+1)
	for i := range p.Claims {
		claims = append(claims, &p.Claims[i])
	}
	if p.Implement != nil {
		claims = append(claims, p.Implement)
	}
	if err := compute(claims, computed); err != nil {
		return err
	}
	for _, item := range t.Inventory {
		i := slices.IndexFunc(claims, func(c *papers.Claim) bool { return c.Key() == item.Claim })
		if i < 0 {
			return fmt.Errorf("the inventory, %q: there is no claim %s", item.What, item.Claim)
		}
		p.Inventory = append(p.Inventory, papers.Item{What: item.What, Claim: claims[i]})
	}
	return nil
}

// asides are why a trial may not count; "": it does.
var asides = []papers.Aside{"", papers.Repaired, papers.Contrast, papers.Unassumed}

// compute gives the trials that name a computation theirs. Each that there is has to be named.
func compute(claims []*papers.Claim, computed map[string]func() papers.Finding) error {
	named := map[string]bool{}
	for _, c := range claims {
		for i := range c.Trials {
			t := &c.Trials[i]
			if !slices.Contains(asides, t.Aside) {
				return fmt.Errorf("%s, row %d: aside %q; allowed are %q", c.Name, i+1, t.Aside, asides)
			}
			if t.Computed == "" {
				continue
			}
			if t.Compute = computed[t.Computed]; t.Compute == nil {
				return fmt.Errorf("%s, row %d: nothing computes %q", c.Name, i+1, t.Computed)
			}
			named[t.Computed] = true
		}
	}
	for name := range computed {
		if !named[name] {
			return fmt.Errorf("no row asks for what %q computes", name)
		}
	}
	return nil
}
