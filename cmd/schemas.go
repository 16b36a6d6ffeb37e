package cmd

import (
	_ "embed"

	"github.com/spf13/cobra"
)

// The JSON Schemas of what check and validate write in JSON.
var (
	//go:embed check.schema.json
	checkSchema string
	//go:embed validate.schema.json
	validateSchema string
)

// schemaForm is the form of a report that is the JSON Schema of its form in JSON.
const schemaForm = "schema"

// unlessSchema wants an argument, unless it is only the schema of a report that is asked for.
func unlessSchema(format *string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if *format == schemaForm {
			return nil
		}
		return cobra.MinimumNArgs(1)(c, args)
	}
}
