// Package simulate plays random runs of a model, where there are too many states to visit them all, or to
// find a violation sooner than a search in breadth would. A violation that no run meets may exist all the
// same, so it never says that a property holds, except of a goal that a run has reached.
//
// A scheduler decides which of the enabled steps is taken: for instance each as likely, or by priorities.
// Each run draws from a source of its own, made from the seed and the number of the run, and runs are put
// together in their order: the report does not depend on the number of workers.
package simulate
