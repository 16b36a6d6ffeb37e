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
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/capture"
	"github.com/atmostk/atmostk/traces/printable"
)

// Process executes one process of the algorithm. It reads turns from in and writes reports to out; the
// supervisor is at the other ends. It returns when in ends or an error was reported.
func Process(nodes *interp.Interp, in io.Reader, out io.Writer) error {
	p := &process{nodes: nodes, turns: json.NewDecoder(in), reports: json.NewEncoder(out)}
	var err error
	mistake := check.Apart(nil, func() { err = p.live() })
	switch {
	case mistake != nil:
		return p.reports.Encode(report{Mistake: mistake})
	case err != nil:
		return errors.Join(err, p.reports.Encode(report{Error: err.Error()}))
	}
	return nil
}

type process struct {
	assignment
	nodes   *interp.Interp
	rng     *rand.Rand
	rec     *capture.Recorder
	turns   *json.Decoder
	reports *json.Encoder
}

// live begins the log and takes turns until the last one.
func (p *process) live() error {
	if p.turns.Decode(&p.assignment) != nil {
		return nil // the supervisor is gone
	}
	p.rng = rand.New(rand.NewPCG(p.Seed[0], p.Seed[1]))
	how := os.O_RDWR | os.O_CREATE | os.O_TRUNC
	if p.Again {
		how = os.O_RDWR | os.O_CREATE | os.O_APPEND
	}
	file, err := os.OpenFile(p.Log, how, 0o666)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // nothing is buffered that Close could lose
	if name := p.nodes.Names[p.Process]; p.Again {
		p.rec, err = capture.Continue(file, name, file)
	} else {
		p.rec, err = capture.New(file, name, capture.Header{Spec: p.Spec, Args: p.Args})
	}
	if err == nil {
		err = p.reports.Encode(report{Ready: true})
	}
	for err == nil {
		var t turn
		if p.turns.Decode(&t) != nil {
			return nil
		}
		err = p.turn(&t)
	}
	return err
}

func (p *process) turn(t *turn) error {
	begun := time.Now()
	a, err := t.read(p.nodes, p.Process)
	if err != nil {
		return err
	}
	all := steps(p.nodes, a)
	if len(all) == 0 {
		return errors.New("a step was enabled and no longer is: the handlers are not functions")
	}
	o := &all[p.rng.IntN(len(all))]
	if o.Exhausted || !p.nodes.Keeps(p.Process, o.Local) { // no number is free, or it leaves the constraint
		return p.reports.Encode(report{Result: &result{Outside: true}})
	}
	done, err := p.take(o, t, &a, begun)
	if err != nil {
		return err
	}
	dies := t.Crash && p.cutOff(&done, t.Context.Dead)
	if err := p.reports.Encode(report{Result: &done}); err != nil {
		return err
	}
	if dies {
		p.crash()
	}
	return nil
}

// take logs a step, and returns its result with the messages sent.
func (p *process) take(o *interp.Outcome, t *turn, a *interp.Ask, begun time.Time) (done result, err error) {
	x := p.nodes
	line := p.rec.Step(x.Actions[o.Action].Name)
	if x.Medium.Links { // no other process takes a step meanwhile, so the times order the steps
		line.Between(begun, time.Now())
	}
	if e := t.Envelope; e != nil {
		if err := line.Receive(x.Names[t.Peer], e.ID, x.Messages.Text(a.Message), e.Clock); err != nil {
			return done, err
		}
	}
	for _, m := range o.Sent {
		id := line.Send(x.Names[m.To], x.Messages.Text(m.M))
		done.Sent = append(done.Sent, sending{m.To, envelope{ID: id, Message: x.Messages.Append(nil, m.M)}})
	}
	for _, v := range x.LocalVars(p.Process, o.Local) {
		line.Set(v.Name, v.Value)
	}
	line.Units(x.Units(p.Process, o.Local))
	clock, err := line.Log()
	for i := range done.Sent {
		done.Sent[i].Envelope.Clock = clock
	}
	done.Local = x.Locals.Append(nil, o.Local)
	return done, err
}

// cutOff keeps a random part of the messages sent, at least one and not all, that the crash adversary may
// choose. It returns false if fewer than two messages go to live processes.
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
	done.Sent = printable.Each(order, func(i *int) sending { return live[*i] })
	return true
}

