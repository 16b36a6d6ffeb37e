package explore

import (
	"errors"

	"github.com/atmostk/atmostk/model"
)

// A Mistake is what is wrong with the model itself, with the shortest run that leads there.
type Mistake struct {
	*model.Error
	// Path ends in the state in which the mistake shows: in a step from there, if the Error
	// has an Action. Nil: it showed once, and not when its run was executed again; or there is no
	// run, because the initial states cannot be computed.
	Path []Step
	// Length is the number of steps of the run, the one included in which the mistake shows; -1
	// if there is no run.
	Length int
}

// atFault is why a search stops at a mistake.
const atFault = "stopped: the model is at fault"

// A faulty is where the search met a mistake: in a state that was being expanded, or judged.
type faulty struct {
	*model.Error
	at find
}

// fail stops the search at a mistake.
func (s *search) fail(e *model.Error, at find) {
	s.mistake = &faulty{e, at}
	s.report.Stopped = atFault
}

// failedToExpand stops the search if a mistake showed when units were expanded. The one in the
// state that is first in the level is told, whoever was the first to meet one.
func (s *search) failedToExpand(units []unit) bool {
	var e *model.Error
	for i := range units {
		if e == nil {
			e = units[i].mistake
		}
		units[i].mistake = nil
	}
	if e == nil {
		return false
	}
	for i := range units {
		if s.failedIn(units[i].input) {
			return true
		}
	}
	s.fail(e, find{})
	return true
}

// failedToLearn stops the search if a mistake showed when the states of some entries were
// expanded by the learner.
func (s *search) failedToLearn(u *unit, entries []uint32) bool {
	e := u.mistake
	u.mistake = nil
	if e != nil && !s.failedIn(entries) {
		s.fail(e, find{})
	}
	return e != nil
}

// failedIn stops the search at the first mistake that shows when the states of some entries
// of a queue are expanded one by one.
func (s *search) failedIn(entries []uint32) bool {
	var u unit
	for at := 0; at < len(entries); at += s.width + 1 {
		u.reset(s.width)
		if e := s.expandOne(&u, entries[at:at+s.width+1]); e != nil {
			s.fail(e, find{known: true, level: s.report.Depth, state: clone(entries[at : at+s.width])})
			return true
		}
	}
	return false
}

// expandOne expands the state of an entry, and returns the mistake that shows.
func (s *search) expandOne(u *unit, entry []uint32) (e *model.Error) {
	defer model.Catch(&e)
	if s.expandThese(s.learner, u, entry) == 0 {
		errors.As(s.learner.Err(), &e)
	}
	return e
}

// failedToJudge stops the search if a mistake showed when new states were judged: at the one
// that was generated first.
func (s *search) failedToJudge(units []unit) bool {
	var first *model.Error
	unit, at := 0, 0
	for i := range s.places {
		e := s.places[i].mistake
		s.places[i].mistake = nil
		if e == nil {
			continue
		}
		if k, j := lastNew(units, i); first == nil || k < unit || k == unit && j < at {
			first, unit, at = e, k, j
		}
	}
	if first == nil {
		return false
	}
	v := units[unit].batch.Words[at:][:s.width]
	s.fail(first, find{known: true, level: s.report.Depth + 1, state: clone(v)})
	return true
}

// lastNew returns the unit and the place of the record that a shard took in last.
func lastNew(units []unit, shard int) (k, at int) {
	for k = len(units) - 1; k >= 0; k-- {
		b, order := &units[k].batch.Records, units[k].order[shard]
		for i := len(order) - 1; i >= 0; i-- {
			at = int(order[i].at)
			if b.Words[at+b.Width+model.RecordTrail] == isNew {
				return k, at
			}
		}
	}
	return 0, 0
}

// begin is initial, in which a mistake may show.
func (s *search) begin() (err error) {
	var e *model.Error
	func() {
		defer model.Catch(&e)
		err = s.initial()
	}()
	if e != nil {
		s.fail(e, find{})
	}
	return err
}

// end is conclude. A mistake may show only there, where the graph of all states is judged.
func (s *search) end() (e *model.Error, err error) {
	defer model.Catch(&e)
	return nil, s.conclude()
}

// find looks for a mistake that showed at the end of another search: it asks in each state what
// conclude asked in some.
func (s *search) find(e *model.Error) error {
	s.probing, s.judgeStates, s.judgeAll = true, true, true
	if err := s.explore(); err != nil {
		return err
	}
	if s.mistake == nil {
		s.fail(e, find{})
	}
	clear(s.finds) // the same mistake may show in their runs
	return s.conclude()
}

// probe calls what is called of the model only when the graph of all states is judged, or a
// run shown.
func (s *search) probe(c model.Cursor, v []uint32) {
	state := s.space.Decode(v)
	state.Vars()
	s.plain.InUse(state)
	for i, p := range s.space.Properties() {
		switch {
		case s.asked>>i&1 == 0:
		case p.Kind == model.Liveness:
			for k := range p.Lassos {
				c.Roles(v, i, k)
			}
		case p.Kind == model.Reachable && s.opt.OutOfReach:
			c.Origins(v, i)
		}
	}
}

// explain finds the run that leads to a mistake, and executes it by the plain semantics, which
// know more of the mistake.
func (s *search) explain() {
	m := &Mistake{Error: s.mistake.Error, Length: -1}
	s.report.Mistake = m
	path, e := s.runTo(s.mistake.at)
	if e != nil {
		m.Error = e
	}
	if path == nil {
		return
	}
	in := model.Instance{Space: s.space, Plain: s.plain}
	e, by := in.Examine(path[len(path)-1].State, s.asked)
	if e == nil {
		m.What += "; when the run that leads there was executed again, it was not: the model is not a function"
		return
	}
	if by != nil {
		path = append(path, s.step(by))
	}
	m.Error, m.Path, m.Length = e, path, len(path)-1
	if e.Action != "" && by == nil {
		m.Length++
	}
}

// runTo executes the run to a find. A mistake may show on the way.
func (s *search) runTo(f find) (steps []Step, e *model.Error) {
	defer model.Catch(&e)
	if !f.known {
		for _, t := range s.plain.Init() {
			in := model.Instance{Space: s.space, Plain: s.plain}
			if e, _ = in.Examine(t.Next, s.asked); e != nil {
				return []Step{{State: t.Next}}, e
			}
		}
		return nil, nil
	}
	path, err := s.path(f)
	if err != nil {
		return nil, nil
	}
	steps, wrong := s.execute(path, func(model.State, model.Transition) bool { return true })
	if wrong != "" {
		return nil, nil
	}
	return steps, nil
}

// step puts a step of the plain semantics into a path.
func (s *search) step(t *model.Transition) Step {
	return Step{s.report.Actions[t.Action].Name, t.Owner, t.Text(), t.Next}
}
