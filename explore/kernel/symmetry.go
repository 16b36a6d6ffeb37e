package kernel

import (
	"slices"

	"github.com/atmostk/atmostk/model/protocol"
)

// Where processes may be exchanged, a state stands for its orbit: all states to which it is renamed by the
// renamings of its free processes, which no local state and no message in it names as not to be exchanged
// (Clarke et al., Exploiting symmetry in temporal logic model checking, 1996). The representative is the
// state with the least numbers: numbers never change, and renaming a part gives numbers to all its images.
//
// The argument. Let r be the representative of a reachable state s, and s the renamed r. Each step from s has
// a memo key, and the renamed key was met when r was expanded. Verify compares the outcomes of each memo key
// that is met with those of all its images under the renamings of the free processes: so the step from r to
// the renamed successor exists. Free processes stay free, which Verify checks of all outcomes: so both
// successors are in one orbit. Representatives have the same units, verdicts on local states and on inboxes
// as all states of the orbit, which Verify checks of all parts; other properties are checked in a sample.

// symmetry has the renamings of a space. Its slots are the slots of states, and behind n local states and n
// inboxes n slots for envelopes.
type symmetry struct {
	renamings [][]protocol.Proc // the first is the identity
	back      [][]protocol.Proc // the inverse of each
	moved     []protocol.Set    // the processes that each exchanges
	all       protocol.Set      // all that some exchanges
	images    [][][]uint32      // per slot, number and renaming: the number of the renamed part
	named     [][]protocol.Set  // per slot and number: processes not to be exchanged
}

// noImage stands for a part that names a process that the renaming exchanges.
const noImage = ^uint32(0)

// openSymmetry prepares the renamings, if there are any.
func (sp *space) openSymmetry() {
	n := len(sp.procs)
	if sp.decl.Renamings == nil {
		return
	}
	y := &symmetry{renamings: sp.decl.Renamings, images: make([][][]uint32, 3*n),
		named: make([][]protocol.Set, 3*n)}
	for _, to := range y.renamings {
		back, moved := make([]protocol.Proc, n), protocol.Set(0)
		for p, q := range to {
			if back[q] = protocol.Proc(p); int(q) != p {
				moved = moved.With(q)
			}
		}
		y.back, y.moved, y.all = append(y.back, back), append(y.moved, moved), y.all|moved
	}
	sp.symmetry, sp.deadSets = y, nil
}

// name enters what a new part of a slot names.
func (sp *space) name(slot int, named protocol.Set) {
	if y := sp.symmetry; y != nil {
		y.named[slot], y.images[slot] = append(y.named[slot], named), append(y.images[slot], nil)
	}
}

// image returns the numbers of a part after each renaming.
func (sp *space) image(slot int, id uint32) []uint32 {
	y, n := sp.symmetry, len(sp.procs)
	if row := y.images[slot][id]; row != nil {
		return row
	}
	p, row := protocol.Proc(slot%n), make([]uint32, len(y.renamings))
	for by, to := range y.renamings {
		switch t := &sp.procs[p]; {
		case by == 0 || slot/n == 1 && id == dead:
			row[by] = id
		case y.moved[by]&y.named[slot][id] != 0:
			row[by] = noImage
		case slot < n:
			row[by] = sp.local(to[p], sp.protocol.Renamed(p, id, by))
		case slot < 2*n:
			var envelopes []uint32
			for _, e := range t.inboxes.at(id) {
				envelopes = append(envelopes, sp.image(slot+n, e)[by])
			}
			row[by] = sp.inbox(to[p], envelopes)
		default:
			row[by] = sp.envelope(to[p], to[t.senders[id]], sp.protocol.RenamedMessage(p, id, by))
		}
	}
	y.images[slot][id] = row
	return row
}

// representative returns the renaming after which the state with some images of its parts is the
// representative of its orbit.
func (y *symmetry) representative(images [][]uint32, free protocol.Set) (best int) {
	n := len(images) / 2
	for by := 1; by < len(y.renamings); by++ {
		if y.moved[by]&^free != 0 {
			continue
		}
		for slot := range images {
			first, p := slot/n*n, slot%n
			x, least := images[first+int(y.back[by][p])][by], images[first+int(y.back[best][p])][best]
			if x < least {
				best = by
			}
			if x != least {
				break
			}
		}
	}
	return best
}

// representative brings the numbers of a state into the form in which it is stored.
func (sp *space) representative(numbers []uint32) {
	y, n := sp.symmetry, len(sp.procs)
	images, free := make([][]uint32, 2*n), y.all
	for slot := range images {
		images[slot], free = sp.image(slot, numbers[slot]), free&^y.named[slot][numbers[slot]]
	}
	by := y.representative(images, free)
	for slot := range images {
		numbers[slot] = images[slot/n*n+int(y.back[by][slot%n])][by]
	}
}

// rename replaces rec, the newest record, by the representative of its orbit. It returns false if the tables
// lack something.
func (c *stepper) rename(rec []uint32) bool {
	if c.overflowed {
		return true // numbers in it are cut off, and it is thrown away
	}
	y := c.m.symmetry
	free := y.all
	for slot := range c.images {
		at := c.slot(slot)
		id := at.get(rec)
		if free &^= y.named[slot][id]; y.images[slot][id] == nil {
			if c.again = c.fill != nil; c.again {
				c.fill(entry{kind: imageEntry, a: uint32(slot), b: id})
			}
			return false
		}
		c.images[slot] = y.images[slot][id]
	}
	by := y.representative(c.images, free)
	if by == 0 {
		return true
	}
	h := hash(c.b.HashAt(len(c.b.Words) - c.b.Stride))
	for slot, images := range c.images {
		at := c.slot(slot)
		old, new := images[0], c.images[slot/c.n*c.n+int(y.back[by][slot%c.n])][by]
		at.set(rec, old, new)
		h += (hash(new) - hash(old)) * at.constant
	}
	c.b.setHash(rec, h)
	return true
}

