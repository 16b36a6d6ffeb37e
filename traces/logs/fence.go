package logs

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A right is what an event of a lock says of it beside its units.
type right struct {
	token int64 // the fencing token; noToken
	// A lease is how long the units are the node's: so long from the event on, or until some moment between
	// the
	// other two; ever: not said.
	lasts          int64
	earliest, last int64
}

// noToken is no fencing token.
const noToken = ever

// noRight says nothing.
var noRight = right{token: noToken, lasts: ever, earliest: ever, last: ever}

// fence reads a field that is a fencing token: a whole number, also as a text.
func fence(fields map[string]json.RawMessage, to *int64) error {
	var value string
	if err := text(fields, "fence", &value); err != nil || value == "" {
		return err
	}
	x, err := strconv.ParseInt(value, 10, 64)
	if err != nil || x == noToken {
		return fmt.Errorf(`field "fence" is %s; allowed are whole numbers`, clip([]byte(value)))
	}
	*to = x
	return nil
}

// rights reads the fields about them.
func (e *entry) rights(fields map[string]json.RawMessage, m *Mapping) error {
	if err := fence(fields, &e.right.token); err != nil {
		return err
	}
	if err := m.spell(fields, "lease_lasts", &e.right.lasts); err != nil {
		return err
	}
	if raw, ok := fields["lease_ends"]; ok && string(raw) != "null" {
		if _, err := m.timeForm.moment(raw, &e.right.last); err != nil {
			return fmt.Errorf(`field "lease_ends" is %s; allowed are %s`, clip(raw), times)
		}
	}
	return e.access(fields)
}
