package ring

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
)

type (
	composition = model.Composition[record, message, model.None]
	global      = model.Global[record, message, model.None]
	handler     = model.Handler[record, message]
)

var claims invariants.Of[record, message, model.None]

// output is the channel of a process to the next one, in a handler.
type output struct {
	*model.Outbox[message]
	Link *protocol.Link
}

// Send sends m through the channel. If that is not open, m is lost.
func (o *output) Send(m message) {
	if o.Link.State == protocol.OpenLink {
		o.Outbox.Send(o.Link.To, m)
	}
}

// record is the local state of a process: the records of the layers.
type record struct {
	CEH cehState
	RUP rupState
	E   electionState
	Mrk mrkState
	ME  meState
	INJ injState
	Out protocol.Link // the channel to the next process
	// Starts: ring-election: elections left to start; ring-basic: whether OnRingUp is still to come
	Starts uint8
}

// ring holds the parameters: sizes, readings and repairs.
type ring struct {
	n          int  // processes, spares included
	members    int  // of the ring to begin with
	descending bool // the ids descend round the ring

	afterElection func(i model.Proc, l *record, out *output)
	resets        bool // after-election=reset
	tickets       bool // ring-basic: requests are numbered in their order

	scheme       int
	list         string // list=
	unguarded    bool   // guard=none
	minK         int
	maxErr       int    // MAX_CEH_ERR; 0: no limit
	staysOn      bool   // coordinator-off=no
	sendsEntered bool   // token-time=token
	release      string // release=
	repairs      repairs
	warm         bool
	rounds       []int
	crashes      int
	crashable    model.Set
	breaks       int  // channels that break without a crash
	lasting      bool // and stay so

	// Scheme 3:
	recovered   bool // crashed processes come back
	insertsBack bool // insert=back
	headStays   bool // head=front
	startsRUP   bool // rup-start=all
}

// repairs are changes of ours to the algorithm.
type repairs struct{ participant, orphan, drop, drop2, epoch, remember, count, requeue bool }

// successor returns the process after i in the ring; for a spare, the process before
// which it joins the ring.
func (r *ring) successor(i model.Proc) model.Proc {
	switch {
	case r.descending:
		return model.Proc((int(i) + r.members - 1) % r.members)
	case int(i) < r.members:
		return model.Proc((int(i) + 1) % r.members)
	}
	return model.Proc((int(i) + 1) % r.n)
}

// degrades reports whether the scheme replaces neighbours: CEH.GD and RUP.GD, not
// CEH and RUP.
func (r *ring) degrades() bool { return r.scheme >= 2 }

// autoList is the constant AutoList.
func (r *ring) autoList() bool { return r.degrades() && strings.HasPrefix(r.list, "auto") }

// fairnessParam declares the fairness of runs without end.
var fairnessParam = param.Param{
	Name: "fairness",
	Doc: "which runs without end are considered: weak, where neither a step of a process, requests " +
		"apart, nor the next message of a channel is put off for ever once it is possible; strong, where " +
		"it is not put off for ever if it is possible again and again; none, all",
	Default: "weak", Type: param.OneOf("weak", "strong", "none"),
}

// links makes the instance of a composition, with the fairness of fairness=.
func links(a *model.Args, c composition) model.Instance {
	c.LinkFairness(a.String("fairness"))
	return model.Compose(c)
}

// fifo is the network of a ring of n processes that do not crash.
func fifo(n int) model.Network { return model.Network{Channel: model.FIFO, Crashable: model.All(n)} }

// linked returns the links of processes, with no events.
func linked() *model.Links[record, message] {
	return &model.Links[record, message]{Of: func(l *record) *protocol.Link { return &l.Out }}
}

// step makes a handler of a step of the paper.
func step(h handler, do func(model.Proc, *record, *output) bool) handler {
	h.Do = func(i model.Proc, l *record, out *model.Outbox[message]) bool {
		return do(i, l, &output{out, &l.Out})
	}
	return h
}

// event makes the handler of an event of the channel.
func event(h handler, do func(model.Proc, *record, *output) bool) *handler {
	return new(step(h, do))
}

// receives makes the receiver of one kind of message.
func receives(name, source string, k kind, do func(model.Proc, message, *record,
	*output)) model.Receiver[record, message] {
	return model.Receiver[record, message]{
		Name: name, Source: source, Accepts: func(m message) bool { return m.kind == k },
		Do: func(i, _ model.Proc, m message, l *record, out *model.Outbox[message]) bool {
			do(i, m, l, &output{out, &l.Out})
			return true
		},
	}
}

// An id is a process as messages and variables name it, 1 to n; 0 is NULL.
type id uint8

func idOf(p model.Proc) id { return id(p) + 1 }

// proc returns the process with an id that is not NULL.
func (i id) proc() model.Proc { return model.Proc(i - 1) }

func (i id) String() string {
	if i == 0 {
		return "NULL"
	}
	return fmt.Sprintf("p%d", uint8(i))
}

// ids is a list of ids, a byte for each: a string, to be comparable.
type ids string

func (l ids) add(i id) ids { return l + ids([]byte{byte(i)}) }

func (l ids) String() string {
	var parts []string
	for _, i := range []byte(l) {
		parts = append(parts, id(i).String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// A stamp is the time of a token, which distinguishes it from others; 0 is NULL.
type stamp uint8

func (t stamp) String() string {
	if t == 0 {
		return "NULL"
	}
	return fmt.Sprint(uint8(t))
}

type kind uint8

const (
	meToken  kind = iota // the token of the basic algorithm
	election             // E: election(id)
	elected              // E: elected(id)
	rupToken             // RUP: rup(id), with AutoList rup(id, list)
	clearing             // MrkME: clear, in the first pass; under repair=epoch clear(time)
	token                // MrkME: token(time)
	inject               // INJ: inj(id, before)
)

type message struct {
	kind   kind
	id     id
	before id
	time   stamp
	list   ids
	count  uint8 // repair=count: the number of processes that have passed a rup on
}

func (m message) String() string {
	switch m.kind {
	case election:
		return fmt.Sprintf("election(%v)", m.id)
	case elected:
		return fmt.Sprintf("elected(%v)", m.id)
	case rupToken:
		if m.list != "" {
			return fmt.Sprintf("rup(%v, %v)", m.id, m.list)
		}
		if m.count > 0 {
			return fmt.Sprintf("rup(%v, %d passed)", m.id, m.count)
		}
		return fmt.Sprintf("rup(%v)", m.id)
	case clearing:
		if m.time != 0 {
			return fmt.Sprintf("clear(%v)", m.time)
		}
		return "clear"
	case token:
		return fmt.Sprintf("token(%v)", m.time)
	case inject:
		return fmt.Sprintf("inj(%v, %v)", m.id, m.before)
	}
	return "token"
}
