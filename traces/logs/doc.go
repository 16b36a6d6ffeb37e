// Package logs reads what real runs leave behind: events of several nodes, in
// one file or many, with whatever there is to order them by, and makes of them a
// History: the events of each node in their order, and which event is known to
// have happened before which.
//
// Read reads files of several formats, which docs/logs.md describes: lines of JSON
// (Schema), plain logs of locks, ShiViz and GoVector, Jepsen's histories, traces of
// check. Each format has a reader that turns what it finds into entries; a Mapping
// changes names on the way. What makes a file unusable is an InputError with file and
// line. Everything else that is odd is a Finding: a contradiction, which no run can
// have, or something that a missing line may explain.
//
// A Log is what was read. Log.Occupancy asks, without any model, how many units were in
// use at once, for certain or possibly. Log.History is what the search for a run
// of a model starts from.
//
// Lines are at most 1 MiB long; what is longer is refused before more of it is read.
package logs
