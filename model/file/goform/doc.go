// Package goform translates models in files to Go: [Export] returns a program with the same parameters, steps
// and properties, which reaches the same states. docs/files.md says what has a Go form.
//
// A file has no types but those of the variables of states and messages. The types of all else follow from
// them: a function of the file becomes a method for each choice of types of its parameters with which it is
// called. Numbers that depend on parameters, such as the length of an array, are constants in Go; so the file
// is executed for instances with the largest numbers that its parameters may have, and what it has then is
// what there is room for.
package goform
