package logs

import (
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

type (
	// Options say how logs are read.
	Options = formats.Options
	// Mapping says how the lines of a log become events.
	Mapping = formats.Mapping
	// Header is what a log says of its run.
	Header = formats.Header
	// Place is a line of a file.
	Place = formats.Place
	// InputError says why a log cannot be used.
	InputError = formats.InputError
	// Finding is what is wrong with a log.
	Finding = formats.Finding
	// Kind is a kind of finding.
	Kind = formats.Kind
	// A MemoryError says that logs take more memory than they may.
	MemoryError = order.MemoryError
)

type (
	// History is the events of all nodes in order.
	History = order.History
	// Event is one line of a log.
	Event = order.Event
	// Sent is a message that an event sends.
	Sent = order.Sent
)

type (
	// Judging says what is asked of logs.
	Judging = occupancy.Judging
	// Reading says how holdings are understood.
	Reading = occupancy.Reading
	// Ending says how a holding without a release ends.
	Ending = occupancy.Ending
	// Occupancy says how much of a resource was in use.
	Occupancy = occupancy.Occupancy
	// OverlapSet is holdings that use too many units.
	OverlapSet = occupancy.OverlapSet
	// Stale is a fencing token that went back.
	Stale = occupancy.Stale
	// Spread says how long units were held.
	Spread = occupancy.Spread
)

type (
	// Violation is a definite overlap in logs that are watched.
	Violation = occupancy.Violation
	// Figures are the counts of a watch.
	Figures = occupancy.Figures
	// ResourceFigures are its counts of a resource.
	ResourceFigures = occupancy.ResourceFigures
	// Durations are sums of times.
	Durations = occupancy.Durations
)

// The kinds of findings, readings of holdings without an end, and names of inputs.
const (
	Cycle       = formats.Cycle
	Backwards   = formats.Backwards
	DuplicateID = formats.DuplicateID
	SameName    = formats.SameName
	LamportLess = formats.LamportLess
	Unsent      = formats.Unsent
	Torn        = formats.Torn
	Unreadable  = formats.Unreadable
	Empty       = formats.Empty
	Tail        = formats.Tail
	Gap         = formats.Gap
	Restart     = formats.Restart
	Nested      = formats.Nested
	Twice       = formats.Twice
	NotInside   = formats.NotInside
	NotHeld     = formats.NotHeld
	Outlasts    = formats.Outlasts
	TimeBack    = formats.TimeBack

	Auto     = occupancy.Auto
	Possibly = occupancy.Possibly
	Held     = occupancy.Held
	Free     = occupancy.Free

	Stdin     = formats.Stdin
	AnyNumber = occupancy.AnyNumber
)

// Names that are used in options, and bounds of durations.
var (
	Formats = formats.Formats
	Endings = occupancy.Endings
	Bounds  = occupancy.Bounds
	Schema  = formats.Schema
)

// A Log is what was read: the events of one run.
type Log struct{ *order.Log }

// A Watch judges logs that are still being written.
type Watch struct{ *occupancy.Watch }

// Read reads the logs of one run. What makes them unusable is an InputError, or
// an error of the file system; everything else worth knowing is in Log.Findings.
// Where a node has events in several files without seq or clock, they happened in
// the order in which the files are given.
func Read(files []string, opt Options) (*Log, error) {
	l, err := order.Read(files, opt)
	if err != nil {
		return nil, err
	}
	return &Log{l}, nil
}

// Judge reads the logs of one run and judges how much of each resource was in use at once. It is
// Read and Log.Occupancies in one, and says the same; but an event is kept only as long as a later one
// may concern it.
func Judge(files []string, opt Options, how Judging) (*Log, []*Occupancy, error) {
	l, uses, err := occupancy.Judge(files, opt, how)
	if err != nil {
		return nil, nil, err
	}
	return &Log{l}, uses, nil
}

// NewWatch begins to watch files, of which "-" stands for opt.Stdin. Those that do not exist yet are
// waited for, and those that are moved away or emptied are opened anew.
func NewWatch(files []string, opt Options, how Judging) (*Watch, error) {
	w, err := occupancy.NewWatch(files, opt, how)
	if err != nil {
		return nil, err
	}
	return &Watch{w}, nil
}

// Judgement is what Judge says of all that was read, when the logs have ended; but what is definite is not in
// it, as Violations has reported that.
func (w *Watch) Judgement() (*Log, []*Occupancy) {
	l, uses := w.Watch.Judgement()
	return &Log{l}, uses
}

// Occupancies judges how much of each resource was in use at once; bound says how many units there are.
func (l *Log) Occupancies(bound func(resource string) int, reading Reading) []*Occupancy {
	return occupancy.OccupanciesOf(l.Log, bound, reading)
}

// Occupancy is Occupancies for a log that names no resources.
func (l *Log) Occupancy(k int, ending Ending, nested bool) *Occupancy {
	return l.Occupancies(func(string) int { return k }, Reading{Ending: ending, Nested: nested})[0]
}

// ReadMapping, Presets, Staying, Change and Crash are those of the formats.
var (
	ReadMapping = formats.ReadMapping
	Presets     = formats.Presets
	Staying     = formats.Staying
	Change      = formats.Change
	Crash       = formats.Crash
)
