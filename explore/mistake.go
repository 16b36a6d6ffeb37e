package explore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/lts"
)

// atFault is the reason that the report of a search gives when it stops at a mistake.
const atFault = "stopped: the model is at fault"

// A metMistake is a mistake with the state that was being expanded, or judged, when the search met it.
type metMistake struct {
	*model.Error
	at find
}

// fail stops the search at a mistake.
func (s *search) fail(e *model.Error, at find) {
	if e.Stopped {
		s.report.Stopped = cmp.Or(s.interruption(atExpansion), "interrupted")
	} else {
		s.mistake = &metMistake{e, at}
		s.report.Stopped = atFault
	}
	s.newCursors() // the old ones may be in the middle of a step
}

// failed stops the search if a mistake showed when the states of chunks were expanded, or new ones judged, in
// a level. It expands states again, in order, and reports the first one that fails. If none fails again it
// reports what was met in the first of them, and that state if a function differs there from call to call.
func (s *search) failed(chunks []chunk, level int) bool {
	first := 0
	for first < len(chunks) && chunks[first].mistake == nil {
		first++
	}
	if first == len(chunks) {
		return false
	}
	e, of, judges := chunks[first].mistake, &chunks[first], level > s.report.Depth
	words := of.input
	if judges {
		words = of.batch.Words
	}
	at := find{known: true, level: level, state: slices.Clone(words[of.judged:][:s.width])}
	var ch chunk
	for i := 0; !judges && i < len(chunks); i++ {
		for entry := range slices.Chunk(chunks[i].input, s.length()) {
			ch.reset(s.width)
			ch.input = append(ch.input, entry...)
			if again := check.Caught(func() { s.expandThese(s.filling, &ch, ch.input) }); again != nil {
				at.state = slices.Clone(entry[:s.width])
				s.fail(again, at)
				return true
			}
		}
	}
	at.known = judges || e.Impure()
	s.fail(e, at)
	return true
}

// visit looks up the successors in chunks that belong to a shard. New ones become entries of the next queue.
func (s *search) visit(shard int, chunks []chunk) {
	for k := range chunks {
		s.touched[shard] += s.visited.Touch(shard, &chunks[k].batch.Records, chunks[k].lookups[shard])
	}
	for k := range chunks {
		s.tags[shard] |= s.visited.Take(shard, &chunks[k].batch.Records, chunks[k].lookups[shard])
	}
}

// judgeNew judges the new states in chunks, and makes them entries of the next queue. It does so in the order
// in which they were generated, in which neighbours have most parts in common. Of several finds in an
// expansion the one in the first shard is reported.
func (s *search) judgeNew(chunks []chunk) {
	var tags uint32
	for _, of := range s.tags {
		tags |= of
	}
	some := s.suspect(tags)
	s.workers.run(len(chunks), func(w, i int) {
		ch := &chunks[i]
		defer model.Catch(&ch.mistake)
		b, check := &ch.batch.Records, s.checksPurity(ch, ch.input)
		for at := 0; at < len(b.Words) && (some || check); at += b.Stride {
			if b.Words[at+b.Width+kernel.RecordTag] == memory.IsNew {
				ch.judged = at
				v := b.Words[at : at+b.Width]
				if found := s.judgeState(s.cursors[w], v, b.Words[at+b.Width], check); found != 0 {
					rank := int64((s.expansions+1)*memory.Shards + memory.ShardOf(b.HashAt(at)))
					ch.add(found, find{level: s.report.Depth + 1, state: v, rank: rank})
				}
				check = s.checksPurity(ch, v)
			}
		}
		ch.fresh = memory.Marked(b.Words, b.Stride, s.length(), b.Width+kernel.RecordTag)
	})
}

// The purity of the model's functions is checked at the first states, firstChecked and the rest of an
// expansion, and later at the first state of each whole chunk and the first new state reached from it; where
// chunks are smaller, in one of checkedSmall expansions. Checks of the first 10,000 states took half of the
// time of cohorts, with 6,151 states, and 1% of that of lamport-mutex.
const (
	firstChecked = 2_000
	checkedSmall = 256
)

// checksPurity reports whether the properties are evaluated twice of a state or, if v is all of the chunk's
// input, of the first new state reached from it.
func (s *search) checksPurity(ch *chunk, v []uint32) bool {
	before := s.report.States
	if s.disk != nil {
		before = s.disk.met
	}
	return s.probing || before < firstChecked || len(ch.input) > 0 && &ch.input[0] == &v[0] &&
		(len(ch.input) == chunkStates*s.length() || s.expansions%checkedSmall == 0)
}

// verify computes all memos again that were filled since the last call, and stops the search if
// the model returns something else.
func (s *search) verify() bool {
	var in []uint32
	e := check.Caught(func() { s.filler.Verify(&in) })
	if e != nil {
		s.fail(e, find{known: true, level: s.report.Depth, state: slices.Clone(in)})
	}
	return e != nil
}

// end calls conclude. A mistake may show only there, when the graph of all states is judged.
func (s *search) end() (e *model.Error, err error) {
	e = check.Caught(func() { err = s.conclude() })
	return e, err
}

