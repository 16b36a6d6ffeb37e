package traces

// A frame is a column of a diagram: one step, or many steps folded together.
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
