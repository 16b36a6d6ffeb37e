package explore

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/atmostk/atmostk/explore/graph"
	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/explore/store/compact"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
)

// conclude turns counts and finds into verdicts and paths.
func (s *search) conclude() error {
	r := &s.report
	s.tally()
	for i, a := range s.in.Space.Actions() {
		if s.opt.Reduce.Movers && a.Receipt {
			where, obstacle := moversOf(s.in).Of(i)
			r.Movers = append(r.Movers, Mover{a.Name, where, obstacle})
		}
	}
	r.CodeBits = [...]int{0, compact.Bits, store.CodeBits}[s.opt.Store.Kind]
	if n := float64(r.States); r.CodeBits > 0 { // a bound on the probability that two of n codes are equal
		r.Omission = min(1, n*(n+1)/2*math.Pow(2, -float64(r.CodeBits)))
	}
	var asked []Result
	for i := range r.Properties {
		if s.asked>>i&1 == 0 {
			continue
		}
		p := &r.Properties[i]
		p.Verdict = s.verdict(p.Kind, s.finds[i].known)
		if err := s.judgeGraph(i, p); err != nil {
			return err
		}
		if !s.opt.Store.Kind.proves() && p.Verdict == Unknown && s.exhausted {
			p.Undecided = "no state or step to report among the states visited"
		}
		if s.finds[i].known && !s.opt.Reduce.Movers {
			if err := s.show(i, p); err != nil {
				return err
			}
		}
		if err := s.withNumbers(i, p); err != nil {
			return err
		}
		for _, step := range p.Path {
			step.State.Vars()
			s.in.Plain.InUse(step.State)
		}
		asked = append(asked, *p)
	}
	r.Properties = asked
	s.cover()
	if r.StateBytes = 4 * s.width; s.compact != nil {
		r.StateBytes = compact.Bits / 8
	}
	if s.mistake != nil {
		s.explain()
	}
	r.sumUp()
	return nil
}

// show finds the path to the find of property i, and confirms it.
func (s *search) show(i int, p *Result) (err error) {
	path, err := s.path(s.finds[i])
	if why := (noRoom)(""); errors.As(err, &why) {
		p.Verdict, p.Undecided = Unknown, fmt.Sprintf("met in level %d, and not confirmed: %v",
			s.finds[i].level, why)
		return nil
	}
	if err != nil {
		return err
	}
	if p.Path, err = s.confirm(path, i, p); err == nil {
		p.Length = len(p.Path) - 1
	}
	return err
}

// A search in which times count by their order only meets every run with numbers, and others. So what holds
// there holds with numbers, and a find is a run with numbers only if one shows the same.

// withNumbers replaces the run of property i by one with numbers, if the times of the search count by their
// order only. Where no such run is found, the property is not decided.
func (s *search) withNumbers(i int, p *Result) error {
	switch {
	case s.in.Numbers == nil:
		return nil
	case p.Kind == model.Costs:
		p.Verdict, p.Path, p.Length, p.Least, p.Most = Unknown, nil, -1, nil, nil
		p.Undecided = "messages are counted in runs with numbers: rounds=1 or another number"
		return nil
	case p.Path == nil:
		return nil
	}
	n := s.in.Numbers(0)
	run := make([]lts.State, len(p.Path))
	for k, step := range p.Path {
		run[k] = step.State
	}
	again, at := n.Again(run, p.CycleAt, i)
	if again == nil {
		return s.searchNumbers(i, p)
	}
	p.Path = []Step{{State: again[0].Next}}
	for _, t := range again[1:] {
		p.Path = append(p.Path, s.step(&t))
	}
	if p.Kind == model.Liveness {
		p.CycleAt = at
	}
	return nil
}

// numbersPerState is the number of states with numbers that are searched for each state of the search, and
// leastNumbers is the number at least. skews bound differences of times, for liveness, which needs finitely
// many states.
const (
	numbersPerState = 4
	leastNumbers    = 100_000
)

var skews = []int{2, 4}

