package experiment

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	svg "github.com/ajstarks/svgo/float"
)

// Plot draws a figure as SVG: what the lines mean, and its panels one below the other, so that it can be read
// on the width of a phone.
func (e *Experiment) Plot(w io.Writer, f *Figure, cells []Cell) error {
	var charts []*chart
	var known legend
	for k := range e.Readings {
		for i := range e.Panels {
			if !e.Panels[i].Aside {
				charts = append(charts, e.chart(f, e.Readings[k].Name, e.Panels[i].Name, cells, &known))
			}
		}
	}
	all := float64(len(charts))*chartHeight + known.high()
	var b bytes.Buffer // to which nothing fails
	canvas := svg.New(&b)
	canvas.Startview(chartWidth, all, 0, 0, chartWidth, all)
	canvas.Rect(0, 0, chartWidth, all, "fill:#ffffff")
	known.draw(canvas)
	for i, c := range charts {
		c.draw(canvas, 0, known.high()+float64(i)*chartHeight)
	}
	canvas.End()
	_, err := w.Write(b.Bytes())
	return err
}

// chart returns one panel of a figure, and adds its lines to those that are known.
func (e *Experiment) chart(f *Figure, reading, panel string, cells []Cell, known *legend) *chart {
	names := slices.DeleteFunc([]string{panel, reading}, func(s string) bool { return s == "" })
	c := &chart{title: f.Title, subtitle: strings.Join(names, ", ")}
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
				known.add(&l)
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
