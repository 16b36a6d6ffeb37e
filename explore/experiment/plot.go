package experiment

import (
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Plot draws a figure as SVG, its panels side by side, those of a reading in a row.
func (e *Experiment) Plot(w io.Writer, f *Figure, cells []Cell) error {
	const wide, high = 13 * vg.Centimeter, 9 * vg.Centimeter
	panels := slices.DeleteFunc(slices.Clone(e.Panels), func(p Panel) bool { return p.Aside })
	rows := len(e.Readings)
	canvas := vgsvg.New(vg.Length(len(panels))*wide, vg.Length(rows)*high)
	for k := range e.Readings {
		for i := range panels {
			p, err := e.panel(f, e.Readings[k].Name, panels[i].Name, cells)
			if err != nil {
				return err
			}
			at := draw.NewCanvas(canvas, wide, high)
			at.Min.X, at.Max.X = vg.Length(i)*wide, vg.Length(i+1)*wide
			at.Min.Y, at.Max.Y = vg.Length(rows-k-1)*high, vg.Length(rows-k)*high
			p.Draw(draw.Crop(at, 4*vg.Millimeter, -4*vg.Millimeter, 2*vg.Millimeter, -2*vg.Millimeter))
		}
	}
	_, err := canvas.WriteTo(w)
	return err
}

// panel draws one panel of a figure.
func (e *Experiment) panel(f *Figure, reading, panel string, cells []Cell) (*plot.Plot, error) {
	p := plot.New()
	names := slices.DeleteFunc([]string{f.Title, panel, reading}, func(s string) bool { return s == "" })
	p.Title.Text = strings.Join(names, ", ")
	p.X.Label.Text, p.Y.Label.Text = e.Label, f.Label
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	metrics := f.Metrics()
	if f.Course != "" {
		metrics = []string{""}
	}
	for i, s := range e.Series {
		for k, metric := range metrics {
			l := line{name: s.Name, number: i*len(metrics) + k, curve: e.curve(f, metric, reading, panel,
				s.Name, cells)}
			if len(metrics) > 1 {
				l.name += " " + metric
			}
			if err := l.add(p, f.Course == ""); err != nil {
				return nil, err
			}
		}
	}
	room := 0.06 * float64(len(e.Series)*len(metrics)) // for the legend, above the curves
	if f.Course != "" {
		p.X.Label.Text = "time"
		p.Y.Min, p.Y.Max = 0, p.Y.Max*(1+room)
		return p, nil
	}
	if e.Log {
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = plot.ConstantTicks(e.ticks())
	}
	if f.Log {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		p.Y.Max *= math.Pow(p.Y.Max/p.Y.Min, room)
	} else {
		p.Y.Min = min(p.Y.Min, 0)
		p.Y.Max += (p.Y.Max - p.Y.Min) * room
	}
	return p, nil
}

// A line is one curve in a plot.
type line struct {
	name   string
	number int // of its colour
	curve  curve
}

// add draws the line if there is any, with marks and intervals if it has them.
func (l *line) add(p *plot.Plot, marked bool) error {
	if len(l.curve.XYs) == 0 {
		return nil
	}
	line, marks, err := plotter.NewLinePoints(l.curve.XYs)
	if err != nil {
		return err
	}
	line.Color, marks.Color, marks.Shape = plotutil.Color(l.number), plotutil.Color(l.number),
		plotutil.Shape(l.number)
	p.Add(line)
	if !marked {
		p.Legend.Add(l.name, line)
		return nil
	}
	p.Legend.Add(l.name, line, marks)
	bars, err := plotter.NewYErrorBars(l.curve)
	if err != nil {
		return err
	}
	bars.Color = plotutil.Color(l.number)
	p.Add(marks, bars)
	return nil
}

// ticks are one for each point.
func (e *Experiment) ticks() (ts []plot.Tick) {
	for _, point := range e.Points {
		if x, ok := number(point[e.X]); ok {
			ts = append(ts, plot.Tick{Value: x, Label: point[e.X]})
		}
	}
	return ts
}

// A curve is a line with intervals.
type curve struct {
	plotter.XYs
	plotter.YErrors
}

// curve returns what is drawn of a series. Points that are not known are left out, and on a logarithmic
// scale those that are not above 0.
func (e *Experiment) curve(f *Figure, metric, reading, panel, series string, cells []Cell) (c curve) {
	for i := range cells {
		cell := &cells[i]
		if cell.Reading != reading || cell.Panel != panel || cell.Series != series {
			continue
		}
		if f.Course != "" {
			course := cell.InUse
			if f.Course == "queue" {
				course = cell.Queue
			}
			c.XYs = nil // that of the last point stays
			for k, y := range course {
				c.XYs = append(c.XYs, plotter.XY{X: (float64(k) + 0.5) * cell.Duration / float64(len(course)),
					Y: y})
			}
			continue
		}
		v := value(cell, metric)
		if math.IsNaN(v.Mean) || f.Log && v.Low() <= 0 {
			continue
		}
		c.XYs = append(c.XYs, plotter.XY{X: cell.X, Y: v.Mean})
		c.YErrors = append(c.YErrors, struct{ Low, High float64 }{v.Half, v.Half})
	}
	return c
}
