// Package explore searches the state space of a model.
//
// The search is breadth-first and exact: it visits every reachable state once
// and stores it in full. It goes level by level, and each level in expansions of some
// thousand states. An expansion has two halves. First the states are expanded: workers
// share out chunks of consecutive states, and sort the successors of each chunk by
// the shard of the visited set to which their hash belongs. Then the successors
// are looked up: workers share out the shards, and each goes through the chunks in
// order. No two workers ever touch the same data, so there are no locks, and what
// is found, in which order and with which parent does not depend on how many
// workers there are: counts, verdicts and counterexamples are the same for any.
//
// Of steps of different processes that commute most are counted only, and not looked up:
// kernel.SleepTag says which and why nothing is missed. Which of several shortest
// counterexamples is found may depend on it, nothing else.
//
// A state of the visited set is linked to its parent by 31 bits of the parent's
// hash. Counterexamples are put together from these links, checked step by step,
// and then executed once more through the model's plain semantics.
//
// Liveness is judged on the graph of all visited states once they are complete: a
// property is violated if a fair strongly connected component can be reached in
// the way that the property's model.Lasso describes. The conventions are TLC's:
// a run may stutter for ever unless fairness forbids it, a step that changes
// nothing is stuttering, enabledness is judged before the constraint.
//
// What runs cost is counted on that graph too, by longest and shortest ways: the number
// of messages is not part of a state.
package explore
