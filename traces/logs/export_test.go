package logs

// Windows makes windows so small that even short logs do not fit into them, and returns what
// undoes that.
func Windows(half, wait int) (undo func()) {
	wasHalf, wasWait := firstHalf, delays
	firstHalf, delays = half, wait
	return func() { firstHalf, delays = wasHalf, wasWait }
}

// Streamed reports whether a log was judged without being kept.
func (l *Log) Streamed() bool { return l.number != nil }
