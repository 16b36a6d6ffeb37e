package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/atmostk/atmostk/model/codec"
	"github.com/atmostk/atmostk/model/instance"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// TestParts: the parts of a broadcast that a crash lets out.
func TestParts(t *testing.T) {
	k := codec.KindOf[string]()
	var sent []interp.Sent
	for _, m := range []Sent[string]{{3, "a"}, {1, "b"}, {1, "c"}, {2, "x"}, {1, "b"}} {
		sent = append(sent, interp.Sent{To: m.To, M: of(&m.M)})
	}
	list := func(how CrashSends) (all []string) {
		parts(k, how, sent, SetOf(2).Has, nil, func(part []interp.Sent) bool {
			var texts []string
			for _, m := range part {
				texts = append(texts, fmt.Sprintf("{%d %s}", m.To, k.Text(m.M)))
			}
			all = append(all, fmt.Sprint(texts))
			return true
		})
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
	for again := true; again; again = c.Again() {
		a := c.Pick(2)
		b := c.Pick(1 + 2*a)
		got = append(got, fmt.Sprint(a, b))
	}
	if want := []string{"0 0", "1 0", "1 1", "1 2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
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
	err := NewSystem(System[S]{
		Init:    make([]S, 1),
		Actions: []SystemAction[S]{{Name: "stop", Do: func(*S, int, *Choice) bool { return false }}},
	}).Check()
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
		Name: "litter", Instances: 15, Do: func(s *padded, i int, _ *Choice) bool {
			bytes := unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
			for k, b := range bytes { // everywhere, and the fields as they should be
				bytes[k] = b + byte(17*(i%5))
			}
			keep := uint8(i / 5)
			s.A, s.E, s.F = keep, 7, true
			for i := range s.B {
				s.B[i].C, s.B[i].D = 300, keep
			}
			return true
		},
	}}})
	handed := successors(in, 0)
	vectors := map[string]bool{}
	for _, x := range handed {
		vectors[fmt.Sprint(x.state)] = true
	}
	if len(handed) != 15 || len(vectors) != 3 {
		t.Errorf("%d successors with %d vectors, want 15 with 3", len(handed), len(vectors))
	}
}

// A taker takes the successors of a state of a system.
type taker struct {
	to  protocol.Successors
	all []successor
}

type successor struct {
	state []uint32
	label Label
}

func (x *taker) Take(label uint32) {
	x.all = append(x.all, successor{slices.Clone(x.to.Room), protocol.LabelOf(label)})
}

// successors returns those of an initial state.
func successors(in instance.Instance, initial int) []successor {
	system := in.Space.Open().System
	x := taker{to: protocol.Successors{Room: make([]uint32, system.Words()),
		Fired: new([protocol.MaxActions]int64)}}
	x.to.Taker = &x
	system.Init(&x.to)
	from := x.all[initial].state
	x.all = nil
	system.NewStepper().Expand(from, &x.to)
	return x.all
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
	}}
	kind := codec.KindOf[state]()
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
		canonical(&c, syms, kind)
		all := orbit(s)
		if !all[c] {
			t.Fatalf("the canonical form of %v is not in its orbit", s)
		}
		for u := range all {
			d := u
			canonical(&d, syms, kind)
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
	handed := successors(in, 0)
	if len(handed) != 300 {
		t.Fatalf("%d successors, want 300", len(handed))
	}
	for i, x := range handed {
		if want := (Label{Proc: uint8(i), Peer: uint8(i >> 8)}); x.label != want {
			t.Errorf("instance %d: %v, want %v", i, x.label, want)
		}
	}
}

// of is a value with its type erased.
func of[T any](x *T) value { return as[value](x) }
