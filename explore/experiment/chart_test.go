package experiment

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	svg "github.com/ajstarks/svgo/float"
)

// charts have one and several lines, intervals, logarithms, and no or one point.
func charts() (cs []*chart) {
	for i, c := range []chart{
		{title: "straight", y: axis{label: "messages"}, x: axis{label: "processes"}},
		{title: "logarithms < & >", y: axis{label: "time", log: true}, x: axis{label: "rho", log: true}},
		{title: "one value"},
		{title: "none"},
	} {
		for n := range []int{4, 7, 1, 0}[i] {
			l := line{name: "line " + text(float64(n)), number: n, marked: i != 0 || n > 1}
			for k := range 6 {
				if i == 2 && k > 0 {
					break
				}
				x := math.Pow(2, float64(k))
				l.points = append(l.points, point{x, x * float64(n+1) * 0.7, float64(k) * float64(n)})
			}
			c.lines = append(c.lines, l)
		}
		c.fit()
		cs = append(cs, &c)
	}
	return cs
}

// TestChart: a drawing is XML, all points are within the axes, and ticks are in order and few.
func TestChart(t *testing.T) {
	var b bytes.Buffer
	canvas := svg.New(&b)
	canvas.Startview(2*chartWidth, 2*chartHeight, 0, 0, 2*chartWidth, 2*chartHeight)
	canvas.Rect(0, 0, 2*chartWidth, 2*chartHeight, "fill:#ffffff")
	var known legend
	for i, c := range charts() {
		for k := range c.lines {
			known.add(&c.lines[k])
		}
		c.draw(canvas, float64(i%2)*chartWidth, float64(i/2)*chartHeight)
		for _, a := range []*axis{&c.x, &c.y} {
			inOrder := slices.IsSortedFunc(a.ticks, func(s, t tick) int { return cmp.Compare(s.at, t.at) })
			if len(a.ticks) < 2 || len(a.ticks) > 40 || !inOrder || math.IsNaN(a.place(a.ticks[0].at)) {
				t.Errorf("%s: ticks %v", c.title, a.ticks)
			}
		}
		for _, l := range c.lines {
			for _, p := range l.points {
				x, y := c.x.place(p.x), c.y.place(p.y+p.half)
				if x < c.x.from-1e-6 || x > c.x.to+1e-6 || y > c.y.from+1e-6 || y < c.y.to-1e-6 {
					t.Errorf("%s: %v stands at %g, %g", c.title, p, x, y)
				}
			}
		}
	}
	if known.draw(canvas); len(known.lines) != 7 || known.columns() != 3 || known.rows() != 3 {
		t.Errorf("%d lines in %d columns of %d", len(known.lines), known.columns(), known.rows())
	}
	canvas.End()
	if at := os.Getenv("ATMOSTK_CHART"); at != "" { // to be looked at
		if err := os.WriteFile(at, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
