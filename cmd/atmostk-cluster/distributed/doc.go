// Package distributed runs searches on many machines with Temporal: an engine that stores tasks, gives
// them to workers, detects lost workers, and gives their tasks to other workers.
//
// A search is a workflow, [Search]. Level by level, workers expand partitions of the frontier and merge
// shards. These are activities: functions from files to files of package store, in a directory or a bucket
// that all workers reach. Each file appears whole or not at all, and none is changed, so a task may be done
// twice, also at the same time. The state of the workflow is a store.Search, a list of files; it is saved
// with the files after each level, so that the loss of the engine costs only the current level.
package distributed
