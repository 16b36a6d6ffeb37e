package memory

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
)

// TestTable compares a table with a map: for cells of all sizes, through growth
// and changes of layout, with hashes that collide.
func TestTable(t *testing.T) {
	cells := 600
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		cells = 1200
	}
	for width := 1; width <= 9; width++ {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(width)))
			hash := func(v []uint32) uint64 { // few different values, crowded at the end
				return uint64(v[0]%23+v[len(v)-1]%2)*0x00B5_0000_0000_0000 | 1
			}
			s, within := Table{Form: Form{Behind: 1, Eighths: 6}}, 0
			grow := func(words, width int, translate kernel.Translation) {
				cells, err := s.NewCells(words, width)
				if s.within(cells) {
					within++
				}
				if err != nil {
					t.Fatal(err)
				}
				s.Grow(cells, width, translate)
			}
			want := map[string]Link{}
			v := make([]uint32, width)
			for i := range cells {
				same := func(dst, src []uint32) uint64 { copy(dst, src); return hash(dst) }
				switch words := s.Reserve(1, width); {
				case words != 0:
					grow(words, width, same)
				case i%100 == 50: // soon outside the heap, and then in place
					grow(len(s.cells)+(1+r.IntN(300))*s.bucket, width, same)
				}
				for i := range v {
					v[i] = r.Uint32N(50)
				}
				parent := kernel.Parent(r.Uint64())
				key := fmt.Sprint(v)
				at, found := s.Find(v, PlaceOf(hash(v)))
				if _, known := want[key]; found != known {
					t.Fatalf("%s: known %v, but find says otherwise", key, known)
				} else if !known {
					s.Fill(at, append(slices.Clone(v), parent))
					want[key] = parent
				}
			}
			holdsWanted(t, &s, want, hash)
			if s.used != len(want) {
				t.Errorf("%d used, want %d", s.used, len(want))
			}
			if n := cap(s.pages.Words); within == 0 && n > len(s.cells) {
				t.Error("the table never grew in place")
			}
			// A new layout: one word more, in front.
			tail := func(v []uint32) uint64 { return hash(v[1:]) }
			wider := func(dst, src []uint32) uint64 { copy(dst[1:], src); dst[0] = 7; return tail(dst) }
			now := map[string]Link{}
			for _, cell := range s.Each {
				now[fmt.Sprint(append([]uint32{7}, cell[:width]...))] = cell[width]
			}
			grow(wordsFor(s.capacity(), width+2), width+1, wider)
			holdsWanted(t, &s, now, tail)
			if err := s.free(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// holdsWanted compares the cells of a shard with what they should be, and looks each
// state up by its hash.
func holdsWanted(t *testing.T, s *Table, want map[string]Link, hash func([]uint32) uint64) {
	t.Helper()
	n := 0
	for _, cell := range s.Each {
		n++
		v := cell[:s.stride-1]
		if want[fmt.Sprint(v)] != cell[s.stride-1] {
			t.Fatalf("%v has another link", v)
		}
		found := 0
		for _, u := range s.begin(kernel.Parent(hash(v)), hash) {
			if fmt.Sprint(u) == fmt.Sprint(v) {
				found++
			}
		}
		if found != 1 {
			t.Fatalf("%v is found %d times by its link", v, found)
		}
	}
	if n != len(want) {
		t.Fatalf("%d cells, want %d", n, len(want))
	}
}

// TestPanicOfStoreIsNoMistakeOfModel: a panic in this package goes on, and is not reported about a model.
func TestPanicOfStoreIsNoMistakeOfModel(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the panic did not go on")
		}
	}()
	var mistake *model.Error
	defer model.Catch(&mistake)
	(*Table)(nil).Each(nil)
	t.Error("a table that does not exist has cells")
}
