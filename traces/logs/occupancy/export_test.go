package occupancy

import "github.com/atmostk/atmostk/traces/logs/order"

// Windows makes windows so small that even short logs do not fit into them, and returns what
// undoes that.
func Windows(half, wait int) (undo func()) {
	wasHalf, wasEvidence, wasSettling := firstHalf, evidence, settling
	firstHalf, evidence, settling = half, wait, wait
	return func() { firstHalf, evidence, settling = wasHalf, wasEvidence, wasSettling }
}

// Known makes a watch know only so many nodes at a time, and returns what undoes that.
func Known(nodes int) (undo func()) {
	was := maxKnown
	maxKnown = nodes
	return func() { maxKnown = was }
}

// Names is how many names of nodes a watch holds.
func (w *Watch) Names() int { return len(w.engine.rd.Names) + len(w.engine.rd.Nodes) }

// Streamed reports whether a log was judged without being kept.
func Streamed(l *order.Log) bool { return l.Recs == nil }
