package traces

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

// Sizes of the diagram, in pixels.
const (
	frameWidth = 76
	laneHeight = 74
	headHeight = 44
	nameWidth  = 84
)

// svgStyle colours a diagram, for light and dark screens.
//
//go:embed diagram.css
var svgStyle string

func asSVG(w io.Writer, r *Run, _ Options) error {
	p := newPicture(r.Trace, r.Cause().Steps)
	p.drawAll()
	width, height := nameWidth+p.width(), p.height()
	fmt.Fprintf(w,
		`<svg xmlns="http://www.w3.org/2000/svg" class="diagram" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(w, "<title>%s</title>\n<style>\n%s</style>\n",
		html.EscapeString(oneLine(r.Trace.subject()+": "+r.Trace.claims())), svgStyle)
	fmt.Fprintf(w, `<rect class="paper" width="%d" height="%d"/>`+"\n", width, height)
	fmt.Fprintf(w, "%s<g transform=\"translate(%d 0)\">\n%s</g>\n</svg>\n", p.names(), nameWidth,
		p.b.String())
	return nil
}

// A picture is a space-time diagram in the making: time runs to the right, each process has a lane.
type picture struct {
	t       *Trace
	lanes   []string
	at      map[string]int // index of each lane
	frames  []frame
	frameOf []int // index of the frame of each step
	causes  []int // steps of the cause; nil: none is known
	b       strings.Builder
}

// A frame is a column of the diagram: one step, or many steps folded together.
type frame struct {
	first, last int // index of a step; equal unless folded
}

func (f frame) folded() bool { return f.last > f.first }

// A diagram of more than maxFrames steps shows the first and the last ones and folds the others.
const (
	maxFrames = 240
	keptFirst = 40
	keptLast  = 120
)

func newPicture(t *Trace, causes []int) *picture {
	p := &picture{t: t, lanes: t.lanes(), causes: causes}
	p.at = position(p.lanes)
	for i := range t.Steps {
		if n := len(t.Steps); n > maxFrames && i > keptFirst && i < n-keptLast {
			p.frames[keptFirst].last = i
		} else {
			p.frames = append(p.frames, frame{i, i})
		}
		p.frameOf = append(p.frameOf, len(p.frames)-1)
	}
	return p
}

func (p *picture) width() int        { return len(p.frames)*frameWidth + 44 }
func (p *picture) height() int       { return headHeight + len(p.lanes)*laneHeight }
func (p *picture) y(lane string) int { return headHeight + p.at[lane]*laneHeight + laneHeight/2 }
func (p *picture) x(step int) int    { return p.frameOf[step]*frameWidth + frameWidth/2 }

// class is the class of a part of the picture, with the class "other" if none of its steps is of the cause.
func (p *picture) class(name string, steps ...int) string {
	ofCause := func(i int) bool { return slices.Contains(p.causes, i) }
	if len(p.causes) > 0 && !slices.ContainsFunc(steps, ofCause) {
		return name + " other"
	}
	return name
}

func (p *picture) f(s string, a ...any) { fmt.Fprintf(&p.b, s+"\n", a...) }

// label draws a text, clipped to room pixels.
func (p *picture) label(class string, x, y, room int, text string) {
	const charWidth = 6 // of the small font
	p.f(`<text class="%s" x="%d" y="%d">%s</text>`, class, x, y,
		html.EscapeString(clip(oneLine(text), room/charWidth)))
}

// drawAll draws the diagram, the background first.
func (p *picture) drawAll() {
	p.f(`<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>`)
	p.excesses()
	for _, name := range p.lanes {
		p.lane(name)
	}
	for f, fr := range p.frames {
		x := f*frameWidth + frameWidth/2
		if fr.folded() {
			p.f(`<rect class="fold" x="%d" y="%d" width="%d" height="%d"/>`, x-frameWidth/2+8, headHeight,
				frameWidth-16, p.height()-headHeight)
			p.label("number", x, 18, frameWidth, fmt.Sprintf("%d–%d", fr.first, fr.last))
			p.label("number", x, 32, frameWidth, "folded")
			continue
		}
		p.label("number", x, 18, frameWidth, fmt.Sprint(fr.first))
	}
	p.messages()
	for i := range p.t.Steps {
		if i > 0 && !p.frames[p.frameOf[i]].folded() {
			p.event(&p.t.Steps[i])
		}
	}
	if at := p.t.CycleAt; at != nil {
		p.f(`<path class="cycle" d="M%d %dV%dH%dV%d" marker-end="url(#head)"/>`, p.x(len(p.t.Steps)-1), 24, 4,
			p.x(*at), 8)
	}
}

func (p *picture) names() string {
	var b strings.Builder
	for _, name := range p.lanes {
		fmt.Fprintf(&b, `<text class="name" x="8" y="%d">%s</text>`+"\n", p.y(name)+4,
			html.EscapeString(clip(name, 11)))
	}
	return b.String()
}

// lane draws a line while a process is alive, and a band for each holding interval.
func (p *picture) lane(name string) {
	y, from, alive, since := p.y(name), 0, true, -1
	line := func(to int) { p.f(`<line class="lane" x1="%d" y1="%d" x2="%d" y2="%d"/>`, from, y, to, y) }
	band := func(to int) {
		p.f(`<rect class="stay" x="%d" y="%d" width="%d" height="22" rx="4"/>`, p.x(since), y-11, to-p.x(since))
		since = -1
	}
	for i := range p.t.Steps {
		s := &p.t.Steps[i]
		switch inside := s.Uses(name); {
		case inside && since < 0:
			since = i
		case !inside && since >= 0:
			band(p.x(i))
		}
		was := alive
		switch alive = s.Alive(name, was); {
		case was && !alive:
			line(p.x(i))
		case alive && !was:
			from = p.x(i)
		}
	}
	if since >= 0 {
		band(p.width())
	}
	if alive {
		line(p.width())
	}
}

// excesses marks the steps after which the units in use exceed the capacity.
func (p *picture) excesses() {
	for i := range p.t.Steps {
		over := p.t.excess(&p.t.Steps[i])
		if over == "" || i+1 < len(p.t.Steps) && p.frameOf[i+1] == p.frameOf[i] {
			continue
		}
		width := frameWidth
		if i == len(p.t.Steps)-1 {
			width = p.width() - p.x(i)
		}
		p.f(`<rect class="over" x="%d" y="%d" width="%d" height="%d"><title>%s</title></rect>`, p.x(i),
			headHeight-8, width, p.height()-headHeight+8, html.EscapeString(over))
	}
}

// messages draws the arrows. The arrow of a message that is not received ends before its target.
func (p *picture) messages() {
	receipt := map[string]int{}
	for i := range p.t.Steps {
		if m := p.t.Steps[i].Received; m != nil {
			receipt[m.ID] = i
		}
	}
	for i := range p.t.Steps {
		for _, m := range p.t.Steps[i].Sent {
			to, received := receipt[m.ID]
			switch {
			// no arrow from a folded step to a folded step
			case received && p.frames[p.frameOf[to]].folded() && p.frames[p.frameOf[i]].folded():
			case received:
				p.arrow(p.class("message", to), p.x(i), p.y(m.From), p.x(to), p.y(m.To), &m)
			case !p.frames[p.frameOf[i]].folded():
				dy := (p.y(m.To) - p.y(m.From)) * 2 / 5
				p.arrow(p.class("pending", i), p.x(i), p.y(m.From), p.x(i)+frameWidth*2/5, p.y(m.From)+dy, &m)
			}
		}
	}
}

func (p *picture) arrow(class string, x1, y1, x2, y2 int, m *Msg) {
	title := html.EscapeString(oneLine(m.ID + " " + m.String()))
	p.f(`<line class="%s" x1="%d" y1="%d" x2="%d" y2="%d" marker-end="url(#head)"><title>%s</title></line>`,
		class, x1, y1, x2, y2, title)
	if strings.HasPrefix(class, "message") {
		p.label(strings.Replace(class, "message", "text", 1), (x1+3*x2)/4, (y1+3*y2)/4-4,
			2*frameWidth, m.Text)
	}
}

// event draws the mark of a step, and its name unless the arrow of its message has a text.
func (p *picture) event(s *Step) {
	x, y := p.x(s.Index), p.y(s.lane())
	title := html.EscapeString(s.sentence())
	if s.Crashed {
		p.f(`<path class="crash" d="M%d %dl14 14m0 -14l-14 14"><title>%s</title></path>`, x-7, y-7, title)
	} else {
		p.f(`<circle class="%s" cx="%d" cy="%d" r="5"><title>%s</title></circle>`,
			p.class("step", s.Index), x, y, title)
	}
	if s.Received != nil && s.Received.ID != "m0" && !s.Crashed {
		return
	}
	room, below := frameWidth, 24
	if s.Node == "" { // neighbours take turns above and below the line
		room = 2*frameWidth - 12
		below = []int{24, -16}[s.Index%2]
	}
	p.label(p.class("event", s.Index), x, y+below, room, s.act())
}
