//go:build !js

package report

import "encoding/xml"

// marshalXML writes JUnit's XML; a program in a browser leaves the encoder out, for its size.
var marshalXML = xml.MarshalIndent
