package explore

import (
	"cmp"
	"fmt"
	"math"
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

// failedToExpand stops the search if a mistake showed when the states of chunks were expanded. It expands
// them again in order and reports the first one that fails: which one the workers met first depends on time.
func (s *search) failedToExpand(chunks []chunk) bool {
	var e *model.Error
	for i := range chunks {
		e = cmp.Or(e, chunks[i].mistake)
		chunks[i].mistake = nil
	}
	if e == nil {
		return false
	}
	var ch chunk
	for i := range chunks {
		for entry := range slices.Chunk(chunks[i].input, s.length()) {
			ch.reset(s.width)
			if e := check.Caught(func() { s.expandThese(s.filling, &ch, entry) }); e != nil {
				s.fail(e, find{known: true, level: s.report.Depth, state: slices.Clone(entry[:s.width])})
				return true
			}
		}
	}
	s.fail(e, find{})
	return true
}

// failedToJudge stops the search if a mistake showed when new states were judged. It reports
// the state that was generated first.
func (s *search) failedToJudge() bool {
	var first *misjudged
	for i := range s.shardResults {
		f := s.shardResults[i].mistake
		s.shardResults[i].mistake = nil
		if f != nil && (first == nil || f.chunk < first.chunk || f.chunk == first.chunk &&
			f.record < first.record) {
			first = f
		}
	}
	if first == nil {
		return false
	}
	s.fail(first.Error, find{known: true, level: s.report.Depth + 1, state: first.state})
	return true
}

// A misjudged is a new state in which a mistake showed, with the place of its record.
type misjudged struct {
	*model.Error
	chunk, record int
	state         []uint32
}

// visit visits the successors in chunks that belong to one shard, and notes a mistake of the model
// that shows there.
func (s *search) visit(c *checker, shard int, chunks []chunk) {
	found := &s.shardResults[shard]
	if e := check.Caught(func() { s.take(c, shard, chunks) }); e != nil {
		k, at := found.chunk, found.at
		found.mistake = &misjudged{e, k, at, slices.Clone(chunks[k].batch.Words[at:][:s.width])}
	}
}

// take looks up the successors in chunks that belong to a shard. New ones become entries of the next queue,
// and are judged.
func (s *search) take(c *checker, shard int, chunks []chunk) {
	found, checks := &s.shardResults[shard], s.purityChecks(shard)
	for k := range chunks {
		found.touched += s.visited.Touch(shard, &chunks[k].batch.Records, chunks[k].lookups[shard])
	}
	for k := range chunks {
		b, lookups := &chunks[k].batch.Records, chunks[k].lookups[shard]
		if fresh, tags := s.visited.Take(shard, b, lookups); fresh > 0 && (checks > 0 || s.suspect(tags)) {
			found.chunk = k
			checks = s.judgeNew(c, found, b, lookups, checks)
		}
	}
}

// judgeNew judges the new states among the successors that were looked up, and checks the purity at the
// first ones, at most checks. It returns the number of checks that are left.
func (s *search) judgeNew(c *checker, found *shardResult, b *kernel.Records, lookups []memory.Lookup,
	checks int) int {
	for i := range lookups {
		rec := b.Words[lookups[i].At:]
		if rec[b.Width+kernel.RecordTag] != memory.IsNew {
			continue
		}
		if tag := rec[b.Width]; checks > 0 || s.suspect(tag) {
			found.at = int(lookups[i].At)
			s.judgeState(c, &found.findings, s.report.Depth+1, rec[:b.Width], tag, checks > 0)
			checks--
		}
	}
	return checks
}

// The purity of the model's functions is checked at the first states of each shard, firstChecked in all.
// Later it is checked at the new states of one shard in one of checkedExpansions expansions. For properties
// that are judged when a state is expanded it is checked at the first state of each whole chunk, and of the
// smaller chunks in one of checkedSmall expansions.
const (
	firstChecked      = 10_000
	checkedExpansions = 16
	checkedSmall      = 256
)

// purityChecks returns the number of new states of a shard that are checked in this expansion.
func (s *search) purityChecks(shard int) int {
	if s.probing || s.expansions%checkedExpansions == 0 &&
		s.expansions/checkedExpansions%memory.Shards == shard {
		return math.MaxInt
	}
	return max(0, 1+firstChecked/memory.Shards-s.tables[shard].Used())
}

// checksPurity reports whether the properties that are judged when a state is expanded, of its steps and of
// quiet states, are evaluated twice.
func (s *search) checksPurity(ch *chunk, v []uint32) bool {
	before := s.report.States
	if s.disk != nil {
		before = s.disk.met
	}
	if s.probing || before < firstChecked {
		return true
	}
	first := len(ch.input) > 0 && &ch.input[0] == &v[0]
	return first && (len(ch.input) == chunkStates*s.length() || s.expansions%checkedSmall == 0)
}

// verify computes all memos again that were filled since the last call, and stops the search if
// the model returns something else.
func (s *search) verify() bool {
	var in []uint32
	e := check.Caught(func() { s.filler.Verify(&in) })
	if e == nil {
		return false
	}
	s.fail(e, find{known: true, level: s.report.Depth, state: slices.Clone(in)})
	return true
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
	if e != nil {
		m.Error = e
	}
	if path == nil {
		return
	}
	last := path[len(path)-1].State
	e, by := s.in.Examine(last, s.asked)
	switch {
	case m.Impure(): // it may not show again
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
