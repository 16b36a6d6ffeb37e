// Package logs reads what real runs leave behind: events of several nodes, in
// one file or many, with whatever there is to order them by, and makes of them a
// History: the events of each node in their order, and which event is known to
// have happened before which.
package logs
