package cmd

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/atmostk/atmostk/model"
)

// manual is the verb that makes what is installed beside the program. It is hidden: who packages
// the program needs it, who uses it does not.
func (a *app) manual() *cobra.Command {
	return &cobra.Command{
		Use:   "manual DIR",
		Short: "Write man pages and shell completions into a folder",
		Long: `Writes man1/, a page for each verb, and completions/, a file for each shell, into a folder,
which is made if it is not there. The pages have the date that SOURCE_DATE_EPOCH says, in seconds
since 1970, or that of today.`,
		Example: a.examples("% manual .release"),
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == "" {
				return model.Usage("DIR is empty; the name of a folder is wanted")
			}
			if err := a.writeManual(c.Root(), args[0]); err != nil {
				return writeError{err}
			}
			return nil
		},
	}
}

func (a *app) writeManual(root *cobra.Command, dir string) error {
	pages, completions := filepath.Join(dir, "man1"), filepath.Join(dir, "completions")
	for _, folder := range []string{pages, completions} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	root.DisableAutoGenTag = true // no date in the text
	header := doc.GenManHeader{Source: a.tool(), Manual: "User Commands"}
	if err := doc.GenManTree(root, &header, pages); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(completions, name) }
	for _, write := range []func() error{
		func() error { return root.GenBashCompletionFileV2(in(a.Name+".bash"), true) },
		func() error { return root.GenZshCompletionFile(in("_" + a.Name)) },
		func() error { return root.GenFishCompletionFile(in(a.Name+".fish"), true) },
		func() error { return root.GenPowerShellCompletionFileWithDesc(in(a.Name + ".ps1")) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}
