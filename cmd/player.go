//go:build !js

package cmd

import "github.com/atmostk/atmostk/cmd/internal/cli"

// A Player is a RemoteSearcher that also has other processes play random runs.
type Player = cli.Player
