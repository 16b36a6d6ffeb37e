package formats

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A Grant is what an event of a lock says of it beside its units.
type Grant struct {
	Token int64 // the fencing token; noToken
	// A lease is how long the units are the node's: so long from the event on, or until some moment
	// between the other two; ever: not said.
	Lasts          int64
	Earliest, Last int64
}

// NoToken is no fencing token.
const NoToken = Ever

// NoGrant says nothing.
var NoGrant = Grant{Token: NoToken, Lasts: Ever, Earliest: Ever, Last: Ever}

// fence reads a field that is a fencing token: a whole number, also as a text.
func fence(fields map[string]json.RawMessage, to *int64) error {
	var value string
	if err := Text(fields, "fence", &value); err != nil || value == "" {
		return err
	}
	x, err := strconv.ParseInt(value, 10, 64)
	if err != nil || x == NoToken {
		return fmt.Errorf(`field "fence" is %s; allowed are whole numbers`, clip([]byte(value)))
	}
	*to = x
	return nil
}

// grants reads the fields about them.
func (e *Entry) grants(fields map[string]json.RawMessage, m *Mapping) error {
	if err := fence(fields, &e.Grant.Token); err != nil {
		return err
	}
	if err := m.spell(fields, "lease_lasts", &e.Grant.Lasts); err != nil {
		return err
	}
	if raw, ok := fields["lease_ends"]; ok && string(raw) != "null" {
		if _, err := m.timeForm.moment(raw, &e.Grant.Last); err != nil {
			return fmt.Errorf(`field "lease_ends" is %s; allowed are %s`, clip(raw), times)
		}
	}
	return e.access(fields)
}
