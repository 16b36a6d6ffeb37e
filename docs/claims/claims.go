// Package claims holds what the command has found of the papers' claims, as it has
// written it: the answers to the rows of the pages, and the tables of verdicts.
package claims

import "embed"

// Files are the answers, PAPER-found.ndjson, and the tables, PAPER-tables.md.
//
//go:embed *-found.ndjson *-tables.md
var Files embed.FS
