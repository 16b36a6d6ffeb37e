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

// Plot draws a figure as SVG: what the lines mean, and its panels one below the other, so that it can be read
// on the width of a phone.
func (e *Experiment) Plot(w io.Writer, f *Figure, cells []Cell) error {
	const wide, high = 12 * vg.Centimeter, 8.5 * vg.Centimeter
	var plots []*plot.Plot
	var known legend
	for k := range e.Readings {
		for i := range e.Panels {
			measured := func(c Cell) bool {
				return c.Reading == e.Readings[k].Name && c.Panel == e.Panels[i].Name
			}
			if e.Panels[i].Aside || !slices.ContainsFunc(cells, measured) {
				continue
			}
			p, err := e.panel(f, e.Readings[k].Name, e.Panels[i].Name, cells, &known)
			if err != nil {
				return err
			}
			plots = append(plots, p)
		}
	}
	top := known.high()
	all := vg.Length(len(plots))*high + top
	canvas := vgsvg.New(wide, all)
	at := draw.NewCanvas(canvas, wide, all)
	at.Min.Y = all - top
	known.draw(draw.Crop(at, 4*vg.Millimeter, -4*vg.Millimeter, 0, -2*vg.Millimeter))
	for i, p := range plots {
		at.Max.Y = all - top - vg.Length(i)*high
		at.Min.Y = at.Max.Y - high
		p.Draw(draw.Crop(at, 2*vg.Millimeter, -4*vg.Millimeter, 2*vg.Millimeter, -2*vg.Millimeter))
	}
	_, err := canvas.WriteTo(w)
	return err
}

// A legend says what the lines of all panels mean.
type legend struct {
	names  []string
	thumbs [][]plot.Thumbnailer
}

// add adds a line, once.
func (l *legend) add(name string, thumbs ...plot.Thumbnailer) {
	if !slices.Contains(l.names, name) {
		l.names, l.thumbs = append(l.names, name), append(l.thumbs, thumbs)
	}
}

// columns is how many there are: as many as names have room.
func (l *legend) columns() int {
	longest := 0
	for _, name := range l.names {
		longest = max(longest, len(name))
	}
	return max(1, min(3, 40/max(longest, 1)))
}

// rows is how many lines a column has.
func (l *legend) rows() int { return (len(l.names) + l.columns() - 1) / l.columns() }

func (l *legend) high() vg.Length { return vg.Length(l.rows())*4.2*vg.Millimeter + 4*vg.Millimeter }

// draw draws it in columns, each filled before the next.
func (l *legend) draw(at draw.Canvas) {
	wide := at.Size().X / vg.Length(l.columns())
	for c := range l.columns() {
		column := plot.NewLegend()
		column.Top, column.Left = true, true
		for i := c * l.rows(); i < min((c+1)*l.rows(), len(l.names)); i++ {
			column.Add(l.names[i], l.thumbs[i]...)
		}
		part := at
		part.Min.X = at.Min.X + vg.Length(c)*wide
		part.Max.X = part.Min.X + wide
		column.Draw(part)
	}
}

// panel draws one panel of a figure.
func (e *Experiment) panel(
	f *Figure, reading, panel string, cells []Cell, known *legend,
) (*plot.Plot, error) {
	p := plot.New()
	names := slices.DeleteFunc([]string{panel, reading}, func(s string) bool { return s == "" })
	p.Title.Text = f.Title
	if len(names) > 0 { // a line of its own, as the width is that of a phone
		p.Title.Text += "\n" + strings.Join(names, ", ")
	}
	p.X.Label.Text, p.Y.Label.Text = e.Label, f.Label
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
			if err := l.add(p, known, f.Course == ""); err != nil {
				return nil, err
			}
		}
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

// A line is one curve in a plot.
type line struct {
	name   string
	number int // of its colour
	curve  curve
}

// add draws the line if there is any, with marks and intervals if it has them.
func (l *line) add(p *plot.Plot, known *legend, marked bool) error {
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
		known.add(l.name, line)
		return nil
	}
	known.add(l.name, line, marks)
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
