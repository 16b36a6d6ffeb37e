// Package cmd is the command atmostk: its verbs, one file each. It can be imported,
// so that an algorithm in a module of one's own gets the whole command, under its own name:
//
//	func main() { cmd.Program{Name: "ringcheck", Specs: []model.Spec{ring.Spec}}.Main() }
//
// It is the only package that knows of flags, colour and the terminal. Results go
// to standard output, progress and diagnostics to standard error.
package cmd
