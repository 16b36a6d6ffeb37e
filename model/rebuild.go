package model

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/protocol"
)

// A model that Build makes in another way the next time, or that begins elsewhere, is not the one that was
// searched, when its runs are shown. So both are evaluated again before the search, and several times, since
// what draws lots among two may come to the same by chance. The models that come with this program are built
// once: a second time would be 15% more instructions in small instances.
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

// sameBuild returns the mistake that Build comes to another instance the next time; nil if it does not.
func (s *Spec) sameBuild(args []string, first *Instance, given *Args) (e error) {
	var failed *Error
	defer func() {
		if failed != nil { // the search meets it as well, and knows more of it
			e = nil
		}
	}()
	defer Catch(&failed)
	of := check.Owner(check.FunctionName(s.Build))
	// those in the rooms of the language read models from files
	if strings.HasPrefix(of, check.BuiltIn) || strings.HasPrefix(of, check.Own+"/") {
		return nil
	}
	was := outline(*first, given)
	for range protocol.ManyTimes - 1 {
		a, err := s.ParseArgs(args)
		if err != nil {
			return err
		}
		again, err := s.build(a)
		if err == nil {
			err = again.Check()
		}
		is := []string{fmt.Sprint("it fails: ", err)}
		if err == nil {
			is = outline(again, a)
		}
		for i := range min(len(was), len(is)) {
			if was[i] != is[i] {
				return &Error{Part: "Build", What: check.Nondeterministic, Where: check.DeclaredAt(s.Build),
					First: was[i], Second: is[i]}
			}
		}
	}
	return nil
}

// outline describes the parts of an instance that are no functions, one in a line.
func outline(in Instance, given *Args) (lines []string) {
	for _, pair := range given.List() {
		lines = append(lines, "parameter "+pair[0]+"="+pair[1])
	}
	for _, a := range in.Space.Actions() {
		lines = append(lines, fmt.Sprintf("action %+v", a))
	}
	for _, p := range in.Space.Properties() {
		bound := Bound{}
		if p.Bound != nil {
			bound = *p.Bound
		}
		p.Unmet, p.Bound = nil, nil
		lines = append(lines, fmt.Sprintf("property %+v %+v", p, bound))
	}
	for _, f := range in.Space.Fairness() {
		lines = append(lines, fmt.Sprintf("fairness condition %s, strong: %v", f.Name, f.Strong))
	}
	for _, t := range in.Plain.Init() {
		lines = append(lines, "initial state "+t.Next.Key())
	}
	return append(lines, "nothing")
}
