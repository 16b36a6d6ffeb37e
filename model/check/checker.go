package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
)

// A Checker keeps the first mistake that is reported to it.
type Checker struct {
	Of    string // the subject, for the message; "": none
	First *Error
}

// Wrong notes a mistake, if it is the first.
func (c *Checker) Wrong(format string, a ...any) {
	if c.First != nil {
		return
	}
	msg := fmt.Sprintf(format, a...)
	if c.Of != "" {
		msg = c.Of + ": " + msg
	}
	c.First = &Error{What: msg}
}

// Demand notes a mistake unless ok.
func (c *Checker) Demand(ok bool, format string, a ...any) {
	if !ok {
		c.Wrong(format, a...)
	}
}

// Err returns the first mistake, or nil.
func (c *Checker) Err() error {
	if c.First == nil { // a nil *Error in an error would not be nil
		return nil
	}
	return c.First
}

// Names demands that n things have distinct names without control characters.
func (c *Checker) Names(thing, field string, n int, name func(i int) string) {
	at := map[string]int{}
	for i := range n {
		x := name(i)
		switch earlier, twice := at[x]; {
		case x == "":
			c.Wrong("%s %d of %d has no %s", thing, i+1, n, field)
		case strings.ContainsFunc(x, unicode.IsControl):
			c.Wrong("%s %q: its %s holds control characters", thing, x, field)
		case twice:
			c.Wrong("two are called %s %s, number %d and number %d: each needs a %s of its own",
				thing, x, earlier+1, i+1, field)
		}
		at[x] = i
	}
}

// Word demands that a name can be typed on the command line.
func (c *Checker) Word(thing, field, name string) {
	typed := !strings.HasPrefix(name, "-") &&
		!strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	c.Demand(typed, "%s %q: its %s holds a blank or a comma, or begins with -, so nobody can ask for it",
		thing, name, field)
}

// Named demands that all names in a field are names of actions. Names in elsewhere
// are actions of other instances: a crash, where no process may crash.
func (c *Checker) Named(where string, given []string, actions []lts.Action, elsewhere ...string) {
	known := make([]string, 0, len(actions))
	for _, a := range actions {
		known = append(known, a.Name)
	}
	for _, name := range given {
		if !slices.Contains(known, name) && !slices.Contains(elsewhere, name) {
			c.Wrong("%s: there is no action %q%s; the model has %s", where, name, usage.Nearest(name, known),
				OrNone(known))
		}
	}
}

// OrNone lists names.
func OrNone(names []string) string {
	return cmp.Or(strings.Join(names, ", "), "none")
}
