package logs

// Read reads the logs of one run. What makes them unusable is an InputError, or
// an error of the file system; everything else worth knowing is in Log.Findings.
// Where a node has events in several files without seq or clock, they happened in
// the order in which the files are given.
func Read(files []string, opt Options) (*Log, error) {
	if err := usable(files, opt); err != nil {
		return nil, err
	}
	rd := newCollector(opt)
	if err := rd.readAll(files); err != nil {
		return nil, err
	}
	return rd.log(), nil
}

// Occupancies looks for moments at which more units are in use than may be: of each resource
// that the log names, and bound says how many of it may be.
func (l *Log) Occupancies(bound func(resource string) int, reading Reading) []*Occupancy {
	return occupanciesOf(l, bound, reading)
}

// Occupancy is Occupancies for a log that names no resources.
func (l *Log) Occupancy(k int, ending Ending, nested bool) *Occupancy {
	return l.Occupancies(func(string) int { return k }, Reading{Ending: ending, Nested: nested})[0]
}
