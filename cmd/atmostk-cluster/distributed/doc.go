// Package distributed has searches done by many processes, on Temporal: an engine that keeps what has to
// be done, gives it to workers, notices when one is lost, and gives its task to another.
//
// A search is a workflow, [Search]. Level by level it has partitions of the frontier expanded and shards
// merged. These are activities: functions from files to files of package store, which are in a directory
// or a bucket that all workers reach. Each file appears whole or not at all, and none is changed, so that
// a task may be done twice, at the same time too. What the workflow knows is a store.Search, a list of
// files; it is saved with the files after each level, so that nothing is lost but the present level if
// the engine itself is.
//
// Families of instances, sweeps, are independent tasks: a worker explores one in memory, and
// keeps its report beside the files. Random runs, [Simulate], are too: a worker plays some hundred, and who
// asked puts them together in the order of their numbers.
package distributed
