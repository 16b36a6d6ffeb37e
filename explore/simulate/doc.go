// Package simulate plays random runs of a model that has too many states to visit them all, or to find a
// violation sooner than a search in breadth does. Runs can miss a violation, so no property is reported to
// hold, except a goal that a run has reached.
//
// A scheduler chooses the next step among the enabled ones: with equal probability, or by priorities, for
// instance. Each run draws from a source of its own, made from the seed and the number of the run, and the
// results are combined in the order of these numbers: the report does not depend on the number of workers.
package simulate
