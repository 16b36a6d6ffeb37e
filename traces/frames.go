package traces

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

// kept returns for each step whether it is shown by itself.
func (t *Trace) kept() []bool {
	kept := make([]bool, len(t.Steps))
	n, room := len(t.Steps), maxFrames-keptFirst-keptLast
	for i := range t.Steps {
		kept[i] = n <= maxFrames || i < keptFirst || i >= n-keptLast
	}
	for i := n - 1; i > 0 && room > 0; i-- {
		if !kept[i] && t.important(i) {
			kept[i] = true
			room -= 2 // the step, and the fold that may follow it
		}
	}
	return kept
}

// important reports whether a step is a crash, or an entry to or exit from the
// critical section.
func (t *Trace) important(i int) bool {
	s, before := &t.Steps[i], &t.Steps[i-1]
	return s.Crashed || uses(s.Inside) != uses(before.Inside)
}
