package experiment

import (
	"fmt"
	"math"
	"strconv"

	svg "github.com/ajstarks/svgo/float"
)

// The size of a chart, and the room around its curves, in pixels.
const (
	chartWidth, chartHeight = 500.0, 350.0
	roomLeft, roomAbove     = 62.0, 44.0
	roomRight, roomBelow    = 16.0, 46.0

	fontSize             = "font-family:sans-serif;font-size:12px"
	gridStyle, axisStyle = "stroke:#dddddd", "stroke:#333333"

	markSize, capSize = 3.5, 4.0 // of a mark, of the end of an interval
	sample, rowHeight = 22.0, 16 // of a line in the legend
)

// A chart draws lines over two axes. It is written here because the library for it (gonum.org/v1/plot)
// unpacks twelve fonts and reads tables of TeX whenever the program starts, whatever it is asked to do:
// 1.2 ms and 8 MB.
type chart struct {
	title, subtitle string
	x, y            axis
	lines           []line
}

// An axis leads from the least to the greatest of the values, as they are or by their logarithms.
type axis struct {
	label       string
	log         bool
	least, most float64
	from, to    float64 // where these stand, in pixels
	ticks       []tick
}

// A tick is a value with its name; "" names none.
type tick struct {
	at   float64
	name string
}

// A line is one curve.
type line struct {
	name   string
	number int // of its colour and of its mark
	marked bool
	points []point
}

// A point is a value with the half of its interval.
type point struct{ x, y, half float64 }

// colours are those of lines, one after the other.
var colours = [...]string{"#f15a60", "#7ac36a", "#5a9bd4", "#faa75b", "#9e67ab", "#ce7058", "#d77fb4"}

// place returns where a value stands.
func (a *axis) place(v float64) float64 {
	share := (v - a.least) / (a.most - a.least)
	if a.log {
		share = math.Log(v/a.least) / math.Log(a.most/a.least)
	}
	return a.from + share*(a.to-a.from)
}

// see makes room for a value.
func (a *axis) see(v float64) {
	if a.least > a.most {
		a.least, a.most = v, v
	}
	a.least, a.most = min(a.least, v), max(a.most, v)
}

// fit makes the axes as long as the lines need.
func (c *chart) fit() {
	c.x.least, c.y.least = 1, 1 // above most: nothing was seen
	for _, l := range c.lines {
		for _, p := range l.points {
			c.x.see(p.x)
			c.y.see(p.y + p.half)
			if low := p.y - p.half; low > 0 || !c.y.log {
				c.y.see(low)
			}
		}
	}
	if !c.y.log {
		c.y.see(0)
	}
	for _, a := range []*axis{&c.x, &c.y} {
		if a.least >= a.most { // one value, or none
			a.most = max(a.least, 0) + 1
		}
	}
	c.x.choose()
	c.y.choose()
}

// choose chooses ticks: with a logarithm the powers of ten, and those between without a name; else about six,
// 1, 2 or 5 times a power of ten apart.
func (a *axis) choose() {
	if a.log {
		for power := math.Floor(math.Log10(a.least)); power <= math.Log10(a.most); power++ {
			for m := 1.0; m < 10; m++ {
				at, name := m*math.Pow(10, power), ""
				if m == 1 || a.most/a.least < 50 {
					name = text(at)
				}
				if at >= a.least*(1-1e-9) && at <= a.most {
					a.ticks = append(a.ticks, tick{at, name})
				}
			}
		}
		return
	}
	step := math.Pow(10, math.Floor(math.Log10((a.most-a.least)/6)))
	for _, m := range []float64{1, 2, 5, 10} {
		if (a.most-a.least)/(m*step) <= 8 {
			step *= m
			break
		}
	}
	for k := math.Ceil(a.least/step - 1e-9); k*step <= a.most*(1+1e-9); k++ {
		at := k*step + 0 // not -0
		a.ticks = append(a.ticks, tick{at, text(at)})
	}
}

// text writes a number as a tick does: not 0.30000000000000004.
func text(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// draw draws the chart with its upper left corner at a place.
func (c *chart) draw(to *svg.SVG, left, top float64) {
	to.Gtransform(fmt.Sprintf("translate(%g,%g)", left, top))
	c.x.from, c.x.to = roomLeft, chartWidth-roomRight
	c.y.from, c.y.to = chartHeight-roomBelow, roomAbove
	centre := fontSize + ";text-anchor:middle"
	to.Text(chartWidth/2, 18, c.title, centre)
	to.Text(chartWidth/2, 34, c.subtitle, centre)
	to.Text((c.x.from+c.x.to)/2, chartHeight-10, c.x.label, centre)
	to.TranslateRotate(16, (c.y.from+c.y.to)/2, -90)
	to.Text(0, 0, c.y.label, centre)
	to.Gend()
	for _, t := range c.x.ticks {
		x := c.x.place(t.at)
		to.Line(x, c.y.from, x, c.y.to, gridStyle)
		to.Text(x, c.y.from+18, t.name, centre)
	}
	for _, t := range c.y.ticks {
		y := c.y.place(t.at)
		to.Line(c.x.from, y, c.x.to, y, gridStyle)
		if t.name != "" {
			to.Text(c.x.from-6, y+4, t.name, fontSize+";text-anchor:end")
		}
	}
	to.Line(c.x.from, c.y.from, c.x.to, c.y.from, axisStyle)
	to.Line(c.x.from, c.y.from, c.x.from, c.y.to, axisStyle)
	for i := range c.lines {
		c.drawLine(to, &c.lines[i])
	}
	to.Gend()
}

// drawLine draws a curve, with marks and intervals if it has them.
func (c *chart) drawLine(to *svg.SVG, l *line) {
	stroke := "stroke:" + colours[l.number%len(colours)]
	xs, ys := make([]float64, len(l.points)), make([]float64, len(l.points))
	for i, p := range l.points {
		xs[i], ys[i] = c.x.place(p.x), c.y.place(p.y)
	}
	to.Polyline(xs, ys, "fill:none;"+stroke)
	for i, p := range l.points {
		if !l.marked {
			break
		}
		if p.half > 0 {
			low := c.y.from // on a logarithmic axis, what is not above 0
			if p.y-p.half > 0 || !c.y.log {
				low = c.y.place(p.y - p.half)
			}
			high := c.y.place(p.y + p.half)
			to.Line(xs[i], low, xs[i], high, stroke)
			to.Line(xs[i]-capSize, low, xs[i]+capSize, low, stroke)
			to.Line(xs[i]-capSize, high, xs[i]+capSize, high, stroke)
		}
		drawMark(to, xs[i], ys[i], l.number)
	}
}

// drawMark draws one of five marks.
func drawMark(to *svg.SVG, x, y float64, number int) {
	style := "fill:#ffffff;stroke:" + colours[number%len(colours)]
	const s = markSize
	switch number % 5 {
	case 0:
		to.Circle(x, y, s, style)
	case 1:
		to.Rect(x-s, y-s, 2*s, 2*s, style)
	case 2:
		to.Polygon([]float64{x - s, x + s, x}, []float64{y + s, y + s, y - s}, style)
	case 3:
		to.Polygon([]float64{x - s, x, x + s, x}, []float64{y, y - s, y, y + s}, style)
	default:
		to.Polygon([]float64{x - s, x + s, x}, []float64{y - s, y - s, y + s}, style)
	}
}
