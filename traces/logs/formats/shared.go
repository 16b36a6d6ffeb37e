package formats

import (
	"encoding/json"
	"fmt"
	"strings"
)

// sharedPart ends the names of events of those who only read.
const sharedPart = "-read"

// IsShared reports whether an event's name says that it is shared.
func IsShared(name string) bool {
	at := len(name) - len(sharedPart)
	return at > 0 && name[at] == sharedPart[0] && strings.EqualFold(name[at:], sharedPart)
}

// access reads the field by which a holding is shared with others or not.
func (e *Entry) access(fields map[string]json.RawMessage) error {
	raw, ok := fields["shared"]
	if !ok {
		return nil
	}
	switch strings.ToLower(strings.Trim(string(raw), `"`)) {
	case "true", "read", "shared":
		e.Reads = true
	case "false", "write", "exclusive", "null", "":
	default:
		return fmt.Errorf(
			`field "shared" is %s; allowed are true and false, read and write, shared and exclusive`,
			clip(raw),
		)
	}
	return nil
}
