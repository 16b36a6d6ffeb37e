package cmd

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
)

//go:embed validate.html
var validatePage string

var validateTemplate = template.Must(template.New("validate").Funcs(template.FuncMap{
	"text": func(x any) string { return printable.Text(fmt.Sprint(x)) },
}).Parse(validatePage))

// A bar is a stay in the picture of a crowd.
type bar struct {
	logs.Stay
	Y, From, To int // pixels
	TextY       int
}

// A picture of a crowd shows its stays in one order of those that fit the log: all
// enters are before all releases.
type crowdPicture struct {
	Bars                     []bar
	Width, Height            int
	OverlapFrom, OverlapWide int
}

// Sizes of the picture, in pixels.
const (
	barHeight = 30
	barStep   = 46 // from one enter, or release, to the next
	barName   = 90
	barCommon = 160 // where all are inside
)

func drawCrowd(c *logs.Crowd) *crowdPicture {
	n := len(c.Stays)
	p := &crowdPicture{Width: barName + 2*n*barStep + barCommon, Height: n*barHeight + 8, OverlapWide: barCommon}
	p.OverlapFrom = barName + n*barStep
	for i, s := range c.Stays {
		b := bar{Stay: s, Y: i*barHeight + 8, TextY: i*barHeight + 22, From: barName + (i+1)*barStep, To: p.Width}
		if s.Release != nil {
			b.To = p.OverlapFrom + barCommon + i*barStep
		}
		b.To -= b.From
		p.Bars = append(p.Bars, b)
	}
	return p
}

// A pagePoint is a point on the page.
type pagePoint struct {
	Level, Text string
	Details     []string
	Places      []logs.Place
	Picture     *crowdPicture
}

// html writes the judgement as a page that needs nothing else.
func (v *validation) html(w *bufio.Writer) error {
	var points []pagePoint
	for _, p := range v.points() {
		pp := pagePoint{Level: p.level, Text: p.text, Places: p.places, Details: p.details}
		if p.details != nil {
			pp.Places = nil // they are in the details
		}
		if p.crowd != nil {
			if pp.Places = nil; p.crowd.Shifting { // no order has all of them at once
				pp.Details = stayLines(p.crowd)
			} else {
				pp.Picture = drawCrowd(p.crowd)
			}
		}
		points = append(points, pp)
	}
	page := map[string]any{
		"Verdict": v.verdict(), "Summary": v.summary(), "Points": points, "Tool": v.program.tool(), "Files": v.log.Files,
	}
	if v.spec != nil {
		page["Model"] = v.spec.Name + settings(v.args)
	}
	if v.use != nil {
		page["Figures"] = strings.Join(v.figures(), "; ")
	}
	if v.explanation != nil {
		page["Put"], page["Run"] = v.put(), v.runPage()
	}
	var b strings.Builder
	if err := validateTemplate.Execute(&b, page); err != nil {
		return err
	}
	_, err := w.WriteString(printable.Document(b.String()))
	return err
}

// A runTable shows the run that was found, a column for each process.
type runTable struct {
	Nodes []string
	Rows  []runRow
	Left  int // steps before the first row that are not shown
	Part  bool
	Final []explain.Frontier
}

type runRow struct {
	Number int
	Cells  []string
	Where  string
	Hidden bool // no line says so
}

// maxRows bounds the steps on the page; the last ones are shown.
const maxRows = 500

// runPage turns the run that explains the log, or as much of it as can be, into a table.
func (v *validation) runPage() *runTable {
	r := v.explanation
	if len(r.Steps) == 0 && len(r.Frontiers) == 0 {
		return nil
	}
	t := &runTable{Left: max(0, len(r.Steps)-maxRows), Part: r.Verdict != explain.Accepted, Final: r.Frontiers[:min(1, len(r.Frontiers))]}
	for i := range r.Steps {
		if !slices.Contains(t.Nodes, r.Steps[i].Node) {
			t.Nodes = append(t.Nodes, r.Steps[i].Node)
		}
	}
	slices.Sort(t.Nodes)
	for i := range r.Steps[t.Left:] {
		s := &r.Steps[t.Left+i]
		row := runRow{Number: t.Left + i + 1, Cells: make([]string, len(t.Nodes)), Hidden: s.Event == nil}
		row.Cells[slices.Index(t.Nodes, s.Node)] = strings.TrimPrefix(s.Text, s.Node+" ")
		if s.Event != nil {
			row.Where = explain.Where(s.Event)
			if s.Action == "" {
				row.Cells[slices.Index(t.Nodes, s.Node)] = "(did not happen)"
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
