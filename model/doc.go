// Package model says what a transition system is.
//
// There are two ways to write one. A System is a set of actions over a
// comparable state, for anything that is not message passing. A Composition is a
// set of processes with local handlers, one Go function for each procedure of
// the paper; channels, crashes, failure notices and histories are added by this
// package and are the same for all algorithms. Their medium is a channel from each process
// to each other, or, on a ring, one output link each, which breaks and is opened again.
//
// Each becomes an Instance, which holds the same system in two forms. Space is
// the fast one: states are short vectors of 32-bit words, in a composition
// numbers of local states, channel contents and histories, and a handler runs
// once for each distinct situation of a process. Plain is the simple one: states
// are Go values and handlers run each time. The search works on the first;
// counterexamples are re-executed, and the search is tested, with the second.
//
// A Spec is an algorithm with its parameters, from which instances are built.
package model