// crash kills the process with a signal. It does not return.
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

// crashable returns the processes that may crash next, after the processes in dead crashed.
func crashable(x *interp.Interp, dead model.Set) (may []model.Proc) {
	for p := range model.Proc(x.N()) {
		spent := x.Medium.Recovers && (dead&^x.Dead).Len() >= x.Medium.Crashes
		if !dead.Has(p) && !spent && x.MayCrash(p, dead) {
			may = append(may, p)
		}
	}
	return may
}

// read decodes the local state and the message of a turn. It is an error if the bytes are not values of the
// algorithm, or no handler accepts the message.
func (t *turn) read(x *interp.Interp, p model.Proc) (a interp.Ask, err error) {
	a = interp.Ask{Proc: p, Peer: t.Peer, Action: t.Action, Context: t.Context}
	if a.Local, err = x.Locals.Read(t.Local, protocol.MaxProcs); err != nil {
		return a, fmt.Errorf("the local state of %s: %w", x.Names[p], err)
	}
	if t.Envelope == nil {
		return a, nil
	}
	if a.Message, err = x.Messages.Read(t.Envelope.Message, x.N()); err != nil {
		return a, err
	}
	if int(t.Peer) >= x.N() || !x.Accepts(a.Message) {
		return a, fmt.Errorf("no handler of %s accepts %s", x.Names[p], x.Messages.Text(a.Message))
	}
	a.Action = x.Receiver(a)
	return a, nil
}

// steps returns the steps of an event; none if it is not enabled. A process knows the others that are dead
// only under Links; with a notice it knows the process that crashed. steps leaves out a process's own steps
// that change nothing and send nothing.
func steps(x *interp.Interp, a interp.Ask) (all []interp.Outcome) {
	class := x.Class(a.Action)
	if !x.Medium.Links {
		a.Context = protocol.Context{Dead: a.Dead & model.SetOf(a.Proc)}
	}
	if class == interp.CrashNotice {
		a.Context = protocol.Context{Dead: model.SetOf(a.Peer)}
	}
	x.Run(a, func(o *interp.Outcome) bool {
		changes := o.Revives || len(o.Sent) > 0 || !x.Locals.Equal(o.Local, a.Local)
		if class != interp.OwnStep || changes {
			all = append(all, *o)
		}
		return true
	})
	return all
}

// An assignment is the first line of JSON from the supervisor on the standard input of a process. Every other
// line is a turn. The end of the input orders the process to end.
type assignment struct {
	Process model.Proc
	Again   bool   // the process recovers, and appends to its log
	Log     string // name of the file
	Spec    string // for the header of the log
	Args    string
	Seed    [2]uint64
}

// A turn orders a process to take a step of an enabled event.
type turn struct {
	Action   int
	Peer     model.Proc // the sender of the envelope, or the crashed process
	Local    []byte     // the local state before
	Context  protocol.Context
	Envelope *envelope `json:",omitempty"` // to be received; nil: none
	Crash    bool      // crash during the step, if it sends several messages
}

// A report is a line of JSON from a process on its standard output.
type report struct {
	Ready   bool         `json:",omitempty"` // the first report: the log exists
	Result  *result      `json:",omitempty"` // result of a turn
	Error   string       `json:",omitempty"` // the process failed; its last report
	Mistake *model.Error `json:",omitempty"` // the model failed; the last report
}

type result struct {
	Outside bool   // the step would leave the constraint, and was not taken
	Local   []byte // the local state afterwards
	Sent    []sending
}

// sending is an envelope with its target.
type sending struct {
	To       model.Proc
	Envelope envelope
}

// envelope is a message on its way.
type envelope struct {
	ID, Clock string // as in the sender's log
	Message   []byte // canonical bytes
}

// Pace has the mean times of a run. The actual times are uniformly random from 0 to twice the mean.
type Pace struct {
	Think time.Duration // before a process's own step
	Stay  time.Duration // the same while the process uses the resource
	Delay time.Duration // of an envelope, and of the notice of a crash
	// Slow is the additional delay of envelopes from some processes.
	Slow map[model.Proc]time.Duration
}
