//go:build !js

package cmd

import "github.com/atmostk/atmostk/cmd/internal/cli"

// A Player is a RemoteSearcher that has random runs played by other processes, too.
type Player = cli.Player
