package validate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs/products"
	"github.com/atmostk/atmostk/traces/printable"
)

// nodeOption names the node of a line.
const nodeOption = usage.Option("node")

// reading adds how the lines of a recognised product were read, and the lines that were left out.
func (r *Report) reading(add func(format string, a ...any)) {
	p := r.Log.Product
	if p == nil {
		return
	}
	node := "the node is the session, process or thread in the line"
	switch {
	case r.opt.Node == "" && r.Log.Guessed:
		node = "the node is the file"
	case r.opt.Node != "":
		node = "the node is " + r.opt.Node + map[bool]string{true: ", else the file"}[r.Log.Guessed]
	}
	order := map[bool]string{true: "; the order is the one of the lines, which one server wrote"}[r.Log.Lined]
	add("read as %s: %s; %s%s. The verdict rests on this reading; %s says another", p.Name, p.Calls, node,
		order, mappingOption)
	if left := r.leftOut(); left != "" {
		add("left out: %s", left)
	}
	switch r.guessed() {
	case "node":
		add("all lines are of one node, because they do not name one: is it %s, or a field or expression "+
			"for %s? Until that is said, nothing is accepted", usage.Option("node file"), nodeOption)
	case "words":
		add("these are words of many programs: does each such line mean that, and which node wrote it? %s "+
			"names the node and confirms the reading; until then nothing is accepted", nodeOption)
	case "product":
		add("the logs have lines of %s, too: %s names the lines of one of them. Until that is said, "+
			"nothing is accepted", strings.Join(p.Also, " and "), usage.Option("map only"))
	}
}

// guessed is the part of the reading of a product that nobody has confirmed and that may hide a violation:
// node, words or product; "": none.
func (r *Report) guessed() string {
	switch p := r.Log.Product; {
	case p == nil:
		return ""
	case len(p.Also) > 0:
		return "product"
	case p.Words && (r.opt.Node == "" || r.Log.Guessed):
		return "words"
	case r.Log.Guessed && len(r.Log.Nodes) < 2:
		return "node"
	}
	return ""
}

// maxKinds is the number of kinds of lines left out that are shown.
const maxKinds = 5

// leftOut lists the kinds of lines that were left out, the important ones first, and then the most frequent.
func (r *Report) leftOut() string {
	left := r.Log.LeftOut
	kinds := slices.SortedFunc(maps.Keys(left), func(a, b string) int {
		rank := map[bool]int{true: 0, false: 1}
		return cmp.Or(rank[products.Important(a)]-rank[products.Important(b)], left[b]-left[a],
			cmp.Compare(a, b))
	})
	var parts []string
	rest := r.Log.Skipped
	for _, kind := range kinds[:min(len(kinds), maxKinds)] {
		if kind != "" {
			parts = append(parts, fmt.Sprintf("%s of %q", printable.Plural(left[kind], "line"), kind))
			rest -= left[kind]
		}
	}
	if rest > 0 && len(parts) > 0 {
		parts = append(parts, printable.Plural(rest, "other line"))
	}
	return strings.Join(parts, ", ")
}
