//go:build !js

package report

import "embed"

// Schemas has the JSON Schemas of the reports in JSON: VERB.schema.json. The schema of list is also for show.
//
//go:embed *.schema.json
var Schemas embed.FS
