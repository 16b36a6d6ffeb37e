//go:build !js

package report

import (
	"embed"
	"encoding/xml"
)

// Schemas has the JSON Schemas of the reports in JSON: VERB.schema.json. The schema of list is also for show.
//
//go:embed *.schema.json
var Schemas embed.FS

// marshalXML writes JUnit's XML; a program in a browser leaves the encoder out, for its size.
var marshalXML = xml.MarshalIndent
