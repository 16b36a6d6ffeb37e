// Package starfile reads models from files in Starlark (https://github.com/bazelbuild/starlark), a
// deterministic dialect of Python without access to the machine: [Load] reads a file and returns its
// model.Spec. docs/files.md is the reference of the language; specs/files has examples.
//
// A file is executed once to find its parameters, with their defaults, and once for each instance, with the
// values of that instance, to make the model. So parameters are plain values in the file.
//
// A model in a file becomes the same as a model in Go: processes a model.Composition, a system a model.System
// over words. One codec packs local states, messages, histories and states of systems in bits: equal values,
// equal bits, on every machine. The kernel calls a handler of processes once for each memo key; actions of
// systems, and all properties, are remembered here by the variables that they read: see memo.
//
// Before the model is made, a static pass goes through the functions that the model calls, with the types of
// their arguments: see pass. A mistake in all instances is an error.
//
// From below: bits, types, containers and records are values and their codec; run executes functions of the
// model, memo remembers their results; library and declare are the names of the language; tree and premise
// change the syntax tree; shape, infer and pass are the static pass; steps, property, compose, global and
// system make the model; load executes files.
package starfile
