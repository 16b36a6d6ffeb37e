package explore

import (
	"context"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
)

// TestGap: a search that ended is complete, and if anything is missing it is not: an initial
// state, a state in a level, one that was not expanded, or not counted, or that waits.
func TestGap(t *testing.T) {
	type state struct{ N uint32 }
	in := model.NewSystem(model.System[state]{
		Init: []state{{1}, {2}},
		Actions: []model.SystemAction[state]{{Name: "next", Do: func(s *state, _ int, _ *model.Choice) bool {
			s.N *= 3
			return s.N < 1000
		}}},
	})
	for name, spoil := range map[string]func(s *search){
		"":         func(*search) {},
		"expanded": func(s *search) { s.counts.Expanded-- },
		"counted":  func(s *search) { s.report.States++ },
		"levels":   func(s *search) { s.report.Levels[1]-- },
		"stored": func(s *search) {
			i := slices.IndexFunc(s.tables[:], func(t memory.Table) bool { return t.Used() > 0 })
			v := []uint32{1_000_000, memory.RootLink} // which was never met
			at, _ := s.tables[i].Find(v, 0)
			s.tables[i].Fill(at, append(v, 0, 0))
		},
		"now":  func(s *search) { s.now.Push(make([]uint32, s.length()), s.length()) },
		"next": func(s *search) { s.next.Push(make([]uint32, s.length()), s.length()) },
		"initial": func(s *search) {
			for i := range s.tables {
				for _, cell := range s.tables[i].Each {
					clear(cell)
				}
			}
		},
		"initial, nothing in its shard": func(s *search) {
			for i := range s.tables {
				s.tables[i].Clear()
			}
			s.report.States, s.counts.Expanded, s.report.Levels = 0, 0, nil
		},
	} {
		s, err := newSearch(context.Background(), in, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.levels(); err != nil || s.report.Stopped != "" || s.report.States != 13 {
			t.Fatalf("%d states, stopped: %q, %v", s.report.States, s.report.Stopped, err)
		}
		spoil(s)
		if gap := s.gap(); (gap == "") != (name == "") {
			t.Errorf("%s is wrong, but gap says %q", name, gap)
		}
		s.free()
	}
}