// find looks for a mistake that showed at the end of another search: it calls in each state the
// functions that conclude called in some.
func (s *search) find(e *model.Error) error {
	s.probing = true
	if err := s.explore(); err != nil {
		return err
	}
	if s.mistake == nil {
		s.fail(e, find{})
	}
	clear(s.finds) // the same mistake may show in their runs
	return s.conclude()
}

// probe calls the functions of the model that are normally called only when the graph of all states is
// judged, or a run is printed.
func (s *search) probe(c *checker, v []uint32) {
	state := s.decode(v)
	state.Vars()
	s.in.Plain.InUse(state)
	for i, p := range s.in.Space.Properties() {
		switch {
		case s.asked>>i&1 == 0:
		case p.Kind == model.Liveness:
			for k := range p.Lassos {
				c.judge.Marks(c.see(v), i, k)
			}
		case p.Kind == model.Reachable && s.opt.OutOfReach:
			c.judge.Origins(c.see(v), i)
		}
	}
}

// explain finds the run that leads to a mistake, and executes it by the plain semantics, which
// describe the mistake in more detail.
func (s *search) explain() {
	m := &Mistake{Error: s.mistake.Error, Length: -1}
	s.report.Mistake = m
	path, e := s.runTo(s.mistake.at)
	m.Error = cmp.Or(e, m.Error)
	if path == nil {
		return
	}
	last := path[len(path)-1].State
	e, by := s.in.Examine(last, s.asked)
	switch {
	case m.Impure(), e == nil && check.OfSearch(m.Part): // it may not show again
	case e == nil:
		m.Error = check.NoFunction(m.Part, last, m.What, "it did not fail")
		m.Where = s.mistake.Where
	case by != nil:
		m.Error, path = e, append(path, s.step(by))
	default:
		m.Error = e
	}
	m.Path, m.Length = path, len(path)-1
	if m.Action != "" && by == nil {
		m.Length++
	}
}

// runTo executes the run to a find. A mistake may show on the way.
func (s *search) runTo(f find) (steps []Step, e *model.Error) {
	defer model.Catch(&e)
	if !f.known {
		for _, t := range s.in.Plain.Init() {
			if e, _ = s.in.Examine(t.Next, s.asked); e != nil {
				return []Step{{State: t.Next}}, e
			}
		}
		return nil, nil
	}
	path, err := s.path(f)
	if err != nil {
		return nil, nil
	}
	steps, _, wrong := s.execute(path, func(n int, _ lts.State, ts []lts.Transition) int {
		return slices.IndexFunc(ts, func(t lts.Transition) bool { return n == len(path)-2 || !t.Outside })
	})
	if wrong != "" {
		return nil, nil
	}
	return steps, nil
}

// step returns a step of the plain semantics as a step of a path.
func (s *search) step(t *lts.Transition) Step {
	return Step{s.report.Actions[t.Action].Name, t.Owner, t.Text(), t.Next}
}

// Some nondeterminism of a model shows only here, where finds are executed once more: in a function that
// is evaluated once, such as a condition on steps, or in one that differs so rarely that the second call
// agreed with the first.

// examinations is the number of times that each state of an unconfirmed run is examined.
const examinations = 4

// unconfirmed returns the error for a find of a property that is wrong at a step of a path: the mistake of a
// nondeterministic model, or ErrInternal. It is nil if wrong is "".
func (s *search) unconfirmed(what, wrong string, step, property int, path [][]uint32) error {
	if wrong == "" {
		return nil
	}
	if mistake := s.noFunction(path, property); mistake != nil {
		return mistake
	}
	return fmt.Errorf("%w: %s is not confirmed: %s at step %d", ErrInternal, what, wrong, step)
}

// noFunction evaluates again all that the confirmation of a path evaluated, and what the search evaluated in
// its last state. It returns the mistake that a result differs; nil if none does.
func (s *search) noFunction(path [][]uint32, property int) (mistake *model.Error) {
	defer func() {
		if mistake != nil && !mistake.Impure() { // a function failed: perhaps the model has no such state
			mistake = nil
		}
	}()
	defer model.Catch(&mistake)
	var initial kernel.Batch
	initial.Reset(s.width)
	s.space.Init(&initial)
	known := false
	for i := range initial.Len() {
		known = known || slices.Equal(initial.At(i), path[0])
	}
	if !known {
		return check.NoFunction("Init", s.decode(path[0]), "it was initial", "it was not")
	}
	for _, v := range path {
		for range examinations {
			if e, _ := s.in.Examine(s.decode(v), s.asked); e != nil {
				return e
			}
		}
	}
	last, p := path[len(path)-1], &s.report.Properties[property]
	switch p.Kind {
	case model.Invariant, model.Reachable, model.Quiet:
		c := s.cursors[0]
		reported := c.Judge(last, 1<<property) | c.judge.JudgeQuiet(c.see(last), 1<<property)
		if reported == 0 {
			return check.NoFunction("property "+p.Name, s.decode(last), p.Kind == model.Reachable,
				p.Kind != model.Reachable)
		}
	}
	return nil
}
