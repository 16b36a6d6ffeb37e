package paper

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Names are the papers below the folder specs of the repository at root.
func Names(root string) (names []string) {
	files, _ := filepath.Glob(filepath.Join(root, "specs", "*", "claims.yaml")) // the pattern is well-formed
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	return names
}

// Read reads what is said about a paper; the error says what is wrong with the file.
func Read(root, name string) (*Paper, error) {
	folder := filepath.Join(root, "specs", name)
	text, err := os.ReadFile(filepath.Join(folder, "claims.yaml"))
	if err != nil {
		return nil, err
	}
	p := &Paper{Name: name}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err = d.Decode(p)
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return nil, fmt.Errorf("the claims of %s: %w", name, err)
	}
	doc, err := os.ReadFile(filepath.Join(folder, "doc.go"))
	p.Doc = string(doc)
	return p, err
}

var asides = []Aside{"", Repaired, Contrast, Unassumed}

// check returns what is wrong: an inventory that leads to no claim, or leaves one out, and unknown words.
func (p *Paper) check() error {
	led := map[string]bool{}
	for _, item := range p.Inventory {
		led[item.Claim] = true
		if !slices.ContainsFunc(p.Claims, func(c Claim) bool { return c.Key() == item.Claim }) {
			return fmt.Errorf("the inventory, %q: there is no claim %s", item.What, item.Claim)
		}
	}
	for _, c := range p.All() {
		if !led[c.Key()] && c != p.Implement {
			return fmt.Errorf("no item of the inventory leads to %q", c.Name)
		}
		for i := range c.Trials {
			if !slices.Contains(asides, c.Trials[i].Aside) {
				return fmt.Errorf("%s, row %d: aside %q; allowed are %q", c.Name, i+1, c.Trials[i].Aside,
					asides)
			}
		}
	}
	return nil
}
