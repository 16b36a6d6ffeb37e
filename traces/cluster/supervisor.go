package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/traces/capture"
)

// A supervisor executes a run: it starts and kills processes, passes their messages and gives them turns.
type supervisor struct {
	Options
	medium
	number   int // number of the run, from 1
	wanted   int // the run ends after this number of entries
	rng      *rand.Rand
	children []child           // by process
	news     chan func() error // each function processes a report or the exit of a child
	ready    int               // number of first reports
	begun    time.Time
	deadline time.Time
	plan     []planned
	result   Run
	over     bool // the processes were ordered to end
}

type child struct {
	cmd     *exec.Cmd // nil: the process is dead from the start
	file    string    // name of its log
	input   io.Closer
	turns   *json.Encoder
	up      bool                     // the operating-system process runs
	doomed  bool                     // the supervisor killed it, or its next turns order it to crash
	outside bool                     // its next step would leave the constraint; it takes no more steps
	doing   *offer                   // the current turn; nil: none
	due     time.Time                // time of its next own step; zero: not yet decided
	notices map[model.Proc]time.Time // by crashed process: when to notify this child
}

// planned is a crash to come: after a time or, if that is 0, after a number of entries in the run.
type planned struct {
	Kill
	entries int
}

// finishTime is the longest wait for processes that were ordered to end.
const finishTime = 20 * time.Second

func newSupervisor(opt Options, number, wanted int, deadline time.Time) (*supervisor, error) {
	files, err := opt.logs(number)
	if err != nil {
		return nil, err
	}
	s := &supervisor{
		Options: opt, medium: newMedium(opt.Nodes), number: number, wanted: wanted, deadline: deadline,
		rng: rand.New(rand.NewPCG(opt.Seed, uint64(number)<<8)), children: make([]child, opt.Nodes.N()),
		news: make(chan func() error),
	}
	for p := range s.children {
		s.children[p].file, s.children[p].notices = files[p], map[model.Proc]time.Time{}
	}
	s.makePlan()
	return s, nil
}

// makePlan chooses the crashes of the run. Random ones come after 1 to 10·n entries, n processes.
func (s *supervisor) makePlan() {
	dead := s.Nodes.Dead
	for _, k := range s.Kills {
		s.plan = append(s.plan, planned{Kill: Kill{k.Process, max(k.After, 1)}})
		dead = dead.With(k.Process)
	}
	for range s.RandomKills {
		may := crashable(s.Nodes, dead)
		if len(may) == 0 { // the chosen crashes used up a common limit of several processes
			return
		}
		p := may[s.rng.IntN(len(may))]
		dead = dead.With(p)
		s.plan = append(s.plan, planned{Kill{Process: p}, 1 + s.rng.IntN(10*s.Nodes.N())})
	}
}

// run executes the run. All processes have ended when it returns.
func (s *supervisor) run(ctx context.Context) (Run, error) {
	ctx, cancel := context.WithCancel(ctx)
	err := s.start(ctx)
	if err == nil {
		s.begun = time.Now()
		late := time.After(time.Until(s.deadline) + finishTime)
		for err == nil && s.result.End == "" {
			if e := check.Apart(late, func() { err = s.advance(ctx) }); e != nil {
				err = e
			}
		}
		s.result.Elapsed = time.Since(s.begun)
		err = errors.Join(err, s.finish(ctx))
	}
	if mistake, is := errors.AsType[*model.Error](err); is {
		s.result.End, err = map[bool]End{true: TimeOver, false: AtFault}[mistake.Stopped], mistake
	}
	if ctx.Err() != nil {
		s.result.End, err = Interrupted, nil
	}
	cancel() // kills the rest
	for len(s.live()) > 0 {
		_ = (<-s.news)() // errors of killed processes do not matter
	}
	for p := range s.children {
		if c := &s.children[p]; c.cmd != nil {
			s.result.Logs = append(s.result.Logs, c.file)
		}
	}
	return s.result, err
}

