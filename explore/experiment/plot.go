package experiment

import (
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Plot draws a figure as SVG, its panels side by side.
func (e *Experiment) Plot(w io.Writer, f *Figure, cells []Cell) error {
	const wide, high = 13 * vg.Centimeter, 9 * vg.Centimeter
	canvas := vgsvg.New(vg.Length(len(e.Panels))*wide, high)
	for i := range e.Panels {
		p, err := e.panel(f, &e.Panels[i], cells)
		if err != nil {
			return err
		}
		at := draw.NewCanvas(canvas, wide, high)
		at.Min.X, at.Max.X = vg.Length(i)*wide, vg.Length(i+1)*wide
		p.Draw(draw.Crop(at, 4*vg.Millimeter, -4*vg.Millimeter, 2*vg.Millimeter, -2*vg.Millimeter))
	}
	_, err := canvas.WriteTo(w)
	return err
}

// panel draws one panel of a figure.
func (e *Experiment) panel(f *Figure, of *Panel, cells []Cell) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = strings.TrimSpace(f.Title + " " + of.Name)
	p.X.Label.Text, p.Y.Label.Text = e.Label, f.Label
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	for i, s := range e.Series {
		points := e.curve(f, of.Name, s.Name, cells)
		if len(points.XYs) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points.XYs)
		if err != nil {
			return nil, err
		}
		line.Color, marks.Color, marks.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
		p.Add(line)
		p.Legend.Add(s.Name, line, marks)
		if f.Course != "" {
			continue
		}
		bars, err := plotter.NewYErrorBars(points)
		if err != nil {
			return nil, err
		}
		bars.Color = plotutil.Color(i)
		p.Add(marks, bars)
	}
	if f.Course != "" {
		p.X.Label.Text = "time"
		p.Y.Min = 0
		return p, nil
	}
	if e.Log {
		p.X.Scale = plot.LogScale{}
		p.X.Tick.Marker = plot.ConstantTicks(e.ticks())
	}
	if f.Log {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	} else {
		p.Y.Min = min(p.Y.Min, 0)
	}
	return p, nil
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
func (e *Experiment) curve(f *Figure, panel, series string, cells []Cell) (c curve) {
	for i := range cells {
		cell := &cells[i]
		if cell.Panel != panel || cell.Series != series {
			continue
		}
		if f.Course != "" {
			course := cell.InUse
			if f.Course == "queue" {
				course = cell.Queue
			}
			c.XYs = nil // that of the last point stays
			for k, y := range course {
				c.XYs = append(c.XYs, plotter.XY{X: (float64(k) + 0.5) * cell.Duration / float64(len(course)), Y: y})
			}
			continue
		}
		v := value(cell, f.Metric)
		if math.IsNaN(v.Mean) || f.Log && v.Low() <= 0 {
			continue
		}
		c.XYs = append(c.XYs, plotter.XY{X: cell.X, Y: v.Mean})
		c.YErrors = append(c.YErrors, struct{ Low, High float64 }{v.Half, v.Half})
	}
	return c
}
