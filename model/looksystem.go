package model

import (
	"fmt"
	"math/bits"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

func (c *systemCursor[S]) named(s *S) *systemState[S] { return &systemState[S]{*s, &c.System} }

// A looked is what one instance of an action came to, with one combination of picks.
type looked[S comparable] struct {
	next    S
	action  int
	i       int
	enabled bool
	broken  uint64 // the StepInvariants that the step breaks, if they were asked
}

// Look takes all steps from s twice, and judges it twice, on copies. Where there is symmetry,
// what it says of s has to agree with what it says of s after an exchange of two members.
func (c *systemCursor[S]) Look(v *protocol.Parts, which uint64, k lts.Known) {
	load(&c.looking, v.Words)
	s := c.looking
	if e := c.stepAgain(&s); e != nil {
		panic(e)
	}
	c.stepsTwice(which)
	c.sayTwice(&s, -1, which)
	if c.Symmetry != nil {
		c.lookAround(s, which, k.Hash)
	}
}

// LookQuiet does the same with Quiet properties.
func (c *systemCursor[S]) LookQuiet(v *protocol.Parts, which uint64, hash uint64) {
	if which &= c.judges.ofKind[Quiet]; which == 0 {
		return
	}
	load(&c.looking, v.Words)
	s := c.looking
	c.quiet = true
	defer func() { c.quiet = false }()
	c.sayTwice(&s, 0, which)
	if c.Symmetry != nil {
		c.lookAround(s, which, hash)
	}
}

// LookStep does nothing: Look looks at all steps.
func (c *systemCursor[S]) LookStep(*protocol.Parts, Label, *protocol.Parts, uint64) {}

// sayTwice has the properties from one on judge s, which is c.looking, several times.
func (c *systemCursor[S]) sayTwice(s *S, from int, which uint64) {
	n := times
	if c.often < protocol.OftenAsked {
		c.often++
		n = protocol.ManyTimes
	}
	for i := from; i < len(c.judges.props); i++ {
		part, first := c.say(s, i, which)
		for range n - 1 {
			if *s != c.looking {
				c.meddles(partOf(part), s)
			}
			if _, second := c.say(s, i, which); first != second {
				panic(NoFunction(partOf(part), c.named(s), first, second))
			}
		}
	}
}

// meddles panics with the mistake that a part of the model has changed c.looking, which is s now.
func (c *systemCursor[S]) meddles(part string, s *S) {
	panic(&Error{
		Part: part, What: meddling, State: described(c.named(&c.looking)),
		First: c.named(&c.looking).Key(), Second: c.named(s).Key(),
	})
}

// stepsTwice has StepInvariants judge the steps of c.looks, from c.looking, twice.
func (c *systemCursor[S]) stepsTwice(which uint64) {
	which &= c.judges.ofKind[StepInvariant]
	for k := range c.looks {
		x := &c.looks[k]
		for left := which & c.judges.steps[x.action]; x.enabled && left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			from, to := c.looking, x.next
			first := c.judgeLooked(&from, x, &to, 1<<i)
			if from != c.looking {
				c.meddles("property "+c.judges.props[i].Name, &from)
			}
			if to != x.next {
				c.meddles("property "+c.judges.props[i].Name, &to)
			}
			if second := c.judgeLooked(&from, x, &to, 1<<i); first != second {
				panic(NoFunction("property "+c.judges.props[i].Name, c.named(&from),
					answer{report: first != 0}, answer{report: second != 0}))
			}
		}
	}
}

// judgeLooked judges a step by StepInvariants.
func (c *systemCursor[S]) judgeLooked(from *S, x *looked[S], to *S, which uint64) uint64 {
	if !x.enabled || which&c.judges.steps[x.action] == 0 {
		return 0
	}
	label := protocol.LabelOf(uint32(x.action) | uint32(x.i)<<16)
	return c.judges.step(from, x.action, c.by(label), to, which)
}

// say returns what property i says of a state, if it is among which; -1 is the constraint.
func (c *systemCursor[S]) say(s *S, i int, which uint64) (part string, a answer) {
	if i >= 0 {
		if which>>i&1 == 1 && (c.judges.props[i].Kind == Quiet) == c.quiet {
			a = c.judges.answer(s, i)
		}
		return c.judges.props[i].Name, a
	}
	a.report = c.Constraint != nil && !c.Constraint(s)
	return "", a
}

// partOf names a property, or without a name the constraint, in an Error.
func partOf(property string) string {
	if property == "" {
		return "Constraint"
	}
	return "property " + property
}

