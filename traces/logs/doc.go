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
