package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/traces/capture"
)

// Process executes one of the nodes, as the supervisor at the other end of in and
// out tells it. It returns when it has finished, or when the supervisor is gone.
func Process(ctx context.Context, nodes *interp.Interp, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &process{nodes: nodes, orders: make(chan order), arrivals: make(chan arrival, 4096),
		reports: json.NewEncoder(out)}
	go func() {
		defer cancel() // without a supervisor there is nothing left to do
		for d := json.NewDecoder(in); ; {
			var o order
			if d.Decode(&o) != nil || !pass(ctx, p.orders, o) {
				return
			}
		}
	}()
	err := p.live(ctx)
	if ctx.Err() != nil {
		return nil
	}
	var mistake *model.Error
	if errors.As(err, &mistake) {
		return p.reports.Encode(report{Mistake: mistake}) // for the supervisor to tell
	}
	if err != nil {
		return errors.Join(err, p.reports.Encode(report{Error: err.Error()}))
	}
	return p.reports.Encode(report{progress: p.progress, Ended: true})
}

// pass hands a value on, unless the context ends first.
func pass[T any](ctx context.Context, ch chan<- T, v T) bool {
	select {
	case ch <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// process is one process while it runs.
type process struct {
	assignment
	progress
	nodes    *interp.Interp
	node     node
	rng      *rand.Rand
	rec      *capture.Recorder
	orders   chan order
	arrivals chan arrival
	reports  *json.Encoder
	told     string // the latest progress that was reported
	links

	inbox     []arrival // by the time at which they may be received
	due       time.Time // of the next step of its own; zero: not decided
	notices   []model.Proc
	crashSoon bool
	finished  bool
}

// live is run, in which a mistake of the model may show.
func (p *process) live(ctx context.Context) (err error) {
	var mistake *model.Error
	defer func() {
		if mistake != nil {
			err = mistake
		}
	}()
	defer model.Catch(&mistake)
	return p.run(ctx)
}

// run is the life of a process.
func (p *process) run(ctx context.Context) error {
	o, err := p.await(ctx)
	if err != nil || o.Assignment == nil {
		return cmp.Or(err, errOrder)
	}
	p.assignment = *o.Assignment
	p.rng = rand.New(rand.NewPCG(p.Seed[0], p.Seed[1]))
	file, err := p.begin()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // nothing is buffered
	if p.nodes.Medium.Links {
		return p.turns(ctx)
	}
	p.Sent, p.Arrived = make([]int, p.nodes.N()), make([]int, p.nodes.N())
	if err := p.connect(ctx); err != nil {
		return err
	}
	defer p.close()
	if o, err = p.await(ctx); err != nil || !o.Start {
		return cmp.Or(err, errOrder)
	}
	for !p.finished && err == nil {
		err = p.advance(ctx)
	}
	return err
}

// begin sets up the node and its log, which a process that comes up again goes on with.
func (p *process) begin() (file *os.File, err error) {
	name := p.nodes.Names[p.Process]
	if p.Local == nil {
		p.node = startOf(p.nodes, p.Process)
		if file, err = os.Create(p.Log); err == nil {
			p.rec, err = capture.New(file, name, capture.Header{Spec: p.Spec, Args: p.Args})
		}
		return file, err
	}
	if p.node, err = restored(p.nodes, p.Process, p.Local); err != nil {
		return nil, err
	}
	if file, err = os.OpenFile(p.Log, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err == nil {
		p.rec, err = capture.Continue(file, name, file)
	}
	return file, err
}

var errOrder = errors.New("the supervisor's orders come in a wrong order")

// await returns the next order.
func (p *process) await(ctx context.Context) (order, error) {
	select {
	case o := <-p.orders:
		return o, nil
	case <-ctx.Done():
		return order{}, ctx.Err()
	}
}

// advance does the next thing that there is to do, or waits for it.
func (p *process) advance(ctx context.Context) error {
	own := p.node.own()
	wake, act := p.next(own)
	p.Idle = act == nil
	if err := p.tell(); err != nil {
		return err
	}
	var timer <-chan time.Time
	if act != nil {
		timer = time.After(time.Until(wake))
	}
	select {
	case <-timer:
		return act()
	case a := <-p.arrivals:
		p.arrive(a)
	case o := <-p.orders:
		p.obey(o)
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// next returns what the process does next, and when: a step of its own, chosen from
// own, or the receipt of an envelope or of a notice. Nil: there is nothing.
func (p *process) next(own []step) (wake time.Time, act func() error) {
	if p.Outside {
		return wake, nil
	}
	if len(own) > 0 {
		if p.due.IsZero() {
			mean := p.Pace.Think
			if p.node.units() > 0 {
				mean = p.Pace.Stay
			}
			p.due = time.Now().Add(p.about(mean))
		}
		wake, act = p.due, func() error {
			p.due = time.Time{}
			return p.take(own, envelope{})
		}
	}
	for i, dead := range p.notices {
		if steps, err := p.node.notice(dead); err != nil || len(steps) > 0 {
			return time.Now(), func() error {
				p.notices = slices.Delete(p.notices, i, i+1)
				return cmp.Or(err, p.take(steps, envelope{}))
			}
		}
	}
	var held model.Set // senders whose first envelope cannot be received now
	for i, a := range p.inbox {
		if act != nil && wake.Before(a.ready) {
			break
		}
		if held.Has(a.from) {
			continue
		}
		steps, err := p.node.receive(a.from, a.envelope.Message)
		if err != nil || len(steps) > 0 {
			return a.ready, func() error {
				p.inbox = slices.Delete(p.inbox, i, i+1)
				if err != nil {
					return err
				}
				return p.take(steps, a.envelope)
			}
		}
		if p.nodes.FIFO() {
			held = held.With(a.from)
		}
	}
	return wake, act
}

// about returns a random duration with the given mean.
func (p *process) about(mean time.Duration) time.Duration {
	return time.Duration(p.rng.Int64N(int64(2*mean) + 1))
}

// arrive puts an envelope into the inbox, to be received after a while.
func (p *process) arrive(a arrival) {
	if a.closed {
		p.Closed = p.Closed.With(a.from)
		return
	}
	p.Arrived[a.from]++
	a.ready = time.Now().Add(p.about(p.Pace.Delay + p.Pace.Slow[a.from]))
	if p.nodes.FIFO() {
		for _, earlier := range p.inbox {
			if earlier.from == a.from && a.ready.Before(earlier.ready) {
				a.ready = earlier.ready
			}
		}
	}
	at := len(p.inbox)
	for at > 0 && a.ready.Before(p.inbox[at-1].ready) {
		at--
	}
	p.inbox = slices.Insert(p.inbox, at, a)
}

// obey carries out an order.
func (p *process) obey(o order) {
	switch {
	case o.Notice != nil:
		p.notices = append(p.notices, *o.Notice)
		p.Noticed = p.Noticed.With(*o.Notice)
	case o.CrashSoon:
		p.crashSoon = true
	case o.Finish:
		p.finished = true
	}
}

// take carries out one of some steps: first its line in the log, then its messages.
func (p *process) take(steps []step, received envelope) error {
	s := steps[p.rng.IntN(len(steps))]
	if s.outside {
		p.Outside = true
		return nil
	}
	envelopes, err := p.write(&s, received, p.rec.Step(p.nodes.Actions[s.Action].Name))
	if err != nil {
		return err
	}
	if p.crashSoon {
		p.crash(s.Sent, envelopes)
	}
	for i, m := range s.Sent {
		p.send(m.To, envelopes[i])
	}
	return nil
}

// write writes the line of a step that is taken, and returns the envelopes that may leave now.
func (p *process) write(s *step, received envelope, line *capture.Step) ([]envelope, error) {
	if s.received != nil {
		if err := line.Receive(p.nodes.Names[s.received.peer], received.ID, s.received.text,
			received.Clock); err != nil {
			return nil, err
		}
	}
	envelopes := make([]envelope, len(s.Sent))
	for i, m := range s.Sent {
		id := line.Send(p.nodes.Names[m.To], p.nodes.Messages.Text(m.M))
		envelopes[i] = envelope{ID: id, Message: p.nodes.Messages.Append(nil, m.M)}
	}
	for _, v := range s.next.vars() {
		line.Set(v.Name, v.Value)
	}
	line.Units(s.next.units())
	clock, err := line.Log()
	if err != nil {
		return nil, err
	}
	for i := range envelopes {
		envelopes[i].Clock = clock
	}
	p.Steps++
	if p.node.units() == 0 && s.next.units() > 0 {
		p.Entries++
	}
	p.node = s.next
	return envelopes, nil
}

// crash gets a part of the messages out, as the adversary may choose it, and ends the
// process. It returns if the step has no such part.
func (p *process) crash(sent []interp.Sent, envelopes []envelope) {
	var live []int // indices of messages to those who are not known to be dead
	for i, m := range sent {
		if !p.Closed.Has(m.To) && !p.nodes.Dead.Has(m.To) {
			live = append(live, i)
		}
	}
	if len(live) < 2 {
		return
	}
	if p.nodes.AnyPart {
		p.rng.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
	} else {
		slices.SortStableFunc(live, func(i, j int) int { return cmp.Compare(sent[i].To, sent[j].To) })
	}
	live = live[:1+p.rng.IntN(len(live)-1)]
	slices.Sort(live) // in the order in which they are sent
	for _, i := range live {
		p.send(sent[i].To, envelopes[i])
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(fmt.Sprint("cluster: a process cannot kill itself: ", err))
	}
	select {} // the signal is on its way
}

// tell reports the progress, if it says something that the supervisor waits for.
func (p *process) tell() error {
	news := fmt.Sprint(p.Idle, p.Entries, p.Outside)
	if p.Idle {
		news = fmt.Sprint(p.progress)
	}
	if news == p.told {
		return nil
	}
	p.told = news
	return p.reports.Encode(report{progress: p.progress})
}