// searchNumbers searches the states with numbers for a find of property i, where no run is alike to the one
// that was met.
func (s *search) searchNumbers(i int, p *Result) error {
	bounds := []int{0}
	if p.Kind == model.Liveness {
		bounds = skews
	}
	for _, skew := range bounds {
		r, err := run(s.ctx, s.in.Numbers(skew).Instance, Options{Properties: []int{i}, Finds: 1,
			Workers: s.opt.Workers, Memory: s.opt.Memory,
			MaxStates: max(leastNumbers, numbersPerState*s.report.States)})
		if err != nil {
			return err
		}
		if found := &r.Properties[0]; found.Path != nil {
			p.Verdict, p.Path, p.Length = found.Verdict, found.Path, found.Length
			p.CycleAt, p.Part = found.CycleAt, found.Part
			return nil
		}
	}
	p.Undecided = fmt.Sprintf("a run of %d steps where times count by their order only shows it, and a "+
		"bounded search found no run with numbers", len(p.Path)-1)
	p.Verdict, p.Path, p.Length, p.CycleAt = Unknown, nil, -1, 0
	return nil
}

// judgeGraph judges property i on the graph of all states, if it needs that.
func (s *search) judgeGraph(i int, p *Result) (err error) {
	switch {
	case p.Kind == model.Liveness && s.exhausted:
		p.Verdict = Unknown
		p.Undecided, err = s.pass(func() error { return s.live(i, p) })
	case p.Kind == model.Costs && s.report.Complete:
		p.Verdict = Unknown
		p.Undecided, err = s.pass(func() error { return s.judgeCosts(i, p) })
	case p.Kind == model.Reachable && s.report.Complete && s.opt.OutOfReach:
		p.LostUnknown, err = s.pass(func() error {
			p.Lost = s.outOfReach(i, p)
			return nil
		})
	}
	return err
}

// verdict returns the verdict of a property of a kind. With found the search met a state or step that it has
// to report: a violation or, for Reachable, the goal.
func (s *search) verdict(kind model.PropertyKind, found bool) Verdict {
	goal := kind == model.Reachable
	switch {
	case found && goal:
		return Holds
	case found:
		return Violated
	case !s.report.Complete:
		return Unknown
	case goal:
		return Violated
	}
	return Holds
}

// path returns the states of a run from an initial state to a find, as vectors of
// the search.
func (s *search) path(f find) ([][]uint32, error) {
	switch {
	case f.coded != nil:
		return s.disk.path(f.coded)
	case f.state == nil: // an initial state that the constraint rejects
		return [][]uint32{f.beyond}, nil
	}
	if err := s.recoverParents(&f); err != nil {
		return nil, err
	}
	path, err := s.follow(s.visited.(rememberingSet).Ancestry(f.level, f.state))
	if err == nil && f.beyond != nil {
		path = append(path, f.beyond)
	}
	return path, err
}

// confirm executes a path once more, by the plain semantics, which share only the handlers with the search,
// and checks that it shows the find. Under symmetry the states of the search are representatives of orbits;
// the returned path has actual states.
func (s *search) confirm(path [][]uint32, property int, p *Result) ([]Step, error) {
	steps, _, wrong := s.execute(path, func(n int, at lts.State, ts []lts.Transition) int {
		last := n == len(path)-2
		return slices.IndexFunc(ts, func(t lts.Transition) bool {
			judged := last && p.Kind == model.StepInvariant
			return (last || !t.Outside) && (!judged || s.in.Plain.JudgeStep(at, t, property))
		})
	})
	at := steps[len(steps)-1].State
	if wrong == "" && p.Kind != model.StepInvariant && !s.in.Shows(at, property) {
		wrong = "nothing to report"
	}
	return steps, s.unconfirmed("the counterexample to "+p.Name, wrong, len(steps)-1, property, path)
}

// vectors returns the states of nodes.
func (s *search) vectors(nodes []uint32) (path [][]uint32) {
	for _, n := range nodes {
		path = append(path, s.graph("", 0).Vector(n))
	}
	return path
}

// execute executes a path of the search by the plain semantics. For step n, pick chooses one of the
// transitions that lead to the next state and that no assumption forbids; -1: none of them fits. wrong is
// the error at the step that could not be taken; "": all were taken.
func (s *search) execute(path [][]uint32, pick func(n int, at lts.State, ts []lts.Transition) int) (
	steps []Step, taken []lts.Transition, wrong string,
) {
	var at lts.State
	for _, t := range s.in.Plain.Init() {
		if at == nil && s.in.Plain.Stands(s.decode(path[0]), t.Next) {
			at = t.Next
		}
	}
	if at == nil {
		return []Step{{}}, nil, "no such initial state"
	}
	steps = []Step{{State: at}}
	for n, v := range path[1:] {
		want := s.decode(v)
		ts := slices.DeleteFunc(s.in.Plain.Steps(at), func(t lts.Transition) bool {
			return t.Pruned || !s.in.Plain.Stands(want, t.Next)
		})
		k := pick(n, at, ts)
		if k < 0 {
			return steps, taken, "no step to follow"
		}
		at = ts[k].Next
		steps, taken = append(steps, s.step(&ts[k])), append(taken, ts[k])
	}
	return steps, taken, ""
}

