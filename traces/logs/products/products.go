// Package products recognises the logs of programs and libraries by their texts, and finds the message, the
// time and the node in their lines.
package products

import (
	"bytes"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// A Product is a program or library whose logs are recognised by their texts; products.yaml describes the
// fields.
type Product struct {
	Name, Calls, Read string
	// Node, Resource and Pair are expressions for these groups, wherever they are in a line; nil: none.
	Node, Resource, Pair *regexp.Regexp
	// Words: its texts are words of many programs, so that somebody has to confirm the reading.
	Words   bool
	Order   string // "lines", or ""
	Refuses string // why its logs cannot be judged; "": they can
	Texts   []text
	Also    []string `yaml:"-"` // other products that the logs may be of
}

// A text says what a line means that has it.
type text struct {
	As, Has string
	Text    *regexp.Regexp

	has []byte
}

//go:embed products.yaml
var productFile []byte

// products lists the products of products.yaml.
var products = sync.OnceValue(func() (all []*Product) {
	d := yaml.NewDecoder(bytes.NewReader(productFile))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil {
		panic(err) // cannot happen: the file is embedded, and tests read it
	}
	for _, p := range all {
		for i := range p.Texts {
			p.Texts[i].has = []byte(p.Texts[i].Has)
		}
	}
	return all
})

// Recognise returns the product with the most lines in the beginnings of files that acquire a lock; nil: no
// product has one.
func Recognise(starts [][]byte) *Product {
	acquired := map[*Product]int{}
	for _, start := range starts {
		for line := range bytes.Lines(start) {
			w := unwrap(line)
			for _, p := range products() {
				if t, _ := p.find(w.text); t != nil && slices.Contains(acquiring, t.As) {
					acquired[p]++
				}
			}
		}
	}
	var best *Product
	for _, p := range products() {
		if acquired[p] > 0 && (best == nil || acquired[p] > acquired[best] && !p.Words) {
			best = p
		}
	}
	if best == nil {
		return nil
	}
	found := *best
	for _, p := range products() {
		if p != best && acquired[p] > 0 && !p.Words {
			found.Also = append(found.Also, p.Name)
		}
	}
	return &found
}

// acquiring are the values of As that acquire a lock.
var acquiring = strings.Fields("acquire wait wait-xact acquire-xact try try-xact")

// find returns the first text that matches a message, with the places of its groups; nil: none does.
func (p *Product) find(message []byte) (*text, []int) {
	for i := range p.Texts {
		t := &p.Texts[i]
		if bytes.Contains(message, t.has) {
			if at := t.Text.FindSubmatchIndex(message); at != nil {
				return t, at
			}
		}
	}
	return nil, nil
}

// A Match is a line with a text of a product. Empty texts are unknown.
type Match struct {
	As                         string // as in products.yaml
	Node, Resource, Pair, Time string
	Shared                     bool
}

// Line returns the match of a line. If no text matches, it returns the kind of the line. node, if not nil,
// has a group for the node.
func (p *Product) Line(line []byte, node *regexp.Regexp) (m *Match, kind string) {
	w := unwrap(line)
	t, at := p.find(w.text)
	if t == nil {
		return nil, kindOf(w.text)
	}
	m = &Match{As: t.As, Node: w.node, Time: w.time}
	has := func(group string) (i int, is bool) {
		i = t.Text.SubexpIndex(group)
		return i, i > 0 && at[2*i] >= 0
	}
	_, m.Shared = has("shared")
	for _, find := range []struct {
		group string
		re    *regexp.Regexp
		to    *string
	}{{"node", p.Node, &m.Node}, {"resource", p.Resource, &m.Resource}, {"pair", p.Pair, &m.Pair}} {
		if i, is := has(find.group); is {
			*find.to = strings.Join(strings.Fields(string(w.text[at[2*i]:at[2*i+1]])), " ")
		}
		if find.re != nil && *find.to == "" {
			*find.to = FirstGroup(find.re, w.text)
		}
	}
	if node != nil {
		m.Node = FirstGroup(node, w.text)
	}
	if m.Time == "" {
		m.Time = timeOf(w.text)
	}
	return m, ""
}

// FirstGroup returns the first group of an expression that matched; "": none did.
func FirstGroup(re *regexp.Regexp, text []byte) string {
	if m := re.FindSubmatch(text); m != nil {
		for _, group := range m[1:] {
			if len(group) > 0 {
				return string(group)
			}
		}
	}
	return ""
}
