package starfile

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
)

// Symmetry of systems: the members of a set may be exchanged. The file declares which values are members, and
// their places in a state follow from the types. A word is a member wherever it stands. A number is one in a
// type, or in a place of tuples, that has the numbers of the members and no others. If that is wrong, two
// states that should be alike are not, and the purity checks of model find it as for a model in Go.

// An exchange is about all members, of all sets of members that may be exchanged: what a state looks like to
// a member does not depend on the order of the members of another set.
type exchange struct {
	members []member
	root    *exchanged
	sizes   []int // of the sets, whose members follow each other
}

// A member is a word or a number, in a set.
type member struct {
	text   string
	number bool
	set    int
}

// maxImages bounds the table of a type with members: its values times the pairs of members.
const maxImages = 1 << 20

// symmetry reads the argument symmetric; nil if it is empty.
func (s *system) symmetry(set *settings) *exchange {
	x := &exchange{}
	for i, group := range set.list("symmetric") {
		values, err := elements(group)
		if err != nil || len(values) == 0 {
			set.fail("symmetric holds %s; allowed: lists of members, such as symmetric = [THREADS]",
				short(group))
			return nil
		}
		x.sizes = append(x.sizes, len(values))
		for k, text := range textsOf(values) {
			if slices.ContainsFunc(x.members, func(m member) bool { return m.text == text }) {
				set.fail("symmetric: %s is listed twice; a member is in one list", text)
			}
			_, number := values[k].(starlark.Int)
			x.members = append(x.members, member{text, number, i})
		}
	}
	if len(x.members) == 0 {
		return nil
	}
	var err error
	if x.root, err = x.node(s.state); err != nil {
		set.fail("symmetric: %v", err)
	} else if x.root == nil {
		set.fail("symmetric: no variable has the members as keys or values")
	} else {
		x.root.at = s.places
	}
	return x
}

// symmetries are the symmetries for states of type S.
func symmetries[S vectors](x *exchange) (syms []model.Symmetry[S]) {
	if x == nil {
		return nil
	}
	first := 0
	for _, size := range x.sizes {
		from := first
		syms = append(syms, model.Symmetry[S]{
			Size:   size,
			Colour: func(s *S, i int) uint64 { return x.root.colour(wordsOf(s), 0, from+i) },
			Swap:   func(s *S, i, j int) { x.root.swap(wordsOf(s), 0, from+i, from+j) },
		})
		first += size
	}
	return syms
}

// An exchanged is a type whose values have members in them.
type exchanged struct {
	t     *valueType
	moves *images      // of the values, of the elements of a set, or of the keys of an array; nil: no members
	parts []*exchanged // of the elements, or of the fields; nil elements have no members
	at    []int        // of a record: the first bits of the fields
}

// images are what exchanges make of some listed values.
type images struct {
	places [][][]int  // by members i and j of one set: the places of the values after their exchange
	seen   [][]uint64 // by member and place: what is left of a value if it shows only one member
}

// node returns where members stand in values of a type; nil: nowhere.
func (x *exchange) node(t *valueType) (n *exchanged, err error) {
	n = &exchanged{t: t}
	switch t.is {
	case numbers, listed:
		n.moves, err = x.images(valuesOf(t))
	case sets:
		n.moves, err = x.images(t.all)
	case arrays:
		n.moves, err = x.images(t.key.values)
	case records:
		for at := 0; len(n.parts) < len(t.types); at += t.types[len(n.parts)-1].bits {
			part, wrong := x.node(t.types[len(n.parts)])
			n.parts, n.at, err = append(n.parts, part), append(n.at, at), cmp.Or(err, wrong)
		}
	}
	if t.is == arrays || t.is == lists || t.is == optionals {
		part, wrong := x.node(t.of)
		n.parts, err = []*exchanged{part}, cmp.Or(err, wrong)
	}
	if n.moves == nil && !slices.ContainsFunc(n.parts, func(p *exchanged) bool { return p != nil }) {
		return nil, err
	}
	return n, err
}

