package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPack: numbers that are laid out do not overlap and keep their values.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		sizes := make([]int, 1+r.IntN(2*MaxProcs+1))
		for i := range sizes {
			sizes[i] = r.IntN(33)
		}
		l := pack(sizes)
		v := make([]uint32, l.width)
		want := make([]uint32, len(sizes))
		for _, i := range r.Perm(len(sizes)) {
			if int(l.slots[i].bits) < sizes[i] {
				t.Fatalf("%v: slot %d has %d bits", sizes, i, l.slots[i].bits)
			}
			want[i] = r.Uint32() & l.slots[i].mask
			l.slots[i].set(v, 0, want[i])
		}
		for i, s := range l.slots {
			if s.get(v) != want[i] {
				t.Fatalf("%v: number %d is %d, want %d", sizes, i, s.get(v), want[i])
			}
		}
	}
}

// TestParts: the parts of a broadcast that a crash lets out.
func TestParts(t *testing.T) {
	sent := []Sent[string]{{3, "a"}, {1, "b"}, {1, "c"}, {2, "x"}, {1, "b"}}
	dead := SetOf(2)
	list := func(how CrashSends) (all []string) {
		parts(how, sent, dead, func(part []Sent[string]) { all = append(all, fmt.Sprint(part)) })
		slices.Sort(all)
		return all
	}
	if got := list(NoPart); got != nil {
		t.Errorf("none: %v", got)
	}
	// Units by ascending target: b (twice) and c to 1, a to 3; x goes to the dead.
	want := []string{"[{1 b} {1 b}]", "[{1 b} {1 c} {1 b}]"}
	if got := list(Prefix); !slices.Equal(got, want) {
		t.Errorf("prefix: %v, want %v", got, want)
	}
	want = []string{
		"[{1 b} {1 b}]", "[{1 b} {1 c} {1 b}]", "[{1 c}]",
		"[{3 a} {1 b} {1 b}]", "[{3 a} {1 c}]", "[{3 a}]",
	}
	if got := list(Subset); !slices.Equal(got, want) {
		t.Errorf("subset: %v, want %v", got, want)
	}
}

// TestChoice: every combination of picks is taken once, picks that depend on others too.
func TestChoice(t *testing.T) {
	var c Choice
	var got []string
	for again := true; again; again = c.again() {
		a := c.Pick(2)
		b := c.Pick(1 + 2*a)
		got = append(got, fmt.Sprint(a, b))
	}
	if want := []string{"0 0", "1 0", "1 1", "1 2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestMemo compares memo with a map.
func TestMemo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m memo
	want := map[uint64]uint64{}
	for range 20000 {
		k := 1 + r.Uint64N(1<<16)<<(r.Uint64N(3)*16)
		v, ok := m.get(k)
		if w, known := want[k]; ok != known || v != w {
			t.Fatalf("%d: %d, %v, want %d, %v", k, v, ok, w, known)
		}
		if !ok {
			want[k] = r.Uint64()
			m.put(k, want[k])
		}
	}
}

// TestRows compares rows, which grow in turn and reuse each other's places, with a map.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	cells := newRows[uint32]()
	spans := make([]rowSpan, 50)
	want := map[[2]uint32]uint32{}
	for range 20000 {
		i, key := r.Uint32N(50), r.Uint32N(40)<<r.Uint32N(4)
		for none := range uint32(320) {
			if cells.find(rowSpan{}, none) != nil {
				t.Fatalf("key %d is found in a row that holds nothing", none)
			}
		}
		got := cells.find(spans[i], key)
		if w, known := want[[2]uint32{i, key}]; (got != nil) != known || known && *got != w {
			t.Fatalf("row %d, key %d: %v, want %d, %v", i, key, got, w, known)
		}
		if got == nil {
			want[[2]uint32{i, key}] = r.Uint32()
			cells.put(&spans[i], key, want[[2]uint32{i, key}])
		}
	}
}

// TestListed: equal lists have one number, others have others, and all are kept.
func TestListed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	var lists listed
	lists.skip()
	want := map[string]uint32{}
	for range 5000 {
		list := make([]uint32, r.IntN(4))
		for i := range list {
			list[i] = r.Uint32N(6) << (8 * r.Uint32N(4))
		}
		id, isNew := lists.of(list)
		if w, known := want[fmt.Sprint(list)]; isNew == known || known && id != w || id == 0 {
			t.Fatalf("%v: number %d, new %v; want %d, known %v", list, id, isNew, w, known)
		}
		want[fmt.Sprint(list)] = id
		if !slices.Equal(lists.at(id), list) {
			t.Fatalf("number %d is %v, want %v", id, lists.at(id), list)
		}
	}
}