// outOfReach counts, for goal i, the states from which it cannot be reached any
// more: a search backwards from all goal states does not meet them.
func (s *search) outOfReach(i int, p *Result) []Lost {
	back, c := s.graph("", 0).Predecessors(), s.cursors[0]
	tick := passing{s}.Tick
	reaches := graph.NewWalk(back.Nodes(), tick)
	for n, v := range s.tables.Nodes {
		tick(int(n))
		if c.Judge(v, 1<<i) != 0 {
			reaches.Meet(n, n)
		}
	}
	for n, ok := reaches.Next(); ok; n, ok = reaches.Next() {
		for _, m := range back.Successors(n) {
			reaches.Meet(m, n)
		}
	}
	lost := []Lost{{}}
	for _, o := range p.Origins {
		lost = append(lost, Lost{Origin: o})
	}
	for n, v := range s.tables.Nodes {
		tick(int(n))
		for in := c.judge.Origins(c.see(v), i)<<1 | 1; in != 0; in &= in - 1 {
			l := &lost[bits.TrailingZeros64(in)]
			l.States++
			if !reaches.Met(n) {
				l.Lost++
			}
		}
	}
	return lost
}

// A follower looks for a path, level by level. A level has all states that may be on the path: several
// states can have a code in common, or lead to a common one.
type follower struct {
	*search
	levels [][]onPath
	batch  kernel.Batch
}

// An onPath is a state that may be on a path. A level has them in the order of their codes.
type onPath struct {
	code   store.Code
	state  []uint32
	parent int // its index in the level before
}

// follow returns a path whose state in each level has one of the ancestry's codes. Among several paths to a
// state it chooses the one whose last state but one has the least code, and so on backwards.
func (s *search) follow(ancestry []map[store.Code]bool) ([][]uint32, error) {
	f := follower{search: s}
	for i := 0; i < len(ancestry); i = len(f.levels) {
		switch next, err := f.level(ancestry[i], i == len(ancestry)-1); {
		case errors.Is(err, errGrown):
			f.levels = nil // begin again: fewer memos are missing now
		case err != nil:
			return nil, err
		case next == nil:
			return nil, fmt.Errorf("%w: no path to a visited state", ErrInternal)
		default:
			f.levels = append(f.levels, next)
		}
	}
	path, at := make([][]uint32, len(ancestry)), 0
	for i, level := range slices.Backward(f.levels) {
		path[i], at = level[at].state, level[at].parent
	}
	return path, nil
}

// level returns the initial states, or the successors of the latest level, that have one of the codes. With
// outside, states that the constraint rejects are included.
func (f *follower) level(codes map[store.Code]bool, outside bool) (next []onPath, err error) {
	found := map[store.Code]bool{}
	take := func(v []uint32, parent int) {
		if c := f.code(v); codes[c] && !found[c] {
			found[c], next = true, append(next, onPath{c, slices.Clone(v), parent})
		}
	}
	takeAll := func(parent int) {
		for i := range f.batch.Len() {
			take(f.batch.At(i), parent)
		}
		for i := 0; outside && i < f.batch.Outside.Len(); i++ {
			take(f.batch.Outside.At(i), parent)
		}
	}
	if len(f.levels) == 0 {
		f.batch.Reset(f.width)
		f.space.Init(&f.batch)
		takeAll(0)
	} else {
		for i, last := range f.levels[len(f.levels)-1] {
			if err := f.expand(last.state); err != nil {
				return nil, err
			}
			if outside {
				take(last.state, i) // a step may lead back to it
			}
			takeAll(i)
		}
	}
	slices.SortFunc(next, func(x, y onPath) int { return store.Compare(x.code, y.code) })
	return next, nil
}

var errGrown = errors.New("the layout of vectors has changed")

// expand fills the batch with the successors of a state. The error is errGrown if the layout of vectors had
// to change for them: earlier states are not valid any more.
func (f *follower) expand(v []uint32) error {
	f.batch.Reset(f.width)
	if _, ok := f.filler.Expand(v, 0, &f.batch); ok {
		return nil
	}
	if err := f.filler.Err(); err != nil {
		return err
	}
	why := f.report.Stopped // of the search
	f.report.Stopped = ""
	f.relayout()
	if why, f.report.Stopped = f.report.Stopped, why; why != "" {
		return noRoom(why)
	}
	return errGrown
}
