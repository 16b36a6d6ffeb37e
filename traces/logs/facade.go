// Package logs reads the logs of real runs: events of several nodes, in one file or many. It orders them by
// clocks, messages, times or lines, whichever the log has, and judges how many units of a resource were in
// use at once, for certain or possibly. The package only names parts of three others: formats reads each
// format (docs/logs.md) and renames events by a Mapping; order orders the events; occupancy finds the units
// in use.
//
// An unusable file is an InputError with file and line. Every other anomaly is a Finding: a contradiction,
// which no run can have, or a sign of a missing line. Most programs call Judge, or package validate, which
// adds the verdict. The search for a run of a model starts from Log.History.
//
// A line has at most 12 MiB; a longer one is an error, and the rest of it is not read.
package logs

import (
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// The types of formats, order and occupancy that users of logs need, under one name.

type (
	// Options say how logs are read.
	Options = formats.Options
	// Mapping has the names in a log and their translation.
	Mapping = formats.Mapping
	// Header is the model and its parameters, if the log names them.
	Header = formats.Header
	// Place is a line of a file.
	Place = formats.Place
	// InputError reports why a log cannot be used.
	InputError = formats.InputError
	// Finding is an anomaly of a log.
	Finding = formats.Finding
	// Kind is a kind of finding, listed in package formats.
	Kind = formats.Kind
	// A MemoryError reports that logs need more memory than Options.Memory.
	MemoryError = order.MemoryError

	// Log has the events of a run and their partial order.
	Log = order.Log
	// History has the events with all their fields.
	History = order.History
	// Event is one line of a log.
	Event = order.Event
	// Sent is a message that an event sends.
	Sent = order.Sent

	// Judging has the number of units and the reading of holdings.
	Judging = occupancy.Judging
	// Reading says how events make holdings.
	Reading = occupancy.Reading
	// Ending says when a holding without a release ends.
	Ending = occupancy.Ending
	// Occupancy is the number of units of a resource in use at once.
	Occupancy = occupancy.Occupancy
	// OverlapSet is a set of holdings that use too many units.
	OverlapSet = occupancy.OverlapSet
	// Stale is a fencing token that is not greater than an earlier one.
	Stale = occupancy.Stale

	// Watch judges a log while it grows, in bounded memory.
	Watch = occupancy.Watch
	// Violation is a definite overlap, or a stale token, found by a watch.
	Violation = occupancy.Violation
	// Figures are the counts of a watch.
	Figures = occupancy.Figures
	// ResourceFigures are the counts of a watch for one resource.
	ResourceFigures = occupancy.ResourceFigures
	// Durations are a sum and a histogram of durations.
	Durations = occupancy.Durations
)

// Endings of holdings, the name of standard input, and the capacity of a lock of readers and writers.
const (
	Auto     = occupancy.Auto
	Possibly = occupancy.Possibly
	Held     = occupancy.Held
	Free     = occupancy.Free

	Stdin     = formats.Stdin
	AnyNumber = occupancy.AnyNumber
)

// Lists of names, the bounds of the histograms, and the functions of the three packages.
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
