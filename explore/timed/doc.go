// Package timed measures a model: it plays runs in which each step has its time, and counts. Handlers are
// those that are explored; what they leave open is a load, a network and crashes, whose times are drawn
// from distributions.
//
// It is a discrete-event simulation: events wait in the order of their times, and of equal times in the
// order in which they were planned. A run draws from a source of its own, made from the seed and its
// number, so it is the same whatever other runs there are.
package timed
