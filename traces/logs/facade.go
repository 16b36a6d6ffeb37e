package logs

import (
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// The types below have one name here: how logs are read (formats), their events in order
// (order), and how much of a resource was in use (occupancy).

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
	// Kind is a kind of finding, one of those that formats lists.
	Kind = formats.Kind
	// A MemoryError says that logs take more memory than they may.
	MemoryError = order.MemoryError

	// Log has the events of a run, in their order as far as it is known.
	Log = order.Log
	// History is the events of all nodes in order.
	History = order.History
	// Event is one line of a log.
	Event = order.Event
	// Sent is a message that an event sends.
	Sent = order.Sent

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

	// Watch judges a log while it grows, in bounded memory.
	Watch = occupancy.Watch
	// Violation is a definite overlap in logs that are watched.
	Violation = occupancy.Violation
	// Figures are the counts of a watch.
	Figures = occupancy.Figures
	// ResourceFigures are its counts of a resource.
	ResourceFigures = occupancy.ResourceFigures
	// Durations are sums of times.
	Durations = occupancy.Durations
)

// Readings of holdings without an end, and names of inputs.
const (
	Auto     = occupancy.Auto
	Possibly = occupancy.Possibly
	Held     = occupancy.Held
	Free     = occupancy.Free

	Stdin     = formats.Stdin
	AnyNumber = occupancy.AnyNumber
)

// Names that are used in options, bounds of durations, and the functions of the three packages.
var (
	Formats = formats.Formats
	Endings = occupancy.Endings
	Bounds  = occupancy.Bounds

	Read          = order.Read
	Judge         = occupancy.Judge
	NewWatch      = occupancy.NewWatch
	OccupanciesOf = occupancy.OccupanciesOf
	ReadMapping   = formats.ReadMapping
	Presets       = formats.Presets
	HasHoldings   = formats.HasHoldings
)
