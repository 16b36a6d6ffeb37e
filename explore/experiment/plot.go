package experiment

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	svg "github.com/ajstarks/svgo/float"
)

// Plot draws a figure as SVG, its panels side by side, those of a reading in a row.
func (e *Experiment) Plot(w io.Writer, f *Figure, cells []Cell) error {
	panels := slices.DeleteFunc(slices.Clone(e.Panels), func(p Panel) bool { return p.Aside })
	wide, high := float64(len(panels))*chartWidth, float64(len(e.Readings))*chartHeight
	var b bytes.Buffer // to which nothing fails
	canvas := svg.New(&b)
	canvas.Startview(wide, high, 0, 0, wide, high)
	canvas.Rect(0, 0, wide, high, "fill:#ffffff")
	for k := range e.Readings {
		for i := range panels {
			c := e.chart(f, e.Readings[k].Name, panels[i].Name, cells)
			c.draw(canvas, float64(i)*chartWidth, float64(k)*chartHeight)
		}
	}
	canvas.End()
	_, err := w.Write(b.Bytes())
	return err
}

// chart returns one panel of a figure.
func (e *Experiment) chart(f *Figure, reading, panel string, cells []Cell) *chart {
	names := slices.DeleteFunc([]string{f.Title, panel, reading}, func(s string) bool { return s == "" })
	c := &chart{title: strings.Join(names, ", ")}
	c.x = axis{label: e.Label, log: e.Log && f.Course == ""}
	c.y = axis{label: f.Label, log: f.Log && f.Course == ""}
	metrics := f.Metrics()
	if f.Course != "" {
		metrics, c.x.label = []string{""}, "time"
	}
	for i, s := range e.Series {
		for k, metric := range metrics {
			l := line{name: s.Name, number: i*len(metrics) + k, marked: f.Course == ""}
			l.points = e.curve(f, metric, reading, panel, s.Name, cells)
			if len(metrics) > 1 {
				l.name += " " + metric
			}
			if len(l.points) > 0 {
				c.lines = append(c.lines, l)
			}
		}
	}
	c.fit()
	if c.x.log {
		c.x.ticks = e.ticks()
	}
	return c
}

// ticks are one for each point.
func (e *Experiment) ticks() (ts []tick) {
	for _, point := range e.Points {
		if x, ok := number(point[e.X]); ok {
			ts = append(ts, tick{x, point[e.X]})
		}
	}
	return ts
}

// curve returns what is drawn of a series. Points that are not known are left out, and on a logarithmic
// scale those that are not above 0.
func (e *Experiment) curve(f *Figure, metric, reading, panel, series string, cells []Cell) (ps []point) {
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
			ps = nil // that of the last point stays
			for k, y := range course {
				ps = append(ps, point{x: (float64(k) + 0.5) * cell.Duration / float64(len(course)), y: y})
			}
			continue
		}
		v := value(cell, metric)
		if math.IsNaN(v.Mean) || f.Log && v.Low() <= 0 {
			continue
		}
		ps = append(ps, point{cell.X, v.Mean, v.Half})
	}
	return ps
}
