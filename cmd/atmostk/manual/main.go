// Command manual writes the man pages and shell completions of atmostk into a folder.
package main

import (
	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/cmd/manual"
	"github.com/atmostk/atmostk/specs"
)

func main() { manual.Main(cmd.Program{Name: "atmostk", Specs: specs.All}) }
