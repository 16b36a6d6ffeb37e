// Command manual writes the files that are installed beside atmostk: man pages and shell completions.
//
// It is a module of its own: only packaging needs it, and its libraries took a tenth of the start time of the
// program.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra/doc"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/specs"
)

// main exits with 64 if its arguments are not a folder and a version, and with 74 if it cannot write.
func main() {
	if len(os.Args) != 3 || os.Args[1] == "" {
		fmt.Fprintln(os.Stderr, "usage: manual DIR VERSION: write man pages and completions into a folder")
		os.Exit(64)
	}
	if err := write(cmd.Program{Name: "atmostk", Specs: specs.All}, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(74)
	}
}

// write writes man1/, a page for each verb, and completions/, a file for each shell, into a folder,
// which is made if it does not exist. The date of the pages is SOURCE_DATE_EPOCH, in seconds since 1970, or
// today.
func write(p cmd.Program, dir, version string) error {
	root := p.Command()
	pages, completions := filepath.Join(dir, "man1"), filepath.Join(dir, "completions")
	for _, folder := range []string{pages, completions} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	name := root.Name()
	root.DisableAutoGenTag = true // no date in the text
	header := doc.GenManHeader{Source: name + " " + version, Manual: "User Commands"}
	if err := doc.GenManTree(root, &header, pages); err != nil {
		return err
	}
	in := func(file string) string { return filepath.Join(completions, file) }
	for _, write := range []func() error{
		func() error { return root.GenBashCompletionFileV2(in(name+".bash"), true) },
		func() error { return root.GenZshCompletionFile(in("_" + name)) },
		func() error { return root.GenFishCompletionFile(in(name+".fish"), true) },
		func() error { return root.GenPowerShellCompletionFileWithDesc(in(name + ".ps1")) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}
