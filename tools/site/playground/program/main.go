// Command program is the checker of the playground: models come from files only.
package main

import "github.com/atmostk/atmostk/cmd"

func main() { cmd.Program{Name: "atmostk"}.Main() }
