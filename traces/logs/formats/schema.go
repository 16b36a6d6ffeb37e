package formats

import _ "embed"

// Schema describes the lines of a log in the format ndjson, as JSON Schema.
//
//go:embed schema.json
var Schema string
