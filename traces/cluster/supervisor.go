package cluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os/exec"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
)

// supervisor is one run.
type supervisor struct {
	Options
	number   int
	wanted   int // entries
	rng      *mathrand.Rand
	files    []string // by process
	children []*child // by process; nil: dead from the start
	news     chan news
	begun    time.Time
	deadline time.Time
	plan     []planned
	referee  *referee // nil: processes take their steps whenever they like
	result   Run
}

// child is a process of the run.
type child struct {
	cmd    *exec.Cmd
	orders *json.Encoder
	progress
	ended   bool      // it has said so
	exited  bool      // the operating system says so
	doomed  bool      // it was killed, or told to crash
	toldOf  model.Set // whose crashes it was told of
	tidings []tiding  // crashes that it is still to be told of
}

// tiding is the notice of a crash, to be given at some time.
type tiding struct {
	dead model.Proc
	at   time.Time
}

// planned is a crash to come: after some time or, if that is 0, after some entries.
type planned struct {
	process model.Proc
	after   time.Duration
	entries int
}

// news of a child: a report, or that it has exited.
type news struct {
	from   model.Proc
	report report
	exited bool
}

func newSupervisor(opt Options, number, wanted int, deadline time.Time) (*supervisor, error) {
	files, err := opt.logs(number)
	if err != nil {
		return nil, err
	}
	s := &supervisor{
		Options: opt, number: number, wanted: wanted, files: files, deadline: deadline,
		rng:      mathrand.New(mathrand.NewPCG(opt.Seed, uint64(number)<<8)),
		children: make([]*child, opt.Nodes.N()),
		news:     make(chan news),
	}
	if opt.Nodes.Medium.Links {
		s.referee = newReferee(s)
	}
	s.makePlan()
	return s, nil
}

// makePlan decides about the crashes of the run. Random ones come after up to ten
// entries for each process.
func (s *supervisor) makePlan() {
	dead := s.Nodes.Dead
	for _, k := range s.Kills {
		s.plan = append(s.plan, planned{process: k.Process, after: max(k.After, 1)})
		dead = dead.With(k.Process)
	}
	for range s.RandomKills {
		var may []model.Proc
		for p := range model.Proc(s.Nodes.N()) {
			if !dead.Has(p) && mayCrash(s.Nodes, p, dead) {
				may = append(may, p)
			}
		}
		if len(may) == 0 { // a limit among some of them is used up
			return
		}
		p := may[s.rng.IntN(len(may))]
		dead = dead.With(p)
		s.plan = append(s.plan, planned{process: p, entries: 1 + s.rng.IntN(10*s.Nodes.N())})
	}
}

// run starts the processes, lets them run, and sees to it that they have ended.
func (s *supervisor) run(ctx context.Context) (Run, error) {
	ctx, cancel := context.WithCancel(ctx)
	err := s.start(ctx)
	if err == nil {
		s.begun = time.Now()
		s.order(order{Start: true})
		for err == nil && s.result.End == "" {
			if s.referee != nil {
				err = s.referee.advance(ctx)
			} else {
				err = s.advance(ctx)
			}
		}
		s.result.Elapsed = time.Since(s.begun)
		err = errors.Join(err, s.finish(ctx))
	}
	var mistake *model.Error
	if errors.As(err, &mistake) {
		s.result.End, err = AtFault, mistake
	}
	if ctx.Err() != nil {
		s.result.End = Interrupted
		err = nil
	}
	cancel() // kills those that are still there
	for _, c := range s.children {
		for c != nil && !c.exited {
			_ = s.hear(<-s.news) // whatever else it says, the run is over
		}
	}
	for p, c := range s.children {
		if c != nil {
			s.result.Logs = append(s.result.Logs, s.files[p])
			s.result.Entries += c.Entries
			s.result.Steps += c.Steps
			s.result.States = append(s.result.States, c.cmd.ProcessState)
		}
	}
	return s.result, err
}

// start starts the processes and introduces them to each other.
func (s *supervisor) start(ctx context.Context) error {
	secret := rand.Text()
	for p := range model.Proc(s.Nodes.N()) {
		if s.Nodes.Dead.Has(p) {
			continue
		}
		if err := s.spawn(ctx, p, secret, nil); err != nil {
			return err
		}
	}
	connected := func(_ model.Proc, r report) bool { return r.Connected }
	if s.referee != nil {
		return s.await(ctx, connected)
	}
	peers := make([]string, s.Nodes.N())
	if err := s.await(ctx, func(p model.Proc, r report) bool {
		peers[p] = r.Listening
		return r.Listening != ""
	}); err != nil {
		return err
	}
	s.order(order{Peers: peers})
	return s.await(ctx, connected)
}

