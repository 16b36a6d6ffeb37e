package report

import "embed"

// Schemas has the schema that the program for browsers has room for.
//
//go:embed check.schema.json
var Schemas embed.FS
