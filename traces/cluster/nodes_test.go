package cluster

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/specs"
)

// TestNodesOfferTheStepsOfThePlainSemantics executes random runs of every composition twice, by its nodes one
// by one and by the plain semantics of the whole. In each state every node offers the same steps as the plain
// semantics has of that process, crashes apart; and messages come out of their encoding as they went in.
func TestNodesOfferTheStepsOfThePlainSemantics(t *testing.T) {
	runs := uint64(3)
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		runs = 10
	}
	for _, spec := range specs.All {
		for _, args := range append([]string{""}, referenceArgs(spec)...) {
			in, _, err := spec.Instantiate(strings.Fields(args))
			if err != nil {
				t.Fatal(err)
			}
			if Nodes(in) == nil {
				continue
			}
			t.Run(spec.Name+" "+args, func(t *testing.T) {
				sent := 0
				for seed := range runs {
					sent += newLockstep(t, in, seed).run()
				}
				if sent == 0 && spec.Name != "vcube-tree" { // whose p0 may crash first
					t.Error("no message was sent")
				}
			})
		}
	}
}

func referenceArgs(spec model.Spec) (args []string) {
	if spec.Name == "ring-recovery" { // where processes come up that were dead from the start
		args = append(args, "scheme=3 n=2 f=1 spare=1 repair=full")
	}
	for _, ref := range spec.References {
		args = append(args, ref.Args)
	}
	return args
}

// lockstep is one run, executed twice.
type lockstep struct {
	t     *testing.T
	in    model.Instance
	rng   *rand.Rand
	whole model.State
	x     *interp.Interp
	nodes []node
	wires *medium        // nil: there are no links
	gone  [][]model.Proc // with wires, per process: who has crashed since its last step
	dead  model.Set
	inbox [][]packet // per process, in the order of sending
	sent  int
}

// A packet is a message on its way.
type packet struct {
	peer  model.Proc // its sender
	text  string
	bytes []byte
	mark  uint32
}

func newLockstep(t *testing.T, in model.Instance, seed uint64) *lockstep {
	l := &lockstep{
		t: t, in: in, rng: rand.New(rand.NewPCG(seed, 0)), whole: in.Plain.Init()[0].Next,
		x: in.Interp, dead: in.Interp.Dead, inbox: make([][]packet, in.Interp.N()),
		gone: make([][]model.Proc, in.Interp.N()),
	}
	if l.x.Medium.Links {
		m := newMedium(l.x)
		l.wires = &m
	}
	for p := range model.Proc(l.x.N()) {
		l.nodes = append(l.nodes, startOf(l.x, p))
	}
	return l
}

// move is a step of a node, and which envelope of its inbox it takes; -1: none.
type move struct {
	p        model.Proc
	envelope int
	step     step
}

// run takes up to 60 random steps, and returns the number of messages sent.
func (l *lockstep) run() int {
	for range 60 {
		var moves []move
		for p := range l.nodes {
			if !l.dead.Has(model.Proc(p)) || l.wires != nil {
				moves = append(moves, l.moves(model.Proc(p))...)
			}
		}
		steps := l.in.Plain.Steps(l.whole)
		want := map[string]int{}
		for _, s := range steps {
			if !s.Crashed && !l.stutters(s) {
				want[l.describe(s)]++
			}
		}
		for _, m := range moves {
			want[l.show(m)]--
		}
		for text, n := range want {
			if n != 0 {
				l.t.Fatalf("in\n%v\nthe plain semantics has %+d more of\n%s", l.whole.Vars(), n, text)
			}
		}
		if !l.advance(moves, steps) {
			break
		}
	}
	return l.sent
}

