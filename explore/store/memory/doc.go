// Package memory keeps the states of a search in memory: visited states in hash tables outside of the heap,
// states that are not expanded yet in queues.
package memory