// slot returns where the number of a local state or of an inbox stands.
func (c *stepper) slot(i int) *hashedSlot {
	if i < c.n {
		return &c.views[i&procMask].localSlot
	}
	return &c.views[(i-c.n)&procMask].inboxSlot
}

// loadFree finds the free processes in the state at hand.
func (c *stepper) loadFree() {
	c.free = c.m.symmetry.all
	for p := range c.n {
		q, named := &c.views[p&procMask], c.m.symmetry.named
		c.free &^= named[p][q.local] | named[c.n+p][q.inbox]
	}
}

// checkImages panics if an entry of the tables that was filled in differs from an image of it.
func (sp *space) checkImages(x *filledEntry) {
	y, p := sp.symmetry, x.proc
	switch x.kind {
	case localEntry:
		for by, id := range sp.image(int(p), x.a) {
			if id != noImage {
				sp.checkImage(p, x.a, y.renamings[by][p], id, by)
			}
		}
	case memoEntry:
		s, transitions := x.memoKey(), slices.Collect(sp.all(sp.row(x.entry)))
		for _, tr := range transitions {
			if sp.names(p, tr)&s.Free != 0 {
				sp.protocol.Asymmetric(s, 0, "", sp.outcome(&s, tr), nil)
			}
		}
		for by := range y.renamings {
			if by > 0 && y.moved[by]&^s.Free == 0 {
				sp.checkRow(x, transitions, by)
			}
		}
	}
}

// checkImage panics if the model distinguishes a local state from an image of it.
func (sp *space) checkImage(p protocol.Proc, id uint32, q protocol.Proc, image uint32, by int) {
	part := sp.protocol.Distinguished(p, id, q, image)
	switch named := sp.symmetry.named; {
	case part != "":
	case named[p][id] != named[q][image]:
		part = "Symmetry.Named"
	case string(sp.protocol.Renamed(p, id, by)) != sp.procs[q].locals.values[image]:
		part = "Forget"
	default:
		return
	}
	sp.protocol.Asymmetric(protocol.MemoKey{Proc: p, Local: id}, by, part, nil, nil)
}

// names returns the processes that are not to be exchanged after a transition of p, as it says.
func (sp *space) names(p protocol.Proc, tr transition) (named protocol.Set) {
	e := &sp.effects.values[tr.kind.effect()]
	named = sp.symmetry.named[p][tr.local]
	for _, s := range sp.sendings[e.firstSending:][:e.sendings] {
		for _, envelope := range sp.procs[s.to].groups.at(s.group) {
			named |= sp.symmetry.named[2*len(sp.procs)+int(s.to)][envelope]
		}
	}
	return named
}

// checkRow panics if the transitions of a memo key differ from those of an image of it.
func (sp *space) checkRow(x *filledEntry, transitions []transition, by int) {
	to, s, filled := sp.symmetry.renamings[by], x.memoKey(), len(sp.filled)
	image := entry{kind: memoEntry, proc: to[x.proc], a: sp.image(int(x.proc), x.a)[by], in: x.in}
	if x.b > 0 {
		image.b = 1 + sp.image(2*len(sp.procs)+int(x.proc), x.b-1)[by]
	}
	image.in.Dead = 0
	for p := range x.in.Dead.Each() {
		image.in.Dead = image.in.Dead.With(to[p])
	}
	others := slices.Collect(sp.all(sp.row(image)))
	for i := range sp.filled[filled:] {
		sp.filled[filled+i].image, sp.filled[filled+i].cause = true, sp.cause
	}
	var first, second *protocol.Outcome
	left := slices.Clone(others)
	for _, tr := range transitions {
		i := slices.IndexFunc(left, func(o transition) bool { return sp.alike(x.proc, tr, o, by) })
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else if first == nil {
			first = sp.outcome(&s, tr)
		}
	}
	if len(left) > 0 {
		key := image.memoKey()
		second = sp.outcome(&key, left[0])
	}
	if first != nil || second != nil {
		sp.protocol.Asymmetric(s, by, "", first, second)
	}
}

// alike reports whether a transition of p, renamed, is another one.
func (sp *space) alike(p protocol.Proc, tr, other transition, by int) bool {
	e, o := &sp.effects.values[tr.kind.effect()], &sp.effects.values[other.kind.effect()]
	if sp.image(int(p), tr.local)[by] != other.local || uint16(e.label) != uint16(o.label) ||
		e.units != o.units || e.flags != o.flags || e.sendings != o.sendings {
		return false
	}
	sent := sp.sendings[o.firstSending:][:o.sendings]
	for _, s := range sp.sendings[e.firstSending:][:e.sendings] {
		q := uint32(sp.symmetry.renamings[by][s.to])
		i := slices.IndexFunc(sent, func(t sending) bool { return t.to == q })
		if i < 0 || !slices.EqualFunc(sp.procs[s.to].groups.at(s.group), sp.procs[q].groups.at(sent[i].group),
			func(a, b uint32) bool { return sp.image(2*len(sp.procs)+int(s.to), a)[by] == b }) {
			return false
		}
	}
	return true
}
