// Package explore searches the state space of a model.
//
// The search is breadth-first. By default it visits every reachable state once
// and stores it in full. It goes level by level, and divides each level into expansions
// of a few thousand states. First the states of an expansion are expanded: workers share
// chunks of consecutive states, and sort the successors of each chunk by the shard of the
// visited set to which their hash belongs. Second the successors are looked up: workers
// share the shards, and each goes through the chunks in order. Third the new states of each
// chunk are judged. No two workers ever touch the same data, without locks. The
// states found, their order and their parents do not depend on the number of workers; nor
// do counts, verdicts and counterexamples.
//
// Most steps of different processes that commute are counted and not looked up:
// kernel.SleepTag says which ones, and why no state is missed. Only the choice between
// several shortest counterexamples may depend on it.
//
// A state of the visited set is linked to its parent by 31 bits of the parent's
// hash. Counterexamples are put together from these links, checked step by step,
// and then executed once more by the model's plain semantics.
//
// Liveness is judged on the graph of all visited states after a complete search: a
// property is violated if a fair strongly connected component can be reached in
// the way that the property's model.Lasso describes. The conventions are TLC's:
// a run may stutter for ever unless fairness forbids it, a step that changes
// nothing is stuttering, enabledness is judged before the constraint.
//
// The costs of runs are counted on the same graph, by longest and shortest paths, because
// the number of messages is not part of a state.
package explore
