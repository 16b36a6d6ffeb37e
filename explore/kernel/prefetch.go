package kernel

import (
	"bytes"
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// Numbers are given out in the order in which things come up, by one goroutine. What takes time where
// handlers are interpreted is to run them; and that needs no numbers, so several workers can do it before:
// for all memo keys of some states that are not known yet. The filler then finds their outcomes at hand.

// fewKeys are too few to be shared out.
const fewKeys = 4

func (sp *space) Prefetch(
	entries []uint32, length, workers int, run func(tasks int, task func(worker, i int)),
) {
	if sp.askers == nil {
		p, ok := sp.protocol.(protocol.Parallel)
		if !ok {
			return
		}
		if sp.askers = p.Askers(workers); sp.askers == nil {
			return
		}
	}
	clear(sp.prefetched)
	keys := sp.lacking(entries, length)
	if len(keys) < fewKeys {
		return
	}
	found := make([]*outcomes, len(keys))
	run(len(keys), func(w, i int) { found[i] = ask(sp.askers[w], keys[i]) })
	for i, k := range keys {
		if found[i] != nil {
			sp.prefetched[k] = *found[i]
		}
	}
}

// lacking returns the memo keys of some states that are not known.
func (sp *space) lacking(entries []uint32, length int) (keys []protocol.MemoKey) {
	c, seen := newStepper(&sp.machine), map[protocol.MemoKey]bool{}
	add := func(k protocol.MemoKey) {
		if !seen[k] {
			seen[k] = true
			keys = append(keys, k)
		}
	}
	for entry := range slices.Chunk(entries, length) {
		c.load(entry[:sp.Width()])
		for p := range c.n {
			q := &c.views[p&procMask]
			if q.inbox == dead {
				continue
			}
			k := protocol.MemoKey{
				Proc: protocol.Proc(p), Local: q.local,
				Context: protocol.Context{Dead: c.dead, View: q.learns},
			}
			at := q.memos.at(q.local)
			if at.idle.kind == 0 {
				add(k)
			}
			t := &sp.procs[p]
			envelopes := t.inboxes.at(q.inbox)
			for i, e := range envelopes {
				if sp.deliverable(t, envelopes, i) && q.memos.cells.probe(at.receiving, e) == nil {
					k.Message = e + 1
					add(k)
				}
			}
		}
	}
	return keys
}

// outcomes are what a memo key comes to, kept.
type outcomes []protocol.Outcome

// ask asks about a memo key; nil: the model fails in it, which shows again when the memo is filled in.
func ask(steps func(protocol.MemoKey, protocol.Outcomes), k protocol.MemoKey) (all *outcomes) {
	defer func() {
		if recover() != nil {
			all = nil
		}
	}()
	all = &outcomes{}
	steps(k, all)
	return all
}

// Add keeps an outcome.
func (all *outcomes) Add(o *protocol.Outcome) {
	kept := *o
	kept.Local, kept.Sent = bytes.Clone(o.Local), slices.Clone(o.Sent)
	for i := range kept.Sent {
		kept.Sent[i].Message = bytes.Clone(kept.Sent[i].Message)
	}
	*all = append(*all, kept)
}

// steps finds the outcomes of a memo key, if they are not at hand.
func (sp *space) steps(k protocol.MemoKey) {
	known, ok := sp.prefetched[k]
	if !ok {
		sp.protocol.Steps(k, sp)
		return
	}
	for i := range known {
		sp.Add(&known[i])
	}
}

// A system's actions are run by all workers, and no table is filled.
func (systemSpace) Prefetch([]uint32, int, int, func(int, func(int, int))) {}
