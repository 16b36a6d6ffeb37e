// Package order has the events of a log and their known order. A Collector makes compact records of the
// entries of package formats. The order comes from counts of nodes, vector clocks, messages, and intervals in
// time.
package order
