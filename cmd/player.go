//go:build !js

package cmd

import "github.com/atmostk/atmostk/cmd/internal/cli"

// A Player is an Elsewhere that has random runs played by other processes, too.
type Player = cli.Player
