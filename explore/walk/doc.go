// Package walk explores a model by random runs: where there are too many states to visit them all, or to find
// a violation sooner than a search in breadth would. What it does not find need not be absent, so it never
// says that a property holds, but of a goal that a run has reached.
//
// A scheduler decides which of the steps that are enabled is taken. Each run draws from a source of
// its own, made from the seed and the number of the run, and runs are put together in their order: what is
// reported does not depend on how many workers there are.
package walk
