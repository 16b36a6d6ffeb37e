//go:build !js

package report

import "encoding/xml"

var marshalXML = xml.MarshalIndent