// stepAgain takes all steps from s twice. A step that fails will be met when s is expanded.
func (c *systemCursor[S]) stepAgain(s *S) (mistake *Error) {
	var failed *Error
	defer func() {
		if failed != nil {
			c.choice, c.looks = Choice{}, c.looks[:0]
		}
	}()
	defer Catch(&failed)
	c.looks = c.allSteps(s, c.looks[:0])
	c.looksAgain = c.allSteps(s, c.looksAgain[:0])
	for k := range max(len(c.looks), len(c.looksAgain)) {
		if k < len(c.looks) && k < len(c.looksAgain) && c.looks[k] == c.looksAgain[k] {
			continue
		}
		first, second := c.text(c.looks, k), c.text(c.looksAgain, k)
		list := c.looks
		if k >= len(list) {
			list = c.looksAgain
		}
		e := c.taking(list[k].action, list[k].i)
		e.What, e.State, e.First, e.Second = impure, described(c.named(s)), first, second
		return &e
	}
	return nil
}

// text says what is item k of a list.
func (c *systemCursor[S]) text(list []looked[S], k int) string {
	switch {
	case k >= len(list):
		return "no such choice"
	case !list[k].enabled:
		return "it was not enabled"
	}
	return described(c.named(&list[k].next))
}

// allSteps appends what all instances of all actions come to in s.
func (c *systemCursor[S]) allSteps(s *S, to []looked[S]) []looked[S] {
	for a := range c.System.Actions {
		action := &c.System.Actions[a]
		for i, n := 0, action.Instances; i < n; {
			c.trial = *s
			enabled := action.Do(&c.trial, i, &c.choice)
			if !enabled {
				c.trial = *s // whatever it did
			}
			to = append(to, looked[S]{next: c.trial, action: a, i: i, enabled: enabled})
			if c.choice.at == 0 || !c.choice.Again() {
				i++
			}
		}
	}
	return to
}

// mostOrders is how many orders of the members of a set a state is compared with: all of three members, and
// of four to eight those in which each of them was in each place.
const mostOrders = 56

// lookAround compares s with what it is in other orders of the members of each set, one by one: each is made
// of the one before by the exchange of two neighbours, which go round. A representative alone would not do:
// its members are sorted, so that what is said of the first of them is never asked of the last. What takes
// longer than properties is compared in fewer orders; h, the hash of s, chooses them.
func (c *systemCursor[S]) lookAround(s S, which uint64, h uint64) {
	for k := range c.Symmetry {
		n := c.Symmetry[k].Size
		if n < 2 {
			continue
		}
		if n > 2 && !c.quiet {
			c.exchangedThree(k, s, int(h%uint64(n-2)))
		}
		for at := range min(n*(n-1), mostOrders) {
			i := int((h + uint64(at)) % uint64(n-1))
			t := c.exchanged(k, s, i)
			c.agree(k, &s, &t, i, which)
			if (h+uint64(at))%uint64(max(1, n-2)) == 0 && !c.quiet {
				c.colours(k, &s, &t, i)
				c.sameOrbit(k, s, t, i)
				c.stepsAgree(k, &s, &t, i, which)
			}
			s = t
		}
	}
}

// asymmetry panics with what is wrong with symmetry k.
func (c *systemCursor[S]) asymmetry(k int, part, what string, s *S, first, second string) {
	if part == "" {
		part = fmt.Sprintf("Symmetry[%d]", k)
	}
	panic(&Error{Part: part, What: what, State: described(c.named(s)), First: first, Second: second})
}

// exchanged returns s after the exchange of members i and i+1 of set k. To exchange them again
// has to lead back, and exchanges in different sets have nothing to do with each other.
func (c *systemCursor[S]) exchanged(k int, s S, i int) S {
	t := s
	c.Symmetry[k].Swap(&t, i, i+1)
	back := t
	c.Symmetry[k].Swap(&back, i, i+1)
	if back != s {
		c.asymmetry(k, "", fmt.Sprintf("Swap of %d and %d, done twice, does not lead back", i, i+1),
			&s, c.named(&s).Key(), c.named(&back).Key())
	}
	for m := range c.Symmetry[:k] {
		if c.Symmetry[m].Size < 2 {
			continue
		}
		a, b := t, s
		c.Symmetry[m].Swap(&a, 0, 1)
		c.Symmetry[m].Swap(&b, 0, 1)
		c.Symmetry[k].Swap(&b, i, i+1)
		if a != b {
			c.asymmetry(k, "",
				fmt.Sprintf("its Swap and that of Symmetry[%d] lead elsewhere in the other order", m),
				&s, c.named(&a).Key(), c.named(&b).Key())
		}
	}
	return t
}

// exchangedThree checks that exchanges within i, i+1, i+2 are those of a set: the one of the
// ends is made of three of neighbours.
func (c *systemCursor[S]) exchangedThree(k int, s S, i int) {
	a, b, swap := s, s, c.Symmetry[k].Swap
	swap(&a, i, i+1)
	swap(&a, i+1, i+2)
	swap(&a, i, i+1)
	swap(&b, i, i+2)
	if a != b {
		c.asymmetry(k, "", fmt.Sprintf(
			"Swap of %d and %d is another thing than to exchange them by way of %d", i, i+2, i+1),
			&s, c.named(&b).Key(), c.named(&a).Key())
	}
}

