// Command atmostk-cluster explores instances with workers on many machines: see docs/large.md.
package main

import (
	"os"

	"github.com/atmostk/atmostk/cmd/atmostk-cluster/distributed"
)

func main() { distributed.Program(nil, os.Stderr).Main() }
