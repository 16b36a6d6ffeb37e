package traces

// A frame is what a diagram shows side by side: a step, or a long stretch of
// steps folded into one.
type frame struct {
	first, last int // steps; the same unless folded
}

func (f frame) folded() bool { return f.last > f.first }

// Diagrams with more steps than maxFrames are folded between the first and the last ones.
const (
	maxFrames = 240
	keptFirst = 40
	keptLast  = 120
)

// frames divides a trace into frames.
func (t *Trace) frames() (fs []frame) {
	n := len(t.Steps)
	for i := 0; i < n; i++ {
		last := i
		if n > maxFrames && i == keptFirst {
			last = n - keptLast - 1
		}
		fs = append(fs, frame{i, last})
		i = last
	}
	return fs
}
