//go:build !js

package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/model/file"
	"github.com/atmostk/atmostk/model/file/goform"
	"github.com/atmostk/atmostk/model/usage"
)

func (a *app) export() *cobra.Command {
	var asGo bool
	c := &cobra.Command{
		Use:   "export FILE.star --go",
		Short: "Write a model in a file as Go, with types",
		Long: `Writes the Go form of a model in a file to standard output: a program with the parameters,
steps and properties of the file, which reaches the same states. What has no Go form is
an error that names it, with its place.`,
		Example: a.examples("% export ring.star --go > ring/main.go"),
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if !strings.HasSuffix(args[0], file.Extension) {
				return usage.Errorf("export is about models in files, whose names end in %s", file.Extension)
			}
			if !asGo {
				return usage.Errorf("into what? allowed: --go")
			}
			code, err := goform.Export(args[0])
			if err != nil {
				return inputError{err}
			}
			_, err = a.out.Write(code)
			return err
		},
	}
	c.Flags().BoolVar(&asGo, "go", false, "a program in Go")
	return c
}
