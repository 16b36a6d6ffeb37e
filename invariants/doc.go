// Package invariants holds the properties that are the same for all algorithms,
// written once: at most k inside, no starvation, deadlock freedom, questions of
// capacity, and the forms of liveness. A spec gives them its own name, sentence and source with As.
package invariants
