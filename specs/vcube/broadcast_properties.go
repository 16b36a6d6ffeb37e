package vcube

import "github.com/atmostk/atmostk/model"

// broadcastJudge judges the claims about Algorithm 6.1 in any composition that it is
// a part of.
type broadcastJudge[L, H any] struct {
	*broadcast
	fifo bool
	of   func(l *L) *broadcastState // its part of a local state
	// started returns how many broadcasts s has started, if that is known.
	started func(g *model.Global[L, message, H], s model.Proc) (n uint32, known bool)
}

// broadcastProperties lists the claims about Algorithm 6.1.
func broadcastProperties[L, H any](b *broadcast, ch model.Channel, of func(*L) *broadcastState,
	started func(*model.Global[L, message, H], model.Proc) (uint32, bool)) []model.Property[model.Global[L,
	message, H]] {
	c := broadcastJudge[L, H]{b, ch == model.FIFO, of, started}
	return []model.Property[model.Global[L, message, H]]{
		{
			Name: "validity", Kind: model.Quiet, Source: "Lemma 6.1",
			Doc: "when nothing is left to do, every live process has delivered every message that a live " +
				"source has broadcast",
			Holds: c.validity,
		},
		{
			Name: "no-duplication", Kind: model.Invariant, Source: "Lemma 6.2",
			Doc: "no live process delivers a message twice",
			OfLocal: func(g *model.Global[L, message, H], p model.Proc) bool {
				return of(g.Local(p)).Twice.Empty()
			},
		},
		{
			Name: "no-creation", Kind: model.Invariant, Source: "Lemma 6.2",
			Doc:   "no live process has delivered a message that its source did not broadcast",
			Holds: c.noCreation,
		},
		{
			Name: "broadcast-terminates", Kind: model.Quiet, Source: "section 6.2",
			Doc:   "when nothing is left to do, line 5 would let every live source through",
			Holds: c.terminates,
		},
		{
			Name: "no-leftover", Kind: model.Quiet, Source: "section 6.2",
			Doc: "when nothing is left to do, no ack is pending anywhere",
			Holds: func(g *model.Global[L, message, H]) bool {
				return g.Count(func(l *L) bool { return of(l).AckSet != "" }) == 0
			},
		},
		{
			Name: "synchronous-ack", Kind: model.Invariant, Source: "section 6.2",
			Doc: "when line 5 would let a live source through, all live processes have delivered " +
				"its last message",
			Holds: c.synchronousAck,
			Clear: func(g *model.Global[L, message, H], s model.Proc) bool {
				return !c.through(s, of(g.Local(s)))
			},
		},
		{
			Name: "no-gap", Kind: model.Invariant, Source: "Algorithm 6.1, line 19",
			Doc: "line 19 refuses no TREE from a live sender of a live source because an earlier " +
				"message was missed",
			Holds: c.noGap,
		},
	}
}

// delivered: all live processes have delivered the messages ts of s.
func (c broadcastJudge[L, H]) delivered(g *model.Global[L, message, H], s model.Proc, ts stamps) bool {
	return g.Count(func(l *L) bool { return !c.of(l).Delivered.At(s).contains(ts) }) == 0
}

func (c broadcastJudge[L, H]) validity(g *model.Global[L, message, H]) bool {
	for s := range model.Proc(g.N) {
		if n, _ := c.started(g, s); g.Live(s) && !c.delivered(g, s, upTo(n)) {
			return false
		}
	}
	return true
}

func (c broadcastJudge[L, H]) noCreation(g *model.Global[L, message, H]) bool {
	for p := range model.Proc(g.N) {
		if !g.Live(p) {
			continue
		}
		delivered := &c.of(g.Local(p)).Delivered
		for s := range model.Proc(g.N) {
			ts := delivered.At(s)
			if ts == 0 { // as mostly: what s has started need not be found out
				continue
			}
			if n, known := c.started(g, s); known && !upTo(n).contains(ts) {
				return false
			}
		}
	}
	return true
}

func (c broadcastJudge[L, H]) terminates(g *model.Global[L, message, H]) bool {
	for s := range model.Proc(g.N) {
		if g.Live(s) && !c.free(s, c.of(g.Local(s))) {
			return false
		}
	}
	return true
}

// through reports whether source s has broadcast something and line 5 would let it through.
func (c broadcastJudge[L, H]) through(s model.Proc, l *broadcastState) bool {
	return l.Last.At(s) > 0 && c.free(s, l)
}

func (c broadcastJudge[L, H]) synchronousAck(g *model.Global[L, message, H]) bool {
	for s := range model.Proc(g.N) {
		if !g.Live(s) {
			continue
		}
		l := c.of(g.Local(s))
		if c.through(s, l) && !c.delivered(g, s, stamps(0).with(l.Last.At(s))) {
			return false
		}
	}
	return true
}

func (c broadcastJudge[L, H]) noGap(g *model.Global[L, message, H]) bool {
	for i := range model.Proc(g.N) {
		var before model.Set // the senders of earlier envelopes
		for _, envelope := range g.Inbox(i) {
			behind := c.fifo && before.Has(envelope.From)
			before = before.With(envelope.From)
			m := envelope.M.m
			// what comes first or second is never too far ahead, and most messages do
			if m.T <= 2 || behind || !isTree(envelope.M) || !g.Live(envelope.From) || !g.Live(m.Source) {
				continue
			}
			if last := c.of(g.Local(i)).Last.At(m.Source); last != 0 && m.T > last+1 {
				return false
			}
		}
	}
	return true
}