// moves returns the steps of process p.
func (l *lockstep) moves(p model.Proc) (ms []move) {
	at := l.nodes[p]
	if l.wires != nil {
		at = at.amid(l.wires.state.Context(p), l.gone[p])
		l.inbox[p] = l.next(p)
		if rises := len(at.own()) > 0; l.dead.Has(p) && rises != l.wires.recovers(p) {
			l.t.Fatalf("%s comes up: %t, as the wires have it %t", l.x.Names[p], rises, !rises)
		}
	}
	for _, s := range at.own() {
		ms = append(ms, move{p, -1, s})
	}
	for q := range l.dead.Each() {
		if noticed(l.x) {
			steps, err := at.notice(q)
			if err != nil {
				l.t.Fatal(err)
			}
			for _, s := range steps {
				ms = append(ms, move{p, -1, s})
			}
		}
	}
	fifo := l.x.FIFO()
	for i, envelope := range l.inbox[p] {
		if slices.ContainsFunc(l.inbox[p][:i], func(e packet) bool {
			return e.peer == envelope.peer && (fifo || bytes.Equal(e.bytes, envelope.bytes))
		}) {
			continue
		}
		steps, err := at.receive(envelope.peer, envelope.bytes)
		if err != nil {
			l.t.Fatal(err)
		}
		for _, s := range steps {
			if s.received.text != envelope.text {
				l.t.Fatalf("%s was sent, %s received", envelope.text, s.received.text)
			}
			ms = append(ms, move{p, i, s})
		}
	}
	return ms
}

// next returns what p can receive next in the links, and packet a message.
func (l *lockstep) next(p model.Proc) (next []packet) {
	for i, m := range l.wires.state.Inbox(p) {
		if l.wires.state.Deliverable(p, i) {
			next = append(next, l.packet(m.From, m.M))
			next[len(next)-1].mark = m.Mark
		}
	}
	return next
}

func (l *lockstep) packet(from model.Proc, m interp.Value) packet {
	return packet{peer: from, text: l.x.Messages.Text(m), bytes: l.x.Messages.Append(nil, m)}
}

// advance takes a random step of both, and now and then crashes a process.
func (l *lockstep) advance(moves []move, steps []lts.Transition) bool {
	crashes := slices.DeleteFunc(slices.Clone(steps), func(s lts.Transition) bool {
		return s.Action >= len(l.in.Space.Actions()) || l.in.Space.Actions()[s.Action].Name != "crash"
	})
	if len(crashes) > 0 && l.rng.IntN(15) == 0 {
		s := crashes[l.rng.IntN(len(crashes))]
		for p := range model.Proc(len(l.nodes)) {
			if l.x.Names[p] == s.Owner {
				l.crash(p)
			}
		}
		l.whole = s.Next
		return true
	}
	if len(moves) == 0 {
		return false
	}
	m := moves[l.rng.IntN(len(moves))]
	i := slices.IndexFunc(steps, func(s lts.Transition) bool { return l.describe(s) == l.show(m) })
	if steps[i].Pruned {
		return false
	}
	l.whole = steps[i].Next
	l.nodes[m.p] = m.step.next
	if l.wires != nil {
		l.enter(m)
		return true
	}
	if m.envelope >= 0 {
		l.inbox[m.p] = slices.Delete(l.inbox[m.p], m.envelope, m.envelope+1)
	}
	for _, s := range m.step.Sent {
		l.sent++
		if !l.dead.Has(s.To) {
			l.inbox[s.To] = append(l.inbox[s.To], l.packet(m.p, s.M))
		}
	}
	return true
}

// crash crashes a process.
func (l *lockstep) crash(p model.Proc) {
	l.dead = l.dead.With(p)
	l.inbox[p] = nil
	if l.wires == nil {
		return
	}
	if !l.wires.mayCrash(p) {
		l.t.Fatalf("%s crashes, and may not as the wires have it", l.x.Names[p])
	}
	l.wires.crash(p)
	node, err := restored(l.x, p, l.x.Locals.Append(nil, l.wires.state.Local(p)))
	if err != nil {
		l.t.Fatal(err)
	}
	l.nodes[p], l.gone[p] = node, nil
	for q := range l.gone {
		if !l.dead.Has(model.Proc(q)) {
			l.gone[q] = append(l.gone[q], p)
		}
	}
}

