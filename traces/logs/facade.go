package logs

// Occupancies looks for moments at which more units are in use than may be: of each resource
// that the log names, and bound says how many of it may be.
func (l *Log) Occupancies(bound func(resource string) int, reading Reading) []*Occupancy {
	return occupanciesOf(l, bound, reading)
}

// Occupancy is Occupancies for a log that names no resources.
func (l *Log) Occupancy(k int, ending Ending, nested bool) *Occupancy {
	return l.Occupancies(func(string) int { return k }, Reading{Ending: ending, Nested: nested})[0]
}
