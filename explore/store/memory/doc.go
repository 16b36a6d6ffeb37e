// Package memory keeps the states of a search in memory: the visited ones in hash tables outside of the heap,
// those that are still to be expanded in queues.
package memory
