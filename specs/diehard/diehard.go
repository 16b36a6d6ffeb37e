// Package diehard is the puzzle of the two jugs from the film Die Hard 3, a
// classic of the TLA+ examples. It is a conformance model (case P3).
package diehard

import (
	"strconv"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/specs/references"
)

// Spec is the model die-hard.
var Spec = model.Spec{
	Name:   "die-hard",
	Title:  "the puzzle of the two jugs",
	Source: "TLA+ Examples, DieHard",
	Doc: "With a jug of 5 and one of 3 gallons, measure 4 gallons. The solution is the " +
		"counterexample.",
	Build:      build,
	Picture:    picture,
	References: references.Of("die-hard"),
}

const (
	bigSize   = 5
	smallSize = 3
)

type jugs struct{ Big, Small uint8 }

func build(*model.Args) (model.Instance, error) {
	do := func(f func(s *jugs)) func(*jugs, int, *model.Choice) bool {
		return func(s *jugs, _ int, _ *model.Choice) bool { f(s); return true }
	}
	return model.NewSystem(model.System[jugs]{
		Init: []jugs{{}},
		Actions: []model.SystemAction[jugs]{
			{Name: "FillSmall", Do: do(func(s *jugs) { s.Small = smallSize })},
			{Name: "FillBig", Do: do(func(s *jugs) { s.Big = bigSize })},
			{Name: "EmptySmall", Do: do(func(s *jugs) { s.Small = 0 })},
			{Name: "EmptyBig", Do: do(func(s *jugs) { s.Big = 0 })},
			{Name: "SmallToBig", Do: do(func(s *jugs) { pour(&s.Small, &s.Big, bigSize) })},
			{Name: "BigToSmall", Do: do(func(s *jugs) { pour(&s.Big, &s.Small, smallSize) })},
		},
		Properties: []model.Property[jugs]{{
			Name: "big-not-4", Kind: model.Invariant, Source: "TLA+ Examples, NotSolved",
			Doc:   "the big jug never holds 4 gallons (false; its counterexample solves the puzzle)",
			Holds: func(s *jugs) bool { return s.Big != 4 },
		}},
	}), nil
}

// picture shows the contents of the jugs.
func picture(_ *model.Args, s model.State) (d drawing.Drawing) {
	for _, v := range s.Vars() {
		n, err := strconv.Atoi(v.Value)
		if err != nil {
			continue // there is no such variable
		}
		of := bigSize
		if v.Name == "Small" {
			of = smallSize
		}
		d.Nodes = append(d.Nodes, drawing.Node{Name: v.Name, Note: v.Value, Of: of, Holds: n})
	}
	return d
}

// pour empties one jug into another as far as there is room.
func pour(from, to *uint8, size uint8) {
	n := min(*from, size-*to)
	*from -= n
	*to += n
}