// start starts the processes and waits for their first reports.
func (s *supervisor) start(ctx context.Context) error {
	for p := range model.Proc(s.Nodes.N()) {
		if !s.Nodes.Dead.Has(p) {
			if err := s.spawn(ctx, p); err != nil {
				return err
			}
		}
	}
	for s.ready < len(s.live()) {
		if err := s.next(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// spawn starts process p, also to recover, and a goroutine that receives its reports.
func (s *supervisor) spawn(ctx context.Context, p model.Proc) error {
	c := &s.children[p]
	c.cmd, c.doomed = s.Command(ctx), false
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.cmd.Start(); err != nil {
		return err
	}
	c.input, c.turns, c.up = in, json.NewEncoder(in), true
	go func() {
		for d := json.NewDecoder(out); ; {
			var r report
			if d.Decode(&r) != nil {
				break
			}
			s.news <- func() error { return s.hear(p, &r) }
		}
		_ = c.cmd.Wait() // exited reads the ProcessState
		s.news <- func() error { return s.exited(p) }
	}()
	c.order(assignment{
		Process: p, Again: s.state.IsDead(p), Log: c.file, Spec: s.Spec, Args: s.Args,
		Seed: [2]uint64{s.Seed, uint64(s.number)<<8 | uint64(p+1)},
	})
	return nil
}

func (s *supervisor) live() (ps []model.Proc) {
	for p := range s.children {
		if s.children[p].up {
			ps = append(ps, model.Proc(p))
		}
	}
	return ps
}

// order sends an assignment or a turn to a child. If the child has died, exited reports it.
func (c *child) order(o any) { _ = c.turns.Encode(o) }

// next waits for news and processes it, or for the timer (nil: none), or for the end of the context.
func (s *supervisor) next(ctx context.Context, timer <-chan time.Time) error {
	select {
	case take := <-s.news:
		return take()
	case <-timer:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *supervisor) hear(p model.Proc, r *report) error {
	switch {
	case r.Mistake != nil:
		return r.Mistake
	case r.Error != "":
		return fmt.Errorf("process %s: %s", s.Nodes.Names[p], r.Error)
	case r.Result != nil:
		return s.turned(p, r.Result)
	}
	s.ready++
	return nil
}

// exited processes the exit of a child. It is an error unless the child was ordered to end, or killed.
func (s *supervisor) exited(p model.Proc) error {
	c := &s.children[p]
	c.up = false
	s.result.States = append(s.result.States, c.cmd.ProcessState)
	switch {
	case s.over && c.cmd.ProcessState.Success():
		return nil
	case !c.doomed:
		return fmt.Errorf("process %s ended by itself: %v", s.Nodes.Names[p], c.cmd.ProcessState)
	}
	return s.crashed(p)
}

// finish orders the processes to end, and waits until they have ended, at most finishTime.
func (s *supervisor) finish(ctx context.Context) error {
	s.over = true
	for _, p := range s.live() {
		_ = s.children[p].input.Close() // if the child has died, exited reports it
	}
	late := time.Now().Add(finishTime)
	for len(s.live()) > 0 {
		if err := s.next(ctx, time.After(time.Until(late))); err != nil {
			return err
		}
		if time.Now().After(late) {
			return &model.Error{What: check.Unreturned, Stopped: true}
		}
	}
	return nil
}

// advance kills processes as planned, gives turns, and waits for the next event of the run.
func (s *supervisor) advance(ctx context.Context) error {
	busy := slices.ContainsFunc(s.children, func(c child) bool { return c.doing != nil })
	if busy && s.Nodes.Medium.Links { // one turn at a time
		return s.next(ctx, nil)
	}
	now := time.Now()
	turns, next := s.offers()
	still := !busy && len(turns) == 0 && next.IsZero()
	victims, kill := s.due(now, still)
	for _, p := range victims {
		if err := s.kill(p); err != nil {
			return err
		}
	}
	s.result.End = s.end(now)
	switch {
	case s.result.End != "" || len(victims) > 0:
		return nil
	case still && len(s.plan) == 0:
		s.result.End = Quiet
		return nil
	}
	for i := range turns {
		if err := s.give(ctx, turns[i]); err != nil {
			return err
		}
	}
	if next.IsZero() || kill.Before(next) {
		next = kill
	}
	return s.next(ctx, time.After(time.Until(next)))
}

// end returns the reason why the run is over; "" if it is not.
func (s *supervisor) end(now time.Time) End {
	switch {
	case now.After(s.deadline):
		return TimeOver
	case s.result.Entries >= s.wanted:
		return Enough
	case slices.ContainsFunc(s.children, func(c child) bool { return c.outside }):
		return Outside
	}
	return ""
}

// due removes from the plan the processes to kill now, and returns the time of the next kill. late:
// there will be no more entries, so the crashes that wait for entries come now.
func (s *supervisor) due(now time.Time, late bool) (due []model.Proc, next time.Time) {
	next = s.deadline
	s.plan = slices.DeleteFunc(s.plan, func(k planned) bool {
		at := s.begun.Add(k.After)
		is := k.After > 0 && !at.After(now) || k.After == 0 && (late || s.result.Entries >= k.entries)
		if is {
			due = append(due, k.Process)
		} else if k.After > 0 && at.Before(next) {
			next = at
		}
		return is
	})
	return due, next
}

// kill kills a process and waits for its exit. With CrashInside it orders the process to crash while it
// sends. It does nothing if the process does not run or may not crash.
func (s *supervisor) kill(p model.Proc) error {
	c := &s.children[p]
	if !c.up || !s.mayCrash(p) {
		return nil
	}
	c.doomed = true
	if s.CrashInside {
		return nil
	}
	_ = c.cmd.Process.Kill() // if the child has exited, exited reports it
	for c.up {
		if err := (<-s.news)(); err != nil {
			return err
		}
	}
	return nil
}

// crashed processes the crash of p: it ends the log of p, and decides when to notify the others.
func (s *supervisor) crashed(p model.Proc) error {
	s.result.Killed = append(s.result.Killed, s.Nodes.Names[p])
	s.crash(p)
	c := &s.children[p]
	c.due, c.doing = time.Time{}, nil
	clear(c.notices)
	for _, q := range s.live() {
		s.children[q].notices[p] = time.Now().Add(s.random(s.Pace.Delay))
	}
	return s.logCrash(p)
}

// logCrash appends an event crash to the log of p. If its last line is torn, the log stays as it is.
func (s *supervisor) logCrash(p model.Proc) error {
	f, err := os.OpenFile(s.children[p].file, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing is buffered that Close could lose
	rec, err := capture.Continue(f, s.Nodes.Names[p], f)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	if err != nil {
		return err
	}
	line := rec.Step("crash")
	if s.Nodes.Medium.Links { // no process takes a step meanwhile, so the time orders the crash
		now := time.Now()
		line.Between(now, now)
	}
	_, err = line.Log()
	return err
}
