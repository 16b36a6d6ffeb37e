package cluster

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
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
			if !in.Interp.Runnable() {
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
	for _, ref := range spec.Loaded().References {
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
	wires medium
	sent  int
}

func newLockstep(t *testing.T, in model.Instance, seed uint64) *lockstep {
	return &lockstep{
		t: t, in: in, rng: rand.New(rand.NewPCG(seed, 0)), whole: in.Plain.Init()[0].Next,
		x: in.Interp, wires: newMedium(in.Interp),
	}
}

// move is a step of a node in its turn.
type move struct {
	interp.Outcome
	turn
	p    model.Proc
	mark uint32
	text string // of the message received
}

// run takes up to 60 random steps, and returns the number of messages sent.
func (l *lockstep) run() int {
	for range 60 {
		var moves []move
		for p := range model.Proc(l.x.N()) {
			moves = append(moves, l.moves(p)...)
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

// moves returns the steps of process p in each of the turns that it can be given.
func (l *lockstep) moves(p model.Proc) (ms []move) {
	for _, e := range l.wires.events(p) {
		t, mark := l.wires.turn(e)
		a, err := t.read(l.x, p)
		if err != nil {
			l.t.Fatal(err)
		}
		text := ""
		if e.M != nil {
			text = l.x.Messages.Text(a.Message)
			if sent := l.x.Messages.Text(e.M); sent != text {
				l.t.Fatalf("%s was sent, %s received", sent, text)
			}
		}
		for _, o := range steps(l.x, a) {
			ms = append(ms, move{o, t, p, mark, text})
		}
	}
	return ms
}

// advance takes a random step of both, and now and then crashes a process.
func (l *lockstep) advance(moves []move, steps []lts.Transition) bool {
	crashes := slices.DeleteFunc(slices.Clone(steps), func(s lts.Transition) bool {
		return s.Action >= len(l.in.Space.Actions()) || l.in.Space.Actions()[s.Action].Name != "crash"
	})
	if len(crashes) > 0 && l.rng.IntN(15) == 0 {
		s := crashes[l.rng.IntN(len(crashes))]
		p := model.Proc(slices.Index(l.x.Names, s.Owner))
		if !l.wires.mayCrash(p) {
			l.t.Fatalf("%s crashes, and may not as the wires have it", s.Owner)
		}
		l.wires.crash(p)
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
	for i := range m.Sent {
		e := envelope{Message: l.x.Messages.Append(nil, m.Sent[i].M)}
		m.Sent[i].Mark = l.wires.enter(waiting{envelope: e})
	}
	if err := l.wires.step(m.p, l.x.Locals.Append(nil, m.Outcome.Local), m.mark, m.Sent); err != nil {
		l.t.Fatal(err)
	}
	l.sent += len(m.Sent)
	return true
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
	text := fmt.Sprintln(l.x.Names[m.p], l.x.Actions[m.Outcome.Action].Name,
		l.x.LocalVars(m.p, m.Outcome.Local))
	if m.Envelope != nil {
		text += fmt.Sprintln("from", l.x.Names[m.turn.Peer], m.text)
	}
	for _, s := range m.Sent {
		if !l.wires.state.IsDead(s.To) {
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
		if !in.Interp.Runnable() {
			continue
		}
		x, wires := in.Interp, newMedium(in.Interp)
		var packets [][]byte
		for p := range model.Proc(x.N()) {
			for _, e := range wires.events(p) {
				t, _ := wires.turn(e)
				a, _ := t.read(x, p)
				for _, s := range steps(x, a) {
					for _, m := range s.Sent {
						packets = append(packets, x.Messages.Append(nil, m.M))
					}
				}
				if t.Envelope != nil {
					packets = append(packets, t.Envelope.Message)
				}
			}
		}
		receive := func(p, from model.Proc, b []byte) error {
			var err error
			mistake := check.Caught(func() {
				local := x.Locals.Append(nil, wires.state.Local(p))
				var a interp.Ask
				a, err = (&turn{Local: local, Peer: from, Envelope: &envelope{Message: b}}).read(x, p)
				if err == nil {
					steps(x, a)
				}
			})
			if mistake != nil {
				return mistake
			}
			return err
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
				if receive(p, 0, b) != nil {
					refused++
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: nothing was refused", spec.Name)
		}
		if receive(0, protocol.MaxProcs, packets[0]) == nil {
			t.Errorf("%s: a message from a process that there is not", spec.Name)
		}
	}
}
