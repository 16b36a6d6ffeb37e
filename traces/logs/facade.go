package logs

import (
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// The types below have one name here: how logs are read (formats), their events in order
// (order), and how much of a resource was in use (occupancy).

type (
	Options     = formats.Options
	Mapping     = formats.Mapping
	Header      = formats.Header
	Place       = formats.Place
	InputError  = formats.InputError
	Finding     = formats.Finding
	Kind        = formats.Kind
	MemoryError = order.MemoryError

	Log     = order.Log
	History = order.History
	Event   = order.Event
	Sent    = order.Sent

	Judging    = occupancy.Judging
	Reading    = occupancy.Reading
	Ending     = occupancy.Ending
	Occupancy  = occupancy.Occupancy
	OverlapSet = occupancy.OverlapSet
	Stale      = occupancy.Stale

	Watch           = occupancy.Watch
	Violation       = occupancy.Violation
	Figures         = occupancy.Figures
	ResourceFigures = occupancy.ResourceFigures
	Durations       = occupancy.Durations
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

// Names that are used in options, bounds of durations, and the functions of the three packages.
var (
	Formats = formats.Formats
	Endings = occupancy.Endings
	Bounds  = occupancy.Bounds
	Schema  = formats.Schema

	Read          = order.Read
	Judge         = occupancy.Judge
	NewWatch      = occupancy.NewWatch
	OccupanciesOf = occupancy.OccupanciesOf
	ReadMapping   = formats.ReadMapping
	Presets       = formats.Presets
	HasHoldings   = formats.HasHoldings
	Change        = formats.Change
	Crash         = formats.Crash
)