// form returns a listed value with the set of a member in its place, and the members.
func (x *exchange) form(v starlark.Value, values []starlark.Value) (form string, members []int) {
	var words []string
	for i, part := range tupleOf(v) {
		word := textsOf([]starlark.Value{part})[0]
		_, number := part.(starlark.Int)
		k := slices.IndexFunc(x.members, func(m member) bool { return m.text == word && m.number == number })
		if k >= 0 && (!number || x.exactly(values, v, i)) {
			word, members = fmt.Sprint("|", x.members[k].set), append(members, k) // no word has a bar
		}
		words = append(words, word)
	}
	return strings.Join(words, ","), members
}

// tupleOf returns the parts of a tuple; another value is the only one.
func tupleOf(v starlark.Value) starlark.Tuple {
	if t, is := v.(starlark.Tuple); is {
		return t
	}
	return starlark.Tuple{v}
}

// exactly reports whether place i of the values that are tuples like v has numbers of members only, and of
// each of their sets all.
func (x *exchange) exactly(values []starlark.Value, v starlark.Value, i int) bool {
	found, sets, like := make([]bool, len(x.members)), make([]bool, len(x.sizes)), tupleOf(v)
	for _, w := range values {
		t := tupleOf(w)
		if len(t) != len(like) || i > 0 && like[0].Type() == "string" && t[0] != like[0] {
			continue
		}
		text := textsOf(t[i : i+1])[0]
		k := slices.IndexFunc(x.members, func(m member) bool { return m.text == text && m.number })
		if k < 0 {
			return false
		}
		found[k], sets[x.members[k].set] = true, true
	}
	for k, m := range x.members {
		if sets[m.set] && !found[k] {
			return false
		}
	}
	return true
}

// images returns what exchanges make of some values; nil: they have no members.
func (x *exchange) images(values []starlark.Value) (*images, error) {
	n, moves := len(x.members), false
	forms, members, places := make([]string, len(values)), make([][]int, len(values)), map[string]int{}
	for k, v := range values {
		forms[k], members[k] = x.form(v, values)
		places[fmt.Sprint(forms[k], members[k])] = k
		moves = moves || len(members[k]) > 0
	}
	if !moves {
		return nil, nil
	}
	if n*n*len(values) > maxImages {
		return nil, fmt.Errorf("a type of %d values has members; allowed are %d", len(values),
			maxImages/(n*n))
	}
	m := &images{places: make([][][]int, n), seen: make([][]uint64, n)}
	for i := range n {
		m.seen[i], m.places[i] = make([]uint64, len(values)), make([][]int, n)
		for k := range values {
			h := fnv.New64a() // the same on every machine: representatives are stored in files
			_, _ = h.Write([]byte(forms[k]))
			m.seen[i][k] = h.Sum64()
			for _, q := range members[k] {
				mine := uint64(0)
				if q == i {
					mine = 1
				}
				m.seen[i][k] = mix(m.seen[i][k], mine)
			}
		}
		for j := range n {
			if x.members[i].set != x.members[j].set {
				continue
			}
			for k, v := range values {
				after := slices.Clone(members[k])
				for at, q := range after {
					switch q {
					case i:
						after[at] = j
					case j:
						after[at] = i
					}
				}
				place, found := places[fmt.Sprint(forms[k], after)]
				if !found {
					return nil, fmt.Errorf("%s is a value of a type; with %s and %s exchanged it is not: "+
						"list both", short(v), x.members[i].text, x.members[j].text)
				}
				m.places[i][j] = append(m.places[i][j], place)
			}
		}
	}
	return m, nil
}