// colours checks that members take their colours along, and that others keep theirs.
func (c *systemCursor[S]) colours(k int, s, t *S, i int) {
	for n := range c.Symmetry {
		sym := &c.Symmetry[n]
		for m := range sym.Size {
			from := m
			if n == k && (m == i || m == i+1) {
				from = 2*i + 1 - m
			}
			if first, second := sym.Colour(s, from), sym.Colour(t, m); first != second {
				c.asymmetry(n, "",
					fmt.Sprintf("Colour of %d is another one after members %d and %d of Symmetry[%d] "+
						"were exchanged", from, i, i+1, k),
					s, fmt.Sprint(first), fmt.Sprint(second))
			}
			if first, second := sym.Colour(s, m), sym.Colour(s, m); first != second {
				c.asymmetry(n, "", impure, s, fmt.Sprint(first), fmt.Sprint(second))
			}
		}
	}
}

// sameOrbit checks that two states of an orbit have one representative.
func (c *systemCursor[S]) sameOrbit(k int, s, t S, i int) {
	a, b := s, t
	canonical(&a, c.Symmetry)
	canonical(&b, c.Symmetry)
	if a != b {
		c.asymmetry(k, "", fmt.Sprintf("the state and the one with members %d and %d exchanged have two "+
			"representatives: Less is no total order", i, i+1),
			&s, c.named(&a).Key(), c.named(&b).Key())
	}
}

// agree checks that properties and the constraint do not tell members apart.
func (c *systemCursor[S]) agree(k int, s, t *S, i int, which uint64) {
	for p := -1; p < len(c.judges.props); p++ {
		part, first := c.say(s, p, which)
		if _, second := c.say(t, p, which); first != second {
			c.asymmetry(k, partOf(part), fmt.Sprintf(
				"it is not symmetric: it tells members %d and %d of Symmetry[%d] apart", i, i+1, k),
				s, fmt.Sprint(first), fmt.Sprintf("%v in %s", second, described(c.named(t))))
		}
	}
}

// stepsAgree checks that steps, and what StepInvariants say of them, do not tell members apart.
func (c *systemCursor[S]) stepsAgree(k int, s, t *S, i int, which uint64) {
	var failed *Error
	defer func() {
		if failed != nil {
			c.choice = Choice{}
		}
	}()
	var missing *S
	told := uint64(0)
	func() {
		defer Catch(&failed) // a step that fails will be met when the state is expanded
		c.looks, c.looksAgain = c.allSteps(s, c.looks[:0]), c.allSteps(t, c.looksAgain[:0])
		c.judgeAll(s, c.looks, which)
		c.judgeAll(t, c.looksAgain, which)
		for n := range c.looks {
			if c.looks[n].enabled {
				c.Symmetry[k].Swap(&c.looks[n].next, i, i+1)
			}
		}
		for _, lists := range [...][2][]looked[S]{{c.looks, c.looksAgain}, {c.looksAgain, c.looks}} {
			if missing == nil {
				missing = lacking(lists[0], lists[1])
			}
			told |= toldApart(lists[0], lists[1])
		}
	}()
	if missing != nil {
		c.asymmetry(k, "", fmt.Sprintf("steps tell members %d and %d apart, or Swap leaves out what "+
			"belongs to them", i, i+1),
			s, "a step to "+described(c.named(missing)), "no such step after the exchange")
	}
	if told != 0 {
		name := c.judges.props[bits.TrailingZeros64(told)].Name
		c.asymmetry(k, "property "+name, fmt.Sprintf("it is not symmetric: it tells members %d and %d of "+
			"Symmetry[%d] apart", i, i+1, k), s, "of a step from here",
			"not of that from "+described(c.named(t)))
	}
}

// judgeAll has StepInvariants judge the steps of a list, from s.
func (c *systemCursor[S]) judgeAll(s *S, list []looked[S], which uint64) {
	if which &= c.judges.ofKind[StepInvariant]; which == 0 {
		return
	}
	for n := range list {
		from, to := *s, list[n].next
		list[n].broken = c.judgeLooked(&from, &list[n], &to, which)
	}
}

// toldApart returns the StepInvariants that say something of a step of one list, and not of any step of the
// other that leads to the same state.
func toldApart[S comparable](list, other []looked[S]) (told uint64) {
	for i := range list {
		same := ^uint64(0)
		for k := range other {
			if o := &other[k]; list[i].enabled && o.enabled && o.next == list[i].next {
				if same &= list[i].broken ^ o.broken; same == 0 {
					break
				}
			}
		}
		if list[i].enabled && same != ^uint64(0) {
			told |= same
		}
	}
	return told
}

// lacking returns a state to which a step leads that is in one list and not in the other.
func lacking[S comparable](list, other []looked[S]) *S {
	for i := range list {
		found := !list[i].enabled
		for k := 0; k < len(other) && !found; k++ {
			o := &other[(i+k)%len(other)] // mostly it is near the same place
			found = o.enabled && o.next == list[i].next
		}
		if !found {
			return &list[i].next
		}
	}
	return nil
}
