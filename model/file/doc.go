// Package file makes models of files in Starlark (https://github.com/bazelbuild/starlark), a
// deterministic dialect of Python without access to the machine: [Load] reads one and returns its
// model.Spec. docs/files.md is the reference of the language, and specs/files holds models in it.
//
// A file is executed twice. The first time its parameters have their defaults, and what counts is
// which parameters it declares; the second time, for each instance, they have the values asked for, and
// what counts is the model that it makes. So parameters are plain values in it.
//
// Behind a file stands what stands behind a model in Go. Processes become a
// model.Composition whose local states and messages are texts, written in one way for each value: equal
// values, equal texts, on every machine. A system becomes a model.System over words, in which each
// variable has the bits that its type takes. Handlers of processes run once for each situation, as the
// kernel remembers them; actions of systems, and all properties, are remembered here, by the variables
// that they have read: see memo.
package file
