package vcube

import (
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
	"github.com/atmostk/atmostk/specs/references"
)

// Broadcast is the model vcube-broadcast.
var Broadcast = model.Spec{
	Name:   "vcube-broadcast",
	Title:  "best-effort broadcast over the virtual hypercube (Algorithm 6.1)",
	Source: paper + ", section 6",
	Doc: "A source sends along the tree of first correct neighbours; acknowledgements go back up it; the " +
		"next broadcast waits for them.",
	Params: slices.Concat([]param.Param{
		size,
		{Name: "sources", Doc: "the processes that broadcast", Default: "0", Type: param.Processes},
		param.Numbers("rounds", "how often each source broadcasts", "1", 0, 15),
	}, broadcastReadings, param.Network("subset")),
	Build: func(a *model.Args) (model.Instance, error) {
		b, nw := newBroadcasting(a)
		return model.Compose(b.composition(nw)), nil
	},
	References: references.Of("vcube-broadcast"),
	Paper:      heading,
}

// broadcastReadings declares the readings of Algorithm 6.1.
var broadcastReadings = []param.Param{
	variant,
	param.Choice("line36", "⊥ in line 36: literal, it is in no correct_i; bottom-ok, it counts as correct; "+
		"default: bottom-ok", "literal", "bottom-ok").Else(""),
	param.Choice("line28", "if several x fit line 28: any, it takes one of them; all, each of them; "+
		"default: any, repaired all", "any", "all").Else(""),
	param.Choice("forward", "lines 22-25: always, they stand outside the if of line 18; if-new, inside; "+
		"default: always", "always", "if-new").Else(""),
}

// newBroadcast reads the parameters of Algorithm 6.1.
func newBroadcast(a *model.Args, n int, dead model.Set) *broadcast {
	return &broadcast{
		cube: cube{n}, dead: values.GroupOf(dead),
		bottomOK: read(a, "line36", "bottom-ok", "bottom-ok") == "bottom-ok",
		all:      read(a, "line28", "any", "all") == "all",
		ifNew:    read(a, "forward", "always", "always") == "if-new",
	}
}

// started is the history of Algorithm 6.1: the number of broadcasts that each source
// has started. A source knows its own while it lives.
type started struct{ Started model.PerProc[uint32] }

// noteBroadcast is the note of a new broadcast, for the history.
const noteBroadcast = 1

func (h *started) step(e model.Event) bool {
	if e.Note == noteBroadcast {
		h.Started.Put(e.Proc, h.Started.At(e.Proc)+1)
	}
	return true
}

// broadcasting is Algorithm 6.1 by itself, with its sources.
type broadcasting struct {
	*broadcast
	rounds []int // how often each process broadcasts
}

func newBroadcasting(a *model.Args) (broadcasting, model.Network) {
	n := a.Int("n")
	nw := network(a, n)
	return broadcasting{newBroadcast(a, n, nw.Dead),
		only(a.Processes("sources", n, names.First), a.PerProcess("rounds", n))}, nw
}

// ignore stands for the layer above in this model, which has none.
func ignore(content) {}

func (b broadcasting) composition(nw model.Network) model.Composition[broadcastState, message, started] {
	return model.Composition[broadcastState, message, started]{
		N:     b.n,
		Names: names,
		Init:  b.init,
		Local: []model.Handler[broadcastState, message]{
			{Name: "broadcast", Source: "lines 4-10", Kind: model.Spontaneous, Do: b.start},
		},
		Receive: []model.Receiver[broadcastState, message]{
			{Name: "receive TREE", Source: "lines 15-26", Accepts: kindTree.is, Do: func(i, j model.Proc,
				m message, l *broadcastState, out *outbox) bool {
				b.receive(i, j, m.m, l, ignore, out)
				return true
			}},
			{Name: "receive ACK", Source: "lines 27-31", Accepts: kindAck.is, Do: func(_, j model.Proc,
				m message,
				l *broadcastState, out *outbox) bool {
				b.acknowledge(j, m.m, l, out)
				return true
			}},
		},
		Notice:  &model.Notice[broadcastState, message]{Name: "notify", Source: "lines 32-43", Do: b.notify},
		Network: nw,
		History: model.History[started]{Step: (*started).step},
		Properties: append(broadcastProperties(b.broadcast, nw.Channel,
			func(l *broadcastState) *broadcastState { return l },
			func(g *model.Global[broadcastState, message, started], s model.Proc) (uint32, bool) {
				return g.History().Started.At(s), true
			},
		), invariants.MessagesTotal(2*(b.n-1), 2*(b.n-1), concluded).
			From("sections 1 and 6")),
	}
}

// concluded counts the broadcasts of a run without crashes.
func concluded(g *model.Global[broadcastState, message, started]) (broadcasts int) {
	if g.Dead != 0 {
		return 0
	}
	for _, n := range g.History().Started.Each() {
		broadcasts += int(n)
	}
	return broadcasts
}

// start: one more broadcast, if line 5 lets it through.
func (b broadcasting) start(i model.Proc, l *broadcastState, out *outbox) bool {
	if int(l.Last.At(i)) >= b.rounds[i] || !b.free(i, l) { // line 5
		return false
	}
	b.broadcast.broadcast(i, 0, l, ignore, out)
	out.Note(noteBroadcast)
	return true
}
