package invariants_test

import (
	"slices"
	"testing"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// TestNamesOfParts: a report names the part of a property that is violated, and a single one only if it is a
// process's.
func TestNamesOfParts(t *testing.T) {
	for _, row := range []struct {
		parts, procs int
		want         []string
	}{
		{1, 1, []string{"p0"}},
		{1, 2, []string{""}},
		{2, 2, []string{"p0", "p1"}},
		{2, 3, []string{"part 1 of 2", "part 2 of 2"}},
	} {
		in := model.Compose(model.Composition[int, model.None, model.None]{
			N: row.procs, Init: func(model.Proc) int { return 0 },
			Local: []model.Handler[int, model.None]{{Name: "end", Do: func(_ model.Proc, l *int,
				_ *model.Outbox[model.None]) bool {
				*l++
				return *l == 1
			}}},
			Properties: []model.Property[model.Global[int, model.None, model.None]]{
				invariants.Served(row.parts, func(*model.Global[int, model.None, model.None], int) bool {
					return false
				}).As("x", "x", "x"),
			},
		})
		if in.Mistake != nil {
			t.Fatal(in.Mistake)
		}
		var got []string
		for _, l := range in.Space.Properties()[0].Lassos {
			got = append(got, l.Part)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%d parts, %d processes: %q, want %q", row.parts, row.procs, got, row.want)
		}
	}
}
