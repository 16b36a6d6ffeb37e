package main

import (
	"os"

	"github.com/atmostk/atmostk/explore/distributed"
)

func main() { distributed.Program(start, os.Stderr).Main() }
