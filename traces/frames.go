package traces

import "fmt"

// A frame is what a diagram shows side by side: a step, or a long stretch of
// steps folded into one.
type frame struct {
	first, last int // steps; the same unless folded
}

func (f frame) folded() bool { return f.last > f.first }

// Diagrams with more steps than maxFrames are folded: some are kept at the
// beginning, more at the end, and those that matter most in between.
const (
	maxFrames = 240
	keptFirst = 40
	keptLast  = 120
)

// frames divides a trace into frames.
func (t *Trace) frames() (fs []frame) {
	kept := t.kept()
	for i := range t.Steps {
		n := len(fs)
		if !kept[i] && n > 0 && !kept[fs[n-1].first] {
			fs[n-1].last = i
			continue
		}
		fs = append(fs, frame{i, i})
	}
	return fs
}

// kept tells for each step whether it is shown by itself.
func (t *Trace) kept() []bool {
	kept := make([]bool, len(t.Steps))
	n, room := len(t.Steps), maxFrames-keptFirst-keptLast
	for i := range t.Steps {
		kept[i] = n <= maxFrames || i < keptFirst || i >= n-keptLast
	}
	for i := n - 1; i > 0 && room > 0; i-- {
		if !kept[i] && t.matters(i) {
			kept[i] = true
			room -= 2 // the step, and the fold that may follow it
		}
	}
	return kept
}

// matters reports whether a step is a crash, or an entry to or exit from the
// critical section.
func (t *Trace) matters(i int) bool {
	s, before := &t.Steps[i], &t.Steps[i-1]
	return s.Crashed || uses(s.Inside) != uses(before.Inside)
}

// longest is the number of characters after which texts on a page are cut.
const longest = 400

// A change of a variable, as a page shows it.
type change struct {
	Owner string `json:"o"`
	Name  string `json:"n"`
	Was   string `json:"w"`
	Now   string `json:"v"`
	New   bool   `json:"c,omitempty"` // it was not there before
	Gone  bool   `json:"g,omitempty"`
}

// A scene is what a page tells of a frame.
type scene struct {
	Title    string   `json:"title"`
	Text     string   `json:"text"`
	Messages []string `json:"messages"`
	Standing string   `json:"standing"`
	Excess   string   `json:"excess"`
	Changes  []change `json:"changes"`
}

// scenes describes all frames of a run.
func (r *Run) scenes(fs []frame) (scenes []scene) {
	values := map[Var]string{} // by owner and name
	for _, f := range fs {
		s := &r.Trace.Steps[f.last]
		sc := scene{
			Title: fmt.Sprintf("Step %d", f.last), Text: clip(s.sentence(), longest), Messages: s.exchange(),
			Standing: clip(r.standing(f.last), longest), Excess: r.Trace.excess(s),
		}
		if f.folded() {
			sc.Title = fmt.Sprintf("Steps %d to %d", f.first, f.last)
			sc.Text = fmt.Sprintf("%d steps, folded", f.last-f.first+1)
			sc.Messages = nil
		}
		sc.Changes = r.Trace.changesOf(f, values)
		scenes = append(scenes, sc)
	}
	return scenes
}

// changesOf returns what the steps of a frame change together, and brings the
// values up to date.
func (t *Trace) changesOf(f frame, values map[Var]string) (list []change) {
	place := map[Var]int{}
	at := func(v Var) *change {
		key := Var{Owner: v.Owner, Name: v.Name}
		i, known := place[key]
		if !known {
			i = len(list)
			place[key] = i
			was, before := values[key]
			list = append(list, change{Owner: v.Owner, Name: v.Name, Was: was, New: !before})
		}
		return &list[i]
	}
	for i := f.first; i <= f.last; i++ {
		for _, v := range t.Steps[i].Changed {
			c := at(v)
			c.Now, c.Gone = clip(oneLine(v.Value), longest), false
			values[Var{Owner: v.Owner, Name: v.Name}] = c.Now
		}
		for _, v := range t.Steps[i].Gone {
			c := at(v)
			c.Now, c.Gone = "", true
			delete(values, Var{Owner: v.Owner, Name: v.Name})
		}
	}
	return list
}