// TestUnstorable: states that cannot be told apart by their bytes are refused.
func TestUnstorable(t *testing.T) {
	type nested struct {
		A [3]struct{ X, Y uint8 }
		B uint16
	}
	for _, row := range []struct{ got, want string }{
		{refusal[[2]*uint8](), "model error: a state cannot hold a *uint8"},
		{refusal[struct{ S string }](), "model error: a state cannot hold a string"},
		{refusal[nested](), ""},
	} {
		if row.got != row.want {
			t.Errorf("got %q, want %q", row.got, row.want)
		}
	}
}

// refusal is why a system of such states is refused.
func refusal[S comparable]() string {
	err := Check(NewSystem(System[S]{
		Init:    make([]S, 1),
		Actions: []SystemAction[S]{{Name: "stop", Do: func(*S, int, *Choice) bool { return false }}},
	}))
	if err != nil {
		return err.Error()
	}
	return ""
}

// TestPads: whatever is in the bytes between fields, equal states have equal vectors.
func TestPads(t *testing.T) {
	type padded struct {
		A uint8
		B [2]struct {
			C uint16
			D uint8
		}
		_ uint8
		E uint64
		F bool
	}
	in := NewSystem(System[padded]{Init: []padded{{}}, Actions: []SystemAction[padded]{{
		Name: "litter", Ranges: []int{3, 5},
		DoAll: func(s *padded, is []int, _ *Choice) bool {
			for i, b := range bytesOf(s) { // everywhere, and the fields as they should be
				bytesOf(s)[i] = b + byte(17*is[1])
			}
			keep := uint8(is[0])
			s.A, s.E, s.F = keep, 7, true
			for i := range s.B {
				s.B[i].C, s.B[i].D = 300, keep
			}
			return true
		},
	}}})
	var b Batch
	b.Reset(in.Space.Width())
	in.Space.Init(&b)
	start := slices.Clone(b.At(0))
	b.Reset(in.Space.Width())
	in.Space.NewCursor().Expand(start, 0, &b)
	vectors := map[string]bool{}
	for i := range b.Len() {
		vectors[fmt.Sprint(b.At(i), b.Hash(i))] = true
	}
	if b.Len() != 15 || len(vectors) != 3 {
		t.Errorf("%d successors with %d vectors, want 15 with 3", b.Len(), len(vectors))
	}
}

// TestSymmetry: permuted states have one canonical form, states of different orbits do not.
func TestSymmetry(t *testing.T) {
	// A state says of each of four members its colour, and who points to whom.
	type state struct {
		Colour [4]uint8
		Points [4]uint8
	}
	syms := []Symmetry[state]{{
		Size:   4,
		Colour: func(s *state, i int) uint64 { return uint64(s.Colour[i]) },
		Swap: func(s *state, i, j int) {
			s.Colour[i], s.Colour[j] = s.Colour[j], s.Colour[i]
			s.Points[i], s.Points[j] = s.Points[j], s.Points[i]
			for k, p := range s.Points {
				switch int(p) {
				case i:
					s.Points[k] = uint8(j)
				case j:
					s.Points[k] = uint8(i)
				}
			}
		},
		Less: func(a, b *state) bool { return slices.Compare(a.Points[:], b.Points[:]) < 0 },
	}}
	// The orbit of a state, by brute force: closed under all swaps.
	orbit := func(s state) map[state]bool {
		all := map[state]bool{s: true}
		for todo := []state{s}; len(todo) > 0; todo = todo[1:] {
			for i := range 4 {
				for j := range i {
					u := todo[0]
					syms[0].Swap(&u, i, j)
					if !all[u] {
						all[u] = true
						todo = append(todo, u)
					}
				}
			}
		}
		return all
	}
	r := rand.New(rand.NewPCG(1, 3))
	for range 300 {
		var s state
		for i := range 4 {
			s.Colour[i], s.Points[i] = uint8(r.IntN(3)), uint8(r.IntN(4))
		}
		c := s
		canonical(&c, syms)
		all := orbit(s)
		if !all[c] {
			t.Fatalf("the canonical form of %v is not in its orbit", s)
		}
		for u := range all {
			d := u
			canonical(&d, syms)
			if d != c {
				t.Fatalf("%v and %v are in one orbit, but have the canonical forms %v and %v", s, u, c, d)
			}
		}
	}
}

// TestManyInstances: a label has the number of the instance, and no other part of it is touched.
func TestManyInstances(t *testing.T) {
	in := NewSystem(System[uint32]{Init: []uint32{0}, Actions: []SystemAction[uint32]{{
		Name: "set", Instances: 300,
		Do: func(s *uint32, i int, _ *Choice) bool { *s = uint32(i) + 1; return true },
	}}})
	var b Batch
	b.Reset(in.Space.Width())
	in.Space.NewCursor().Expand([]uint32{0}, 0, &b)
	if b.Len() != 300 {
		t.Fatalf("%d successors, want 300", b.Len())
	}
	for i := range b.Len() {
		if want := (Label{Proc: uint8(i), Peer: uint8(i >> 8)}); b.Label(i) != want {
			t.Errorf("instance %d: %v, want %v", i, b.Label(i), want)
		}
	}
}
