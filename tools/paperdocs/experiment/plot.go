package experiment

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Sizes of a drawing, in pixels. It can be read on the width of a phone.
const (
	wide, high                        = 450.0, 300.0 // of a panel
	marginLeft, marginTop             = 58.0, 46.0
	marginRight, marginBottom         = 14.0, 44.0
	legendLine, legendTop, letterWide = 16.0, 10.0, 6.2
)

var colours = []string{"#c43131", "#2a7d3f", "#2b5fb3", "#b07a00", "#7a3fa0", "#0f8a8a", "#5b5b5b", "#d0578e"}

// A scale maps values to pixels, from the low end to the high one.
type scale struct {
	low, high, from, to float64
	log                 bool
}

func (s *scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		low, high, v = math.Log(low), math.Log(high), math.Log(v)
	}
	return s.from + (v-low)/(high-low)*(s.to-s.from)
}

// ticks are round values between the ends: powers of ten and their double and fivefold, or multiples of a
// step.
func (s *scale) ticks() (ts []float64) {
	step := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/3)))
	if s.log {
		for p := math.Pow(10, math.Floor(math.Log10(s.low))); p <= s.high; p *= 10 {
			for _, v := range []float64{p, 2 * p, 5 * p} {
				if v >= s.low && v <= s.high && (v == p || s.high/s.low < 1000) {
					ts = append(ts, v)
				}
			}
		}
		return ts
	}
	for _, by := range []float64{2, 2.5, 2} { // to 2, 5 and 10 times the power of ten
		if (s.high-s.low)/step > 6 {
			step *= by
		}
	}
	for v := math.Ceil(s.low/step) * step; v <= s.high+step/1e6; v += step {
		ts = append(ts, math.Round(v/step)*step)
	}
	return ts
}

// widen makes the ends differ, and a logarithmic scale a little longer.
func (s *scale) widen() {
	switch {
	case s.low > s.high: // there is nothing to draw
		s.low, s.high = 1, 2
	case s.log:
		s.low, s.high = s.low*0.9, s.high*1.1
	case s.low == s.high:
		s.high++
	}
}

// A curve is a line of a panel; half are the intervals, nil: it has neither these nor marks.
type curve struct {
	name         string
	colour       int
	xs, ys, half []float64
}

// Plot draws a figure as SVG: what the lines mean, and its panels one below the other.
func (e *Experiment) Plot(f *Figure, cells []Cell) string {
	var panels [][]curve
	var titles, legend []string
	var colour []int
	for _, r := range e.Readings {
		for _, p := range e.Panels {
			here := slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool {
				return c.Reading != r.Name || c.Panel != p.Name
			})
			if p.Aside || len(here) == 0 {
				continue
			}
			curves := e.curves(f, here)
			names := slices.DeleteFunc([]string{p.Name, r.Name}, func(s string) bool { return s == "" })
			panels, titles = append(panels, curves), append(titles, strings.Join(names, ", "))
			for _, c := range curves {
				if !slices.Contains(legend, c.name) {
					legend, colour = append(legend, c.name), append(colour, c.colour)
				}
			}
		}
	}
	longest := 1
	for _, name := range legend {
		longest = max(longest, len(name))
	}
	columns := max(1, min(3, 40/longest))
	top := legendTop + legendLine*float64((len(legend)+columns-1)/columns)
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %[1]g %[2]g" `+
			`font-family="sans-serif" font-size="11">`+"\n"+`<rect width="100%%" height="100%%" fill="white"/>`+"\n",
		wide,
		top+high*float64(len(panels)),
	)
	for i, name := range legend {
		x, y := 16+float64(i%columns)*(wide-16)/float64(columns), legendTop+6+legendLine*float64(i/columns)
		fmt.Fprintf(&b, `<path d="M%.1f %.1fh22" stroke="%s" stroke-width="1.5"/>`, x, y, colours[colour[i]])
		text(&b, x+28, y+4, "start", name)
	}
	for i, curves := range panels {
		fmt.Fprintf(&b, `<g transform="translate(0 %g)">`+"\n", top+high*float64(i))
		e.panel(&b, f, titles[i], curves)
		b.WriteString("</g>\n")
	}
	return b.String() + "</svg>\n"
}

