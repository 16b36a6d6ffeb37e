// Package logs reads what real runs leave behind: events of several nodes, in
// one file or many, with whatever there is to order them by, and judges how many units of a resource
// were in use at once, for certain or possibly. It is a facade: formats has a reader for each format of logs,
// which docs/logs.md describes, and the Mapping that changes names on the way; order has the events in
// their order; occupancy has the units that they hold.
//
// What makes a file unusable is an InputError with file and line. Everything else that is odd is a Finding: a
// contradiction, which no run can have, or something that a missing line may explain. Judge is what most
// programs want, or package validate, which has the verdict as well. Log.History is what the search for a run
// of a model starts from.
//
// Lines are at most 12 MiB long; longer lines are refused before more of them is read.
package logs