// swap exchanges two members in the value whose first bit is at.
func (n *exchanged) swap(w []uint32, at, i, j int) {
	var to []int
	if n.moves != nil {
		to = n.moves.places[i][j]
	}
	switch n.t.is {
	case numbers, listed:
		setBits(w, at, n.t.bits, uint64(to[min(int(bitsAt(w, at, n.t.bits)), len(to)-1)]))
	case sets, arrays:
		size := 1
		if n.t.is == arrays {
			size = n.t.of.bits
		}
		for k, other := range to {
			if k < other { // an exchange is its own inverse
				swapBits(w, at+k*size, at+other*size, size)
			}
		}
	}
	for k, part := range n.partsAt(w, at) {
		part.swap(w, k, i, j)
	}
}

// partsAt yields the parts with members of the value at a bit, each with its first bit.
func (n *exchanged) partsAt(w []uint32, at int) func(yield func(int, *exchanged) bool) {
	return func(yield func(int, *exchanged) bool) {
		count, first := len(n.parts), at
		switch n.t.is {
		case optionals:
			count, first = int(bitsAt(w, at, 1)), at+1
		case lists:
			size := bitsFor(n.t.most + 1)
			count, first = min(int(bitsAt(w, at, size)), n.t.most), at+size
		case arrays:
			count = n.t.fixed()
		}
		for k := range count {
			part, from := n.parts[min(k, len(n.parts)-1)], first
			if n.t.is == records {
				from += n.at[k]
			} else {
				from += k * n.t.of.bits
			}
			if part != nil && !yield(from, part) {
				return
			}
		}
	}
}

// colour summarises the value at a bit as member i sees it. If members are exchanged, so are their colours.
func (n *exchanged) colour(w []uint32, at, i int) (h uint64) {
	switch n.t.is {
	case numbers, listed:
		return n.moves.seen[i][min(int(bitsAt(w, at, n.t.bits)), len(n.moves.seen[i])-1)]
	case sets:
		for k := 0; k < n.t.bits; k += 32 {
			for some := bitsAt(w, at+k, min(32, n.t.bits-k)); some != 0; some &= some - 1 {
				h += n.moves.seen[i][k+bits.TrailingZeros64(some)] // in any order
			}
		}
		return h
	case arrays:
		for k := range n.t.fixed() {
			first := at + k*n.t.of.bits
			var element uint64
			if n.parts[0] != nil {
				element = n.parts[0].colour(w, first, i)
			} else {
				for b := 0; b < n.t.of.bits; b += 32 {
					element = mix(element, bitsAt(w, first+b, min(32, n.t.of.bits-b)))
				}
			}
			if n.moves == nil {
				h = mix(h, element)
			} else {
				h += mix(n.moves.seen[i][k], element) // in any order
			}
		}
		return h
	}
	for k, part := range n.partsAt(w, at) {
		h = mix(mix(h, uint64(k-at)), part.colour(w, k, i))
	}
	return h
}

// mix combines two numbers, in this order. Colours only order members: another hash gives other
// representatives and the same counts.
func mix(a, b uint64) uint64 {
	h := (a ^ 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	h = (h ^ h>>33 ^ b) * 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// bitsAt returns up to 32 bits.
func bitsAt(w []uint32, at, n int) uint64 {
	if n == 0 {
		return 0 // at may be the end
	}
	x := uint64(w[at/32])
	if at%32+n > 32 {
		x |= uint64(w[at/32+1]) << 32
	}
	return x >> (at % 32) & (1<<n - 1)
}

// setBits replaces up to 32 bits.
func setBits(w []uint32, at, n int, x uint64) {
	for n > 0 {
		in := min(n, 32-at%32)
		mask := uint32(1<<in-1) << (at % 32)
		w[at/32] = w[at/32]&^mask | uint32(x)<<(at%32)&mask
		x, n, at = x>>in, n-in, at+in
	}
}

// swapBits exchanges n bits at two places.
func swapBits(w []uint32, a, b, n int) {
	for k := 0; k < n; k += 32 {
		in := min(32, n-k)
		x, y := bitsAt(w, a+k, in), bitsAt(w, b+k, in)
		setBits(w, a+k, in, y)
		setBits(w, b+k, in, x)
	}
}
