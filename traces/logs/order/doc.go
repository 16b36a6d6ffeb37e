// Package order has the events of a log: compact records, which a Collector makes of what formats reads, and
// their known order: each node's counts, vector clocks, messages, and intervals in time.
package order
