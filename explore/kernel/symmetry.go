package kernel

import "github.com/atmostk/atmostk/model/protocol"

// Where processes may be exchanged a state stands for its orbit: all states that renamings of its free
// processes lead to. A process is free if no local state and no message in the state names it. The
// representative is the state with the least codes, slot by slot (Clarke et al., Exploiting symmetry in
// temporal logic model checking, 1996): codes are the same in each process that works on files.
//
// The argument. Let s be a reachable state, r the representative of its orbit, and let a step of s lead to t.
// The adapter has compared the outcomes of each memo key with those of its images under all renamings that
// move nothing that the key names. The image of the step's memo key was met in r, and is among these: so a
// step of r leads to the image of t. No outcome names what its memo key does not name. So what was free
// stays free, t and its image are in one orbit, and by induction the search meets each orbit, at the least
// depth of its states. Verdicts on local states are compared like outcomes.

// symmetry has the renamings of a space. Its slots are n local states, n inboxes, and the n lists of
// envelopes.
type symmetry struct {
	renamings [][]protocol.Proc // the first is the identity
	back      [][]protocol.Proc // the inverse of each
	moved     []protocol.Set    // by each
	images    [][][]uint32      // per slot, number and renaming: the number of the renamed part
	named     [][]protocol.Set  // per slot and number: the processes that it names
	codes     [][]uint64        // per slot, not of envelopes, and number: bits of its code; 0: not needed yet
}

// openSymmetry prepares the renamings, if there are any.
func (sp *space) openSymmetry() {
	all, n := sp.decl.Renamings, len(sp.procs)
	if all == nil {
		return
	}
	y := &symmetry{renamings: all, images: make([][][]uint32, 3*n), named: make([][]protocol.Set, 3*n),
		codes: make([][]uint64, 3*n)}
	for _, to := range all {
		back, moved := make([]protocol.Proc, n), protocol.Set(0)
		for p, q := range to {
			if back[q] = protocol.Proc(p); int(q) != p {
				moved = moved.With(q)
			}
		}
		y.back, y.moved = append(y.back, back), append(y.moved, moved)
	}
	sp.symmetry = y
}

// name enters what a new part in a slot names.
func (sp *space) name(slot int, named protocol.Set) {
	if y := sp.symmetry; y != nil {
		y.named[slot], y.images[slot] = append(y.named[slot], named), append(y.images[slot], nil)
		y.codes[slot] = append(y.codes[slot], 0)
	}
}

// rename finds the images of a part; the number 0 stands for those under renamings that move what it names.
func (sp *space) rename(slot int, id uint32) []uint32 {
	y, n := sp.symmetry, len(sp.procs)
	if y.images[slot][id] != nil {
		return y.images[slot][id]
	}
	p, row := protocol.Proc(slot%n), make([]uint32, len(y.renamings))
	for by, all := range y.renamings {
		named, to := y.named[slot][id], all[p]
		switch {
		case y.moved[by]&named != 0 || slot/n == 1 && id == dead:
			continue
		case slot < n:
			row[by] = sp.local(to, sp.protocol.Renamed(p, id, by))
		case slot < 2*n:
			var envelopes []uint32
			for _, e := range sp.procs[p].inboxes.at(id) {
				envelopes = append(envelopes, sp.rename(slot+n, e)[by])
			}
			row[by] = sp.inbox(to, envelopes)
		default:
			from := all[sp.procs[p].senders[id]]
			row[by] = sp.envelope(to, from, sp.protocol.RenamedMessage(p, id, by))
		}
		if after := slot/n*n + int(to); slot < 2*n {
			y.codes[after][row[by]] = sp.codeOf(after, row[by]).Hi
		}
		if y.named[slot/n*n+int(to)][row[by]] != named {
			panic(protocol.Mistake{Part: "Symmetry", What: "Named or NamedBy depends on processes not named"})
		}
	}
	y.images[slot][id] = row
	return row
}

// represent renames the numbers of a state to those of its representative. It returns a slot whose images are
// not known; -1: all are known.
func (y *symmetry) represent(numbers []uint32) (lacks int) {
	n, named := len(numbers)/2, protocol.Set(0)
	for slot, id := range numbers {
		if y.images[slot][id] == nil {
			return slot
		}
		named |= y.named[slot][id]
	}
	after := func(by, slot int) uint32 {
		from := slot/n*n + int(y.back[by][slot%n])
		return y.images[from][numbers[from]][by]
	}
	best := 0
	for by := range y.renamings {
		for slot := 0; y.moved[by]&named == 0 && slot < 2*n; slot++ {
			x, least := after(by, slot), after(best, slot)
			if y.codes[slot][x] < y.codes[slot][least] {
				best = by
			}
			if x != least {
				break
			}
		}
	}
	var all [2 * protocol.MaxProcs]uint32
	for slot := range numbers {
		all[slot] = after(best, slot)
	}
	copy(numbers, all[:])
	return -1
}

// represent replaces rec, the newest record, by the representative. It returns false if the tables lack
// something.
func (c *stepper) represent(rec []uint32) bool {
	if c.overflowed {
		return true // numbers in it are cut off, and it is thrown away
	}
	var all [2 * protocol.MaxProcs]uint32
	numbers := all[:2*c.n]
	for slot := range numbers {
		numbers[slot] = c.m.layout.slots[slot].Get(rec)
	}
	if slot := c.m.symmetry.represent(numbers); slot >= 0 {
		if c.again = c.fill != nil; c.again {
			c.fill(entry{kind: imageEntry, a: uint32(slot), b: numbers[slot]})
		}
		return false
	}
	h := hash(c.b.HashAt(len(c.b.Words) - c.b.Stride))
	for slot, new := range numbers {
		s := hashedSlot{c.m.layout.slots[slot], hashConstants[slot]}
		h = s.exchange(rec, h, s.Get(rec), new)
	}
	c.b.setHash(rec, h)
	return true
}
