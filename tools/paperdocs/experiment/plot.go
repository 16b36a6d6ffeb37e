package experiment

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

// plotText is a drawing as SVG, in which a panel has the axes from 58 to 436 and from 256 up to 46. It can
// be read on the width of a phone.
//
//go:embed plot.tmpl
var plotText string

var plotTemplate = template.Must(template.New("").Parse(plotText))

var colours = []string{"#c43131", "#2a7d3f", "#2b5fb3", "#b07a00", "#7a3fa0", "#0f8a8a", "#5b5b5b", "#d0578e"}

// The parts of a drawing, in pixels.
type (
	drawing struct {
		Wide, High           int
		Title, Label, LabelX string
		Legend               []key
		Panels               []panel
	}
	key struct {
		X, Y         int
		Name, Colour string
	}
	panel struct {
		Y      int
		Title  string
		Xs, Ys []tick
		Lines  []line
	}
	tick struct {
		At   float64
		Text string // "": another label is there
	}
	line struct {
		Name, Colour, Path string
		Marks              []interval
		values             [][3]float64 // x, y and half of the interval
	}
	interval struct{ X, Y, Low, High float64 }
)

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
	return math.Round(10*(s.from+(v-low)/(high-low)*(s.to-s.from))) / 10
}

// widen makes room for a value.
func (s *scale) widen(v float64) { s.low, s.high = min(s.low, v), max(s.high, v) }

// ticks are round values between the ends: on a logarithmic scale powers of ten, with 2 and 5 times these
// if there are few.
func (s *scale) ticks() (ts []float64) {
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
	step := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/3)))
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

// axis places ticks with their labels, as far as these have room.
func (s *scale) axis(values []float64, letter float64) (ts []tick) {
	end := math.Inf(-1)
	for _, v := range values {
		t := tick{s.at(v), strconv.FormatFloat(v, 'g', 4, 64)}
		if half := letter * float64(len(t.Text)) / 2; letter > 0 && t.At-half <= end {
			t.Text = ""
		} else {
			end = t.At + half
		}
		ts = append(ts, t)
	}
	return ts
}

// Plot draws a figure as SVG: what the lines mean, and its panels one below the other.
func (e *Experiment) Plot(f *Figure, cells []Cell) (string, error) {
	d := drawing{Wide: 450, Title: f.Title, Label: f.Label, LabelX: e.Label}
	if f.Course != "" {
		d.LabelX = "time"
	}
	longest := 1
	for _, r := range e.Readings {
		for _, p := range e.Panels {
			here := slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool {
				return c.Reading != r.Name || c.Panel != p.Name
			})
			if p.Aside || len(here) == 0 {
				continue
			}
			names := slices.DeleteFunc([]string{p.Name, r.Name}, func(s string) bool { return s == "" })
			d.Panels = append(d.Panels, e.panel(f, strings.Join(names, ", "), e.lines(f, here)))
			for _, l := range d.Panels[len(d.Panels)-1].Lines {
				if !slices.ContainsFunc(d.Legend, func(k key) bool { return k.Name == l.Name }) {
					d.Legend = append(d.Legend, key{Name: l.Name, Colour: l.Colour})
					longest = max(longest, len(l.Name))
				}
			}
		}
	}
	columns := max(1, min(3, 40/longest))
	for i := range d.Legend {
		d.Legend[i].X, d.Legend[i].Y = 16+i%columns*(d.Wide-16)/columns, 16+16*(i/columns)
	}
	d.High = 10 + 16*((len(d.Legend)+columns-1)/columns)
	for i := range d.Panels {
		d.Panels[i].Y, d.High = d.High, d.High+300
	}
	var b strings.Builder
	err := plotTemplate.Execute(&b, &d)
	return b.String(), err
}

// lines are the lines of a panel. Points that are not known are left out, and on a logarithmic scale those
// that are not above 0. Of courses over time the one of the last point stays.
func (e *Experiment) lines(f *Figure, cells []Cell) (all []line) {
	metrics := f.Metrics()
	for i, s := range e.Series {
		for k := range max(1, len(metrics)) {
			l := line{Name: s.Name, Colour: colours[(i*max(1, len(metrics))+k)%len(colours)]}
			if len(metrics) > 1 {
				l.Name += " " + metrics[k]
			}
			for _, c := range cells {
				if c.Series != s.Name {
					continue
				}
				if f.Course != "" {
					course := map[string][]float64{"in-use": c.InUse, "queue": c.Queue}[f.Course]
					l.values = nil
					for t, y := range course {
						x := (float64(t) + 0.5) * c.Duration / float64(len(course))
						l.values = append(l.values, [3]float64{x, y, 0})
					}
				} else if v := c.Values[metrics[k]]; !math.IsNaN(v.Mean) && (!f.Log || v.Low() > 0) {
					l.values = append(l.values, [3]float64{c.X, v.Mean, v.Half})
				}
			}
			if l.values != nil {
				all = append(all, l)
			}
		}
	}
	return all
}

// panel places the lines of one panel.
func (e *Experiment) panel(f *Figure, title string, lines []line) panel {
	x := &scale{math.Inf(1), math.Inf(-1), 58, 436, e.Log && f.Course == ""}
	y := &scale{math.Inf(1), math.Inf(-1), 256, 46, f.Log}
	for _, l := range lines {
		for _, v := range l.values {
			x.widen(v[0])
			y.widen(v[1] - v[2])
			y.widen(v[1] + v[2])
		}
	}
	for _, s := range []*scale{x, y} {
		switch {
		case s.low > s.high: // there is nothing to draw
			s.low, s.high = 1, 2
		case s.log:
			s.low, s.high = s.low*0.9, s.high*1.1
		case s == y:
			s.low = min(s.low, 0)
		}
		if s.low == s.high {
			s.high++
		}
	}
	points := x.ticks()
	if x.log { // one for each point
		points = nil
		for _, p := range e.Points {
			if v, _ := strconv.ParseFloat(p[e.X], 64); v >= x.low && v <= x.high { // checked
				points = append(points, v)
			}
		}
	}
	p := panel{Title: title, Xs: x.axis(points, 6.2), Ys: y.axis(y.ticks(), 0)}
	for _, l := range lines {
		for i, v := range l.values {
			m := interval{x.at(v[0]), y.at(v[1]), y.at(v[1] - v[2]), y.at(v[1] + v[2])}
			l.Path += fmt.Sprintf("%c%g %g", "ML"[min(i, 1)], m.X, m.Y)
			if f.Course == "" {
				l.Marks = append(l.Marks, m)
			}
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}
