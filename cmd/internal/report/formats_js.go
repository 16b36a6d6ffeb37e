package report

import (
	"embed"

	"github.com/atmostk/atmostk/model/usage"
)

// Schemas has the schema that the program for browsers has room for.
//
//go:embed check.schema.json
var Schemas embed.FS

// marshalXML is an error in a browser: the encoder of XML is 1% of what a visitor of the playground loads.
func marshalXML(any, string, string) ([]byte, error) {
	return nil, usage.Errorf("a program in a browser writes no JUnit")
}
