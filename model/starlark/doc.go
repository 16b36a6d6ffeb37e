// Package starfile makes models of files in Starlark (https://github.com/bazelbuild/starlark), a
// deterministic dialect of Python without access to the machine: [Load] reads one and returns its
// model.Spec. docs/files.md is the reference of the language, and specs/files holds models in it.
//
// A file is executed twice. The first time its parameters have their defaults, and what counts is
// which parameters it declares; the second time, for each instance, they have the values asked for, and
// what counts is the model that it makes. So parameters are plain values in it.
//
// Behind a file stands what stands behind a model in Go. Processes become a model.Composition, a system
// becomes a model.System over words. Local states, messages, histories and states of systems are packed in
// bits by one codec: equal values, equal bits, on every machine; texts are only shown. Handlers of processes
// run once for each memo key, as the kernel remembers them; actions of systems, and all properties, are
// remembered here, by the variables that they have read: see memo.
//
// Before the model is made, one walk goes through the functions that it calls, with the types of their
// arguments: see pass. What can never be right in any instance is an error.
package starfile
