// Command atmostk checks distributed mutual exclusion algorithms.
package main

import (
	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/specs"
)

func main() {
	cmd.Program{Name: "atmostk", Specs: specs.All}.Main()
}
