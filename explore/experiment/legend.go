package experiment

import (
	"slices"

	svg "github.com/ajstarks/svgo/float"
)

// A legend says what the lines of all panels mean.
type legend struct{ lines []line }

// add adds a line, once.
func (k *legend) add(l *line) {
	if !slices.ContainsFunc(k.lines, func(x line) bool { return x.name == l.name }) {
		k.lines = append(k.lines, *l)
	}
}

// columns is how many there are: as many as names have room.
func (k *legend) columns() int {
	longest := 1
	for i := range k.lines {
		longest = max(longest, len(k.lines[i].name))
	}
	return max(1, min(3, 45/longest))
}

// rows is how many lines a column has.
func (k *legend) rows() int { return (len(k.lines) + k.columns() - 1) / k.columns() }

func (k *legend) high() float64 { return rowHeight*float64(k.rows()) + 14 }

// draw draws it in columns, each filled before the next.
func (k *legend) draw(to *svg.SVG) {
	wide := (chartWidth - roomRight) / float64(k.columns())
	for i := range k.lines {
		l := &k.lines[i]
		left := roomRight + wide*float64(i/k.rows())
		y := 14 + rowHeight*float64(i%k.rows())
		to.Line(left, y, left+sample, y, "stroke:"+colours[l.number%len(colours)])
		if l.marked {
			drawMark(to, left+sample/2, y, l.number)
		}
		to.Text(left+sample+6, y+4, l.name, fontSize)
	}
}
