package logs

import (
	"encoding/json"
	"fmt"
	"strings"
)

// sharedPart ends the names of events of those who only read.
const sharedPart = "-read"

// AnyNumber is how many may read at once if nobody says; a writer takes as many units.
const AnyNumber = 1 << 20

// modes are the names of stays with a lock of readers and writers, by whether they read.
var modes = [2]string{"write", "read"}

// isShared reports whether an event's name says that it is shared.
func isShared(name string) bool {
	at := len(name) - len(sharedPart)
	return at > 0 && name[at] == sharedPart[0] && strings.EqualFold(name[at:], sharedPart)
}

// access reads the field by which a stay is shared with others or not.
func (e *entry) access(fields map[string]json.RawMessage) error {
	raw, ok := fields["shared"]
	if !ok {
		return nil
	}
	switch strings.ToLower(strings.Trim(string(raw), `"`)) {
	case "true", "read", "shared":
		e.reads = true
	case "false", "write", "exclusive", "null", "":
	default:
		return fmt.Errorf(
			`field "shared" is %s; allowed are true and false, read and write, shared and exclusive`,
			clip(raw),
		)
	}
	return nil
}

// share makes a resource one of readers and writers: whoever only reads takes a unit, and a writer all that
// there are.
func (u *use) share() {
	u.Shared = true
	if u.K <= 1 {
		u.K = AnyNumber
	}
}

// weigh says how many units an event is about, if its lock is one of readers and writers.
func (u *use) weigh(r *record) {
	switch {
	case !u.Shared || r.is(reads):
	case r.role == enters:
		r.units = int32(min(u.K, AnyNumber))
	case r.role == leaves:
		r.units = 0 // all that it has
	}
}