func text(b *strings.Builder, x, y float64, anchor, words string) {
	fmt.Fprintf(
		b,
		`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n",
		x,
		y,
		anchor,
		html.EscapeString(words),
	)
}

// curves are the lines of a panel. Points that are not known are left out, and on a logarithmic scale those
// that are not above 0.
func (e *Experiment) curves(f *Figure, cells []Cell) (all []curve) {
	metrics := f.Metrics()
	for i, s := range e.Series {
		for k := range max(1, len(metrics)) {
			c := curve{name: s.Name, colour: (i*max(1, len(metrics)) + k) % len(colours)}
			if len(metrics) > 1 {
				c.name += " " + metrics[k]
			}
			for _, cell := range cells {
				if cell.Series != s.Name {
					continue
				}
				if f.Course != "" {
					c.xs, c.ys = cell.course(f.Course) // the last point stays
				} else if v := cell.Values[metrics[k]]; !math.IsNaN(v.Mean) && (!f.Log || v.Low() > 0) {
					c.xs, c.ys, c.half = append(c.xs, cell.X), append(c.ys, v.Mean), append(c.half, v.Half)
				}
			}
			if c.xs != nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// course is what changes in the course of the runs.
func (c *Cell) course(which string) (xs, ys []float64) {
	ys = c.InUse
	if which == "queue" {
		ys = c.Queue
	}
	for k := range ys {
		xs = append(xs, (float64(k)+0.5)*c.Duration/float64(len(ys)))
	}
	return xs, ys
}

// panel draws one panel of a figure.
func (e *Experiment) panel(b *strings.Builder, f *Figure, title string, curves []curve) {
	label, logX := e.Label, e.Log
	if f.Course != "" {
		label, logX = "time", false
	}
	x := &scale{math.Inf(1), math.Inf(-1), marginLeft, wide - marginRight, logX}
	y := &scale{math.Inf(1), math.Inf(-1), high - marginBottom, marginTop, f.Log}
	for _, c := range curves {
		for i, v := range c.xs {
			x.low, x.high = min(x.low, v), max(x.high, v)
			half := 0.0
			if c.half != nil {
				half = c.half[i]
			}
			y.low, y.high = min(y.low, c.ys[i]-half), max(y.high, c.ys[i]+half)
		}
	}
	if !f.Log {
		y.low = min(y.low, 0)
	}
	x.widen()
	y.widen()
	ticks := x.ticks()
	if logX { // one for each point
		ticks = nil
		for _, p := range e.Points {
			v, _ := strconv.ParseFloat(p[e.X], 64) // checked
			if v >= x.low && v <= x.high {
				ticks = append(ticks, v)
			}
		}
	}
	b.WriteString(`<g stroke="#ddd">`)
	for _, v := range ticks {
		fmt.Fprintf(b, `<path d="M%.1f %gV%g"/>`, x.at(v), marginTop, high-marginBottom)
	}
	for _, v := range y.ticks() {
		fmt.Fprintf(b, `<path d="M%g %.1fH%g"/>`, marginLeft, y.at(v), wide-marginRight)
	}
	fmt.Fprintf(b, `</g><path d="M%g %gV%gH%g" fill="none" stroke="black"/>`+"\n", marginLeft, marginTop,
		high-marginBottom, wide-marginRight)
	end := math.Inf(-1) // of the last label: others that would cover it are left out
	for _, v := range ticks {
		words := fmt.Sprintf("%g", v)
		if half := letterWide * float64(len(words)) / 2; x.at(v)-half > end {
			text(b, x.at(v), high-marginBottom+14, "middle", words)
			end = x.at(v) + half
		}
	}
	for _, v := range y.ticks() {
		text(b, marginLeft-5, y.at(v)+4, "end", strconv.FormatFloat(v, 'g', 4, 64))
	}
	text(b, wide/2, 16, "middle", f.Title)
	text(b, wide/2, 31, "middle", title)
	text(b, wide/2, high-12, "middle", label)
	fmt.Fprintf(b, `<g transform="translate(12 %g) rotate(-90)">`, (marginTop+high-marginBottom)/2)
	text(b, 0, 0, "middle", f.Label)
	b.WriteString("</g>\n")
	for _, c := range curves {
		c.draw(b, x, y)
	}
}

// draw draws a line, with marks and intervals if it has them.
func (c *curve) draw(b *strings.Builder, x, y *scale) {
	fmt.Fprintf(b, `<g stroke="%s" fill="none" stroke-width="1.5"><path d="`, colours[c.colour])
	for i := range c.xs {
		fmt.Fprintf(b, "%c%.1f %.1f", "ML"[min(i, 1)], x.at(c.xs[i]), y.at(c.ys[i]))
	}
	b.WriteString(`"/>`)
	for i, half := range c.half {
		px, py := x.at(c.xs[i]), y.at(c.ys[i])
		if c.colour%2 == 0 {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3"/>`, px, py)
		} else {
			fmt.Fprintf(b, `<path d="M%.1f %.1fh6v6h-6z"/>`, px-3, py-3)
		}
		if half > 0 {
			fmt.Fprintf(b, `<path d="M%.1f %.1fV%.1f"/>`, px, y.at(c.ys[i]-half), y.at(c.ys[i]+half))
		}
	}
	b.WriteString("</g>\n")
}
