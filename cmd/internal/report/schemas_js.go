package report

import "embed"

// Schemas has the schemas of the verbs that the program for browsers has.
//
//go:embed check.schema.json list.schema.json
var Schemas embed.FS