// enter enters a step into the wires.
func (l *lockstep) enter(m move) {
	mark := uint32(0)
	if m.envelope >= 0 {
		mark = l.inbox[m.p][m.envelope].mark
	}
	for i := range m.step.Sent {
		m.step.Sent[i].Mark = l.wires.enter(waiting{})
	}
	if err := l.wires.step(m.p, m.step.next.bytes(), mark, m.step.Sent); err != nil {
		l.t.Fatal(err)
	}
	l.gone[m.p], l.dead = nil, l.dead.Without(m.p)
	l.sent += len(m.step.Sent)
}

// stutters reports whether a step is one that nodes leave out.
func (l *lockstep) stutters(s lts.Transition) bool {
	return s.Received == nil && s.Noticed == "" && len(s.Sent) == 0 &&
		fmt.Sprint(vars(l.whole, s.Owner, "")) == fmt.Sprint(vars(s.Next, s.Owner, ""))
}

// vars returns the variables of a process in a state, without its link.
func (l *lockstep) vars(s model.State, owner string) []model.Var { return vars(s, owner, "out") }

// vars returns the variables of a process in a state, without its inbox and one more.
func vars(s model.State, owner, without string) (vars []model.Var) {
	for _, v := range s.Vars() {
		if v.Owner == owner && v.Name != "inbox" && v.Name != without {
			vars = append(vars, v)
		}
	}
	return vars
}

func (l *lockstep) describe(s lts.Transition) string {
	text := fmt.Sprintln(s.Owner, l.in.Space.Actions()[s.Action].Name, l.vars(s.Next, s.Owner))
	if s.Received != nil {
		text += fmt.Sprintln("from", s.Received.From, s.Received.Text)
	}
	for _, m := range s.Sent {
		text += fmt.Sprintln("to", m.To, m.Text)
	}
	return text
}

func (l *lockstep) show(m move) string {
	text := fmt.Sprintln(l.x.Names[m.p], l.x.Actions[m.step.Action].Name, m.step.next.vars())
	if r := m.step.received; r != nil {
		text += fmt.Sprintln("from", l.x.Names[r.peer], r.text)
	}
	for _, s := range m.step.Sent {
		if !l.dead.Has(s.To) {
			text += fmt.Sprintln("to", l.x.Names[s.To], l.x.Messages.Text(s.M))
		}
	}
	return text
}

// TestForeignBytesAreRefused hands bytes that are no messages to the nodes of every
// composition, among them messages with a byte changed: that is an error or a
// message, never a panic.
func TestForeignBytesAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, spec := range specs.All {
		in, _, err := spec.Instantiate(nil)
		if err != nil {
			t.Fatal(err)
		}
		if Nodes(in) == nil {
			continue
		}
		x := in.Interp
		var packets [][]byte
		start := x.Start()
		for p := range model.Proc(x.N()) {
			for _, s := range startOf(x, p).own() {
				for _, m := range s.Sent {
					packets = append(packets, x.Messages.Append(nil, m.M))
				}
			}
			for _, m := range start.Inbox(p) {
				packets = append(packets, x.Messages.Append(nil, m.M))
			}
		}
		refused := 0
		for range 2000 {
			b := slices.Clone(packets[rng.IntN(len(packets))])
			switch rng.IntN(3) {
			case 0:
				b[rng.IntN(len(b))] = byte(rng.Uint32())
			case 1:
				b = b[:rng.IntN(len(b))]
			case 2:
				b = append(b, byte(rng.Uint32()))
			}
			for p := range model.Proc(x.N()) {
				if _, err := startOf(x, p).receive(0, b); err != nil {
					refused++
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing was refused", spec.Name)
		}
		if _, err := startOf(x, 0).receive(protocol.MaxProcs, packets[0]); err == nil {
			t.Errorf("%s: a message from a process that there is not", spec.Name)
		}
	}
}
