package main

import (
	"os"

	"github.com/atmostk/atmostk/cmd/atmostk-cluster/distributed"
)

func main() { distributed.Program(start, os.Stderr).Main() }
