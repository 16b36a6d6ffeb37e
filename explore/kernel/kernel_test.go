package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model/protocol"
)

// TestPack: numbers that are laid out do not overlap and keep their values.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		counts := make([]int, 1+r.IntN(2*protocol.MaxProcs+1))
		expected := make([]float64, len(counts))
		for i := range counts {
			counts[i] = r.IntN(1<<r.IntN(33) + 1)
			expected[i] = float64(counts[i]) * (1 + 10*r.Float64())
		}
		counts[0]++ // a layout without words has nothing to show
		l := pack(counts, expected)
		v := make([]uint32, l.width)
		want := make([]uint32, len(counts))
		for _, i := range r.Perm(len(counts)) {
			if n := counts[i]; n > 0 && n-1 > int(l.slots[i].Mask) {
				t.Fatalf("%v: slot %d has mask %x", counts, i, l.slots[i].Mask)
			}
			want[i] = r.Uint32() & l.slots[i].Mask
			l.slots[i].Set(v, 0, want[i])
		}
		for i, s := range l.slots {
			if s.Get(v) != want[i] {
				t.Fatalf("%v: number %d is %d, want %d", counts, i, s.Get(v), want[i])
			}
		}
	}
}

// TestTable compares a table with a map.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m table
	want := map[[2]uint32]uint32{}
	for range 20000 {
		a, b := r.Uint32N(1<<8), r.Uint32N(1<<4)<<(r.Uint32N(3)*8)
		v, ok := m.get(a, b)
		if w, known := want[[2]uint32{a, b}]; ok != known || v != w {
			t.Fatalf("%d, %d: %d, %v, want %d, %v", a, b, v, ok, w, known)
		}
		if !ok {
			want[[2]uint32{a, b}] = r.Uint32()
			m.put(a, b, want[[2]uint32{a, b}])
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
		i, key := r.Uint32N(50), r.Uint32N(20)<<r.Uint32N(4)+r.Uint32N(2)<<16
		for none := range uint32(320) {
			if cells.probe(rowSpan{}, none) != nil {
				t.Fatalf("key %d is found in a row that holds nothing", none)
			}
		}
		got := cells.probe(spans[i], key)
		if w, known := want[[2]uint32{i, key}]; (got != nil) != known || known && got.value != w {
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
	lists.values = append(lists.values, "")
	want := map[string]uint32{}
	for range 5000 {
		list := make([]uint32, r.IntN(4))
		for i := range list {
			list[i] = r.Uint32N(6) << (8 * r.Uint32N(4))
		}
		before := len(lists.values)
		id := lists.of(list)
		isNew := len(lists.values) > before
		if w, known := want[fmt.Sprint(list)]; isNew == known || known && id != w || id == 0 {
			t.Fatalf("%v: number %d, new %v; want %d, known %v", list, id, isNew, w, known)
		}
		want[fmt.Sprint(list)] = id
		if !slices.Equal(lists.at(id), list) {
			t.Fatalf("number %d is %v, want %v", id, lists.at(id), list)
		}
	}
}
