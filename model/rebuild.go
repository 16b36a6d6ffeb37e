package model

import (
	"strings"

	"github.com/atmostk/atmostk/model/check"
)

// A model that begins elsewhere the next time is not the one that was searched, when its runs are shown. So
// its beginning is evaluated again before the search, and several times, since what draws lots among two may
// come to the same by chance.
const initAgain = 3

// checkStart panics if processes begin, or have something under way, in two ways.
func (c *composition) checkStart() {
	for i := 0; i < initAgain && !c.Hermetic; i++ {
		for p := range Proc(c.N) {
			e := &Error{What: check.Nondeterministic, Process: c.Names.Of(p)}
			if a, b := c.Begin(p), c.Begin(p); !c.locals.Equal(a, b) {
				e.Part, e.Where = "Init", check.DeclaredAt(c.Composition.Init)
				e.First, e.Second = c.spelled(a), c.spelled(b)
				panic(e)
			}
			if a, b := c.sends(p), c.sends(p); a != b {
				e.Part, e.Where = "UnderWay", check.DeclaredAt(c.Composition.UnderWay)
				e.First, e.Second = a, b
				panic(e)
			}
		}
	}
}

// sends lists what a process has under way when it begins.
func (c *composition) sends(p Proc) string {
	var texts []string
	for _, s := range c.UnderWay(p) {
		texts = append(texts, c.messages.Spell(s.M)+" to "+c.Names.Of(s.To))
	}
	return "it sends: [" + strings.Join(texts, ", ") + "]"
}
