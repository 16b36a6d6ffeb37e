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
		Example: "  atmostk version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			printable.Fprintln(a.out, "atmostk", toolVersion())
			return nil
		},
	}
}

// toolVersion is the version of the module as built, with the revision if known.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	version := info.Main.Version
	if version == "" || version == "(devel)" {
		version = "devel"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version += " " + s.Value
		}
	}
	return version + " " + info.GoVersion
}
