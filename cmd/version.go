package cmd

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/traces/printable"
)

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: a.examples("% version"),
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			printable.Fprintln(a.out, a.tool())
			return nil
		},
	}
}

// home is the module that this package belongs to.
const home = "github.com/atmostk/atmostk"

// toolVersion is the version of the module as built, with the revision if known; of a program
// of somebody else's also that of atmostk.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	version := released(info.Main.Version)
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version += " " + s.Value
		}
	}
	version += " " + info.GoVersion
	for _, dep := range info.Deps {
		if dep.Replace != nil { // as a rule a directory, which has no version
			dep = &debug.Module{Path: dep.Path, Version: dep.Replace.Version}
		}
		if dep.Path == home {
			version += ", atmostk " + released(dep.Version)
		}
	}
	return version
}

// released is the version of a module, in a word.
func released(version string) string {
	if version == "" || version == "(devel)" {
		return "devel"
	}
	return version
}
