package cluster

import (
	"cmp"
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

// Process executes one of the nodes by the orders of the supervisor at the other end of in and out. It
// returns when it has finished, or when the supervisor is gone.
func Process(nodes *interp.Interp, in io.Reader, out io.Writer) error {
	p := &process{nodes: nodes, orders: json.NewDecoder(in), reports: json.NewEncoder(out)}
	err := p.live()
	var mistake *model.Error
	switch {
	case errors.Is(err, errGone):
		return nil
	case errors.As(err, &mistake):
		return p.reports.Encode(report{Mistake: mistake})
	case err != nil:
		return errors.Join(err, p.reports.Encode(report{Error: err.Error()}))
	}
	return p.reports.Encode(report{progress: p.progress, Ended: true})
}

// process is one process while it runs.
type process struct {
	assignment
	progress
	nodes     *interp.Interp
	node      node
	rng       *rand.Rand
	rec       *capture.Recorder
	orders    *json.Decoder
	reports   *json.Encoder
	crashSoon bool
}

var (
	errOrder = errors.New("the supervisor's orders come in a wrong order")
	errGone  = errors.New("the supervisor is gone")
)

// live carries out orders until the last one. A mistake of the model is its error.
func (p *process) live() (err error) {
	var mistake *model.Error
	defer func() {
		if mistake != nil {
			err = mistake
		}
	}()
	defer model.Catch(&mistake)
	for begun := false; ; begun = true {
		var o order
		switch err := p.orders.Decode(&o); {
		case err != nil:
			return errGone
		case (o.Assignment == nil) != begun:
			return errOrder
		case o.Assignment != nil:
			p.assignment = *o.Assignment
			file, err := p.begin()
			if err != nil {
				return err
			}
			defer func() { _ = file.Close() }() // nothing is buffered
		case o.CrashSoon:
			p.crashSoon = true
		case o.Finish:
			return nil
		case o.Turn != nil:
			if err := p.turn(o.Turn); err != nil {
				return err
			}
		}
	}
}

// begin sets up the node and its log, which a process that recovers goes on with.
func (p *process) begin() (file *os.File, err error) {
	p.rng = rand.New(rand.NewPCG(p.Seed[0], p.Seed[1]))
	name := p.nodes.Names[p.Process]
	if p.Local == nil {
		p.node = startOf(p.nodes, p.Process)
		if file, err = os.Create(p.Log); err == nil {
			p.rec, err = capture.New(file, name, capture.Header{Spec: p.Spec, Args: p.Args})
		}
	} else {
		if p.node, err = restored(p.nodes, p.Process, p.Local); err != nil {
			return nil, err
		}
		if file, err = os.OpenFile(p.Log, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err == nil {
			p.rec, err = capture.Continue(file, name, file)
		}
	}
	if err == nil {
		err = p.reports.Encode(report{Ready: true})
	}
	return file, err
}

// turn takes a step, if there is one, and reports the result.
func (p *process) turn(t *turn) error {
	begun := time.Now()
	if p.nodes.Medium.Links {
		p.node = p.node.amid(t.Context, t.Gone)
	}
	steps, err := p.node.enabled(t)
	if err != nil {
		return err
	}
	var done result
	var dies bool
	if len(steps) > 0 {
		s := steps[p.rng.IntN(len(steps))]
		if p.Outside = s.outside; !s.outside {
			done, err = p.take(&s, t.Envelope, begun)
			dies = err == nil && p.crashSoon && p.cutOff(&done, t.Context.Dead)
		}
	}
	if err == nil {
		err = p.reports.Encode(report{progress: p.progress, Result: &done})
	}
	if dies {
		p.crash()
	}
	return err
}

// take takes a step: it writes the step's line of the log. The messages sent are part of the result.
func (p *process) take(s *step, received *envelope, begun time.Time) (done result, err error) {
	line := p.rec.Step(p.nodes.Actions[s.Action].Name)
	if p.nodes.Medium.Links { // no other process takes a step meanwhile, so the times are an order
		line.Between(begun, time.Now())
	}
	if s.received != nil {
		if err := line.Receive(p.nodes.Names[s.received.peer], received.ID, s.received.text,
			received.Clock); err != nil {
			return done, err
		}
	}
	for _, m := range s.Sent {
		id := line.Send(p.nodes.Names[m.To], p.nodes.Messages.Text(m.M))
		e := envelope{ID: id, Message: p.nodes.Messages.Append(nil, m.M)}
		done.Sent = append(done.Sent, sending{m.To, e})
	}
	for _, v := range s.next.vars() {
		line.Set(v.Name, v.Value)
	}
	line.Units(s.next.units())
	clock, err := line.Log()
	if err != nil {
		return done, err
	}
	for i := range done.Sent {
		done.Sent[i].Envelope.Clock = clock
	}
	p.Steps++
	if p.node.units() == 0 && s.next.units() > 0 {
		p.Entries++
	}
	p.node = s.next
	done.Stepped, done.Local, done.Units = true, p.node.bytes(), p.node.units()
	return done, nil
}

// cutOff keeps a part of the messages sent, as the crash adversary may choose it. It returns false if the
// step has no such part.
func (p *process) cutOff(done *result, dead model.Set) bool {
	live := slices.DeleteFunc(slices.Clone(done.Sent), func(s sending) bool { return dead.Has(s.To) })
	if len(live) < 2 {
		return false
	}
	order := p.rng.Perm(len(live))
	if !p.nodes.AnyPart {
		slices.SortStableFunc(live, func(a, b sending) int { return cmp.Compare(a.To, b.To) })
		slices.Sort(order)
	}
	order = order[:1+p.rng.IntN(len(live)-1)]
	slices.Sort(order) // in the order in which they are sent
	done.Sent = nil
	for _, i := range order {
		done.Sent = append(done.Sent, live[i])
	}
	return true
}

// crash ends the process by a signal.
func (p *process) crash() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(fmt.Sprint("cluster: a process cannot kill itself: ", err))
	}
	select {} // the signal is on its way
}
