// Package logs finds out how to read the logs of real runs: events of several nodes, in one file or many.
// Learn proposes a Mapping for a log, Recognise finds the product that wrote it. Three packages read and
// judge: formats reads each format (docs/logs.md) and renames events by a Mapping; order orders the events
// by clocks, messages, times or lines, whichever the log has; occupancy finds how many units of a resource
// were in use at once, for certain or possibly.
//
// An unusable file is a formats.InputError with file and line. Every other anomaly is a formats.Finding: a
// contradiction, which no run can have, or a sign of a missing line. Most programs call occupancy.Judge, or
// package validate, which adds the verdict. The search for a run of a model starts from order.Log.History.
//
// A line has at most 12 MiB; a longer one is an error, and the rest of it is not read.
package logs
