package explore

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/atmostk/atmostk/explore/store/memory"
	"github.com/atmostk/atmostk/model"
)

// newSearch prepares a search. It is an error if the model fails in its initial states.
func newSearch(ctx context.Context, in model.Instance, opt Options) (s *search, err error) {
	var mistake *model.Error
	func() {
		defer model.Catch(&mistake)
		s = begun(ctx, in, opt)
	}()
	if mistake != nil {
		return nil, mistake
	}
	return s, nil
}

func begun(ctx context.Context, in model.Instance, opt Options) *search {
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	now := time.Now()
	s := &search{
		behind: 1, ctx: ctx, until: in.Until, declared: in.Space, plain: in.Plain, opt: opt, hooks: hooksOf(ctx),
		begun: now, shown: now,
	}
	s.open()
	s.width = s.space.Width()
	s.report.Store, s.report.Reduce = opt.Store.Kind, opt.Reduce
	s.report.Actions = s.declared.Actions()
	s.report.Fired = make([]int64, len(s.report.Actions))
	asked := opt.asked(s.declared.Properties())
	for i, p := range s.declared.Properties() {
		switch byDefault := opt.Properties == nil && !p.OnRequest; {
		case asked>>i&1 == 1:
			s.ask(i, p)
		case byDefault:
			s.report.NotAsked = append(s.report.NotAsked, p)
		}
		s.report.Properties = append(s.report.Properties, Result{PropertyInfo: p, Length: -1})
	}
	s.finds = make([]find, len(s.report.Properties))
	s.everyStep = s.judgeSteps || s.graphs || opt.OutOfReach
	s.workers.start(opt.Workers)
	s.visited = exact{s}
	s.tables.SetForm(memory.Form{Behind: 1, Eighths: 6})
	if opt.Store.Kind == Compact {
		s.compact = newCompacted(s)
		s.visited = s.compact
	}
	s.newCursors()
	s.siblingCaches = make([]siblingCache, opt.Workers)
	s.chunks = make([]chunk, chunksPerExpansion+1) // one more for states for which tables are filled
	return s
}

// ask adds a property to those that are checked.
func (s *search) ask(i int, p model.PropertyInfo) {
	s.asked |= 1 << i
	switch p.Kind {
	case model.Reachable:
		s.goals |= 1 << i
		s.judgeStates = true
		s.judgeAll = s.judgeAll || !p.ByTable
	case model.Invariant:
		s.judgeStates = true
		s.judgeAll = s.judgeAll || !p.ByTable
	case model.StepInvariant:
		s.judgeSteps = true
	case model.Liveness, model.Costs:
		s.graphs = true
	case model.DeadlockFree:
		s.deadlock |= 1 << i
	}
}

// asked returns which properties are asked.
func (o *Options) asked(properties []model.PropertyInfo) (which uint64) {
	for i, p := range properties {
		byDefault := o.Properties == nil && !p.OnRequest && p.Moot == "" && !o.Store.Kind.lacks(p.Kind)
		if byDefault || slices.Contains(o.Properties, i) {
			which |= 1 << i
		}
	}
	return which
}

func (s *search) newCursors() {
	if s.compact != nil {
		s.compact.Relayout(s.space)
	}
	s.filler = s.space.NewFiller()
	s.filling = s.newChecker(s.filler)
	s.cursors = s.cursors[:0]
	for range s.opt.Workers {
		s.cursors = append(s.cursors, s.newChecker(s.space.NewCursor()))
	}
}

func (s *search) free() {
	s.workers.stop()
	s.tables.Free()
}
