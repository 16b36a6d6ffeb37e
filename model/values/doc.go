// Package values has types for local states: sets and arrays of up to protocol.MaxStage processes, counters
// that can be forgotten, and the names and forms in which values are shown.
package values
