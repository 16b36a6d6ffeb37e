package cli

import (
	"embed"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model/usage"
)

// helpTexts are the texts of the verbs that run in a browser.
//
//go:embed help/root.txt help/check.txt help/replay.txt
var helpTexts embed.FS

func (*app) process([]string) error {
	return usage.Errorf("a program in a browser cannot start processes")
}

func (a *app) ofMachines() []*cobra.Command { return nil }

func (*app) checkFamily(*cobra.Command, []string, *checkFlags) error {
	return usage.Errorf("a program in a browser explores one instance at a time")
}