// spawn starts process p, tells it who it is, and listens to it. local is what it comes up with; nil: it is
// new.
func (s *supervisor) spawn(ctx context.Context, p model.Proc, secret string, local []byte) error {
	c := &child{cmd: s.Command(ctx)}
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
	c.orders = json.NewEncoder(in)
	s.children[p] = c
	go func() {
		for d := json.NewDecoder(out); ; {
			var r report
			if d.Decode(&r) != nil {
				break
			}
			s.news <- news{from: p, report: r}
		}
		_ = c.cmd.Wait() // how it ended is in its ProcessState
		s.news <- news{from: p, exited: true}
	}()
	c.tell(order{Assignment: &assignment{
		Process: p, Run: secret, Log: s.files[p], Spec: s.Spec, Args: s.Args, Pace: s.Pace, Local: local,
		Seed: [2]uint64{s.Seed, uint64(s.number)<<8 | uint64(p+1)},
	}})
	return nil
}

// await waits for one report of each child, and for each checks that it is the one expected.
func (s *supervisor) await(ctx context.Context, expected func(model.Proc, report) bool) error {
	for range s.live() {
		select {
		case n := <-s.news:
			if err := s.hear(n); err != nil {
				return err
			}
			if !expected(n.from, n.report) {
				return fmt.Errorf("process %s ended before the start", s.Nodes.Names[n.from])
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// live are the processes that have not exited and are not about to.
func (s *supervisor) live() (ps []model.Proc) {
	for p, c := range s.children {
		if c != nil && !c.exited {
			ps = append(ps, model.Proc(p))
		}
	}
	return ps
}

// order tells all children the same.
func (s *supervisor) order(o order) {
	for _, p := range s.live() {
		s.children[p].tell(o)
	}
}

// tell gives a child an order. One that cannot be reached has died, and that is heard from the
// operating system.
func (c *child) tell(o order) { _ = c.orders.Encode(o) }

// advance does what it is time for, and waits for the next event of the run if there is
// to be one.
func (s *supervisor) advance(ctx context.Context) error {
	next := s.act()
	if s.result.End = s.end(); s.result.End != "" {
		return nil
	}
	timer := time.NewTimer(time.Until(next))
	defer timer.Stop()
	select {
	case n := <-s.news:
		return s.hear(n)
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end says why the run is over; "" if it is not.
func (s *supervisor) end() End {
	switch {
	case time.Now().After(s.deadline):
		return TimeOver
	case s.entries() >= s.wanted:
		return Enough
	case slices.ContainsFunc(s.children, func(c *child) bool { return c != nil && c.Outside }):
		return Outside
	case s.referee == nil && s.quiet():
		return Quiet
	}
	return ""
}

// hear takes in news of a child.
func (s *supervisor) hear(n news) error {
	c := s.children[n.from]
	switch {
	case n.report.Mistake != nil:
		c.ended = true
		return n.report.Mistake
	case n.report.Error != "":
		return fmt.Errorf("process %s: %s", s.Nodes.Names[n.from], n.report.Error)
	case n.exited:
		c.exited = true
		if c.ended {
			return nil
		}
		if !c.doomed {
			return fmt.Errorf("process %s ended by itself: %v", s.Nodes.Names[n.from], c.cmd.ProcessState)
		}
		return s.crashed(n.from)
	case n.report.Turned != nil:
		return errors.New("a process took a step out of turn")
	case n.report.Listening == "" && !n.report.Connected:
		c.progress, c.ended = n.report.progress, n.report.Ended
	}
	return nil
}

// finish tells the processes that it is over, and waits until they have ended.
func (s *supervisor) finish(ctx context.Context) error {
	s.order(order{Finish: true})
	late := time.NewTimer(setupTime)
	defer late.Stop()
	for len(s.live()) > 0 {
		select {
		case n := <-s.news:
			if err := s.hear(n); err != nil {
				return err
			}
		case <-late.C:
			return fmt.Errorf("%d processes did not end when they were told to", len(s.live()))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
