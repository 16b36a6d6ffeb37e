package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model/protocol"
)

// scattered is a random system of fields of 4 bits in two words. An instance reads a field, and others only
// where that has certain values; it writes one field, in up to two ways, or the value that is there.
type scattered struct {
	table     [1 << 10]uint64
	instances int
	rejects   uint32 // the constraint: the first field may not have this value
	fails     uint64 // the number drawn for which a step panics
}

func (s *scattered) Words() int                            { return 2 }
func (s *scattered) Init(to *protocol.Successors)          { clear(to.Room); to.Take(0) }
func (s *scattered) Constrained() bool                     { return s.rejects < 16 }
func (s *scattered) Keeps(v []uint32) bool                 { return v[0]&15 != s.rejects }
func (s *scattered) NewStepper() protocol.Stepper          { return s }
func (s *scattered) Canonical(b []byte, _ []uint32) []byte { return b }

func (s *scattered) Traced() (ls []protocol.Label) {
	for i := range s.instances {
		ls = append(ls, protocol.InstanceLabel(i%3, i))
	}
	return ls
}

func (s *scattered) Expand(v []uint32, to *protocol.Successors) {
	for _, l := range s.Traced() {
		s.Step(v, l, nil, to)
	}
}

func (s *scattered) Step(v []uint32, l protocol.Label, touched []uint32, to *protocol.Successors) {
	i := l.Instance()
	at := func(field int) (word, shift int) { return field / 8 % 2, field % 8 * 4 }
	touch := func(field int) (int, int) {
		w, shift := at(field)
		if touched != nil {
			touched[w] |= 15 << shift
		}
		return w, shift
	}
	read := func(field int) int {
		w, shift := touch(field)
		return int(v[w] >> shift & 15)
	}
	x := s.table[(i*37+read(i/5)*61)%len(s.table)]
	if x&7 == 0 {
		x = s.table[(int(x>>3)+read(i*3)*17)%len(s.table)]
	}
	if x>>8 == s.fails>>8 {
		panic(fmt.Sprintf("instance %d", i))
	}
	for k := range int(x >> 8 % 3) {
		w, shift := touch(int(x>>16) + i/7)
		copy(to.Room, v)
		to.Room[w] = v[w]&^(15<<shift) | uint32(x>>(24+4*k)&15)<<shift
		to.Fired[uint8(l.Action)]++
		to.Any, to.Ordinary = true, to.Ordinary || l.Action == 1
		if slices.Equal(to.Room, v) {
			to.Loops = append(to.Loops, l)
		} else {
			to.Take(l.Word())
		}
	}
}

// TestTablesGiveTheStepsOfTheModel compares batches record by record: the tables' with those of instances
// executed one by one. Few of the tables survive their limits here.
func TestTablesGiveTheStepsOfTheModel(t *testing.T) {
	kept, tried := 0, 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 19))
		s := &scattered{instances: 1 + r.IntN(100), rejects: r.Uint32N(32)}
		for i := range s.table {
			s.table[i] = r.Uint64()
		}
		if seed%4 == 0 {
			s.fails = s.table[r.IntN(len(s.table))]
		}
		space := OfSystem(s).(systemSpace)
		tabled, plain := space.newCursor(), space.newCursor()
		plain.labels = nil
		if seed%3 > 0 {
			tabled.tried, tabled.most = 16<<(seed%7), 64<<(seed%5)
		}
		var a, b Batch
		a.Distinct, b.Distinct = seed%2 == 0, seed%2 == 0
		a.Reset(2)
		b.Reset(2)
		for state := []uint32{0, 0}; tried < 200*int(seed+1); tried++ {
			x, y := expanded(tabled, state, &a), expanded(plain, state, &b)
			again, successors := withoutRepeats(&a), withoutRepeats(&b)
			sorted := func(ls []protocol.Label) []protocol.Label {
				ls = slices.Clone(ls)
				slices.SortFunc(ls, func(l, m protocol.Label) int { return l.Instance() - m.Instance() })
				return ls
			}
			if x != y || x == "" && (!slices.Equal(again, successors) || a.Fired != b.Fired ||
				!b.Distinct && a.Len() != b.Len() || !slices.Equal(a.Outside.Words, b.Outside.Words) ||
				!b.Distinct && !slices.Equal(sorted(a.Loops), sorted(b.Loops))) {
				t.Fatalf("seed %d, state %x: %q, %d successors, %d loops; want %q, %d, %d, or others", seed,
					state, x, a.Len(), len(a.Loops), y, b.Len(), len(b.Loops))
			}
			if tried%50 == 49 || x != "" {
				a.Reset(2)
				b.Reset(2)
				a.Fired, b.Fired = [protocol.MaxActions]int64{}, [protocol.MaxActions]int64{}
			}
			if state = []uint32{r.Uint32() & 0x3333, r.Uint32() & 0x11}; b.Len() > 0 && r.IntN(4) > 0 {
				state = slices.Clone(b.At(r.IntN(b.Len())))
			}
		}
		for i := range tabled.blocks {
			kept += len(tabled.blocks[i].tables)
		}
	}
	if kept < 50 {
		t.Errorf("only %d tables are left at the ends", kept)
	}
}

// TestSleepingStepsLeaveOutNoState searches by levels with two workers whose tables differ: both give
// the same records with the same tags, all steps are counted, and each level has its states
// without tags.
func TestSleepingStepsLeaveOutNoState(t *testing.T) {
	slept, states := 0, 0
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := &scattered{instances: 12 + r.IntN(100), rejects: 16}
		for i := range s.table {
			s.table[i] = r.Uint64()
		}
		space := OfSystem(s).(systemSpace)
		one, other, plain := space.newCursor(), space.newCursor(), space.newCursor()
		other.tried, other.most, plain.labels = 2, 1<<(seed%8), nil
		type state = [2]uint32
		seen, level := map[state]bool{{}: true}, map[state]SleepTag{{}: 0}
		for queue := []state{{}}; len(queue) > 0 && len(queue) < 500; states += len(queue) {
			var x, y, z Batch
			for _, b := range []*Batch{&x, &y, &z} {
				b.Distinct = true
				b.Reset(2)
			}
			for _, v := range queue {
				one.Expand(v[:], level[v], &x)
				other.Expand(v[:], level[v], &y)
				plain.Expand(v[:], 0, &z)
			}
			if !slices.Equal(x.Words, y.Words) || x.Fired != y.Fired || x.Fired != z.Fired {
				t.Fatalf("seed %d: %d and %d successors, %d without tags, or other records or counts", seed,
					x.Len(), y.Len(), z.Len())
			}
			slept += z.Len() - x.Len()
			queue, level = nil, map[state]SleepTag{}
			for i := range x.Len() {
				if v := state(x.At(i)); !seen[v] {
					queue, seen[v] = append(queue, v), true
					level[v] = SleepTag(x.Words[i*x.Stride+x.Width+RecordTag])
				}
			}
			for i := range z.Len() {
				if v := state(z.At(i)); !seen[v] {
					t.Fatalf("seed %d: state %x is left out", seed, v)
				}
			}
		}
	}
	if slept < states/20 {
		t.Errorf("of the successors of %d states only %d were left out", states, slept)
	}
}

// withoutRepeats returns the words of the first record of each state, with its tag but for its steps.
func withoutRepeats(b *Batch) (words []uint32) {
	seen := map[[2]uint32]bool{}
	for i := range b.Len() {
		v := [2]uint32(b.At(i))
		if !seen[v] {
			words = append(words, b.Words[i*b.Stride:][:b.Stride]...)
			words[len(words)-b.Stride+b.Width+RecordTag] &= 1<<tagHeard - 1
		}
		seen[v] = b.Distinct
	}
	return words
}

// expanded returns the panic in which an expansion ended, or what else it came to if there is a step.
func expanded(c *systemCursor, state []uint32, b *Batch) (failed string) {
	defer func() {
		if x := recover(); x != nil {
			failed = fmt.Sprint(x)
		}
	}()
	e, ok := c.Expand(state, 0, b)
	if !ok || e.Any != (b.Grown() > 0) && !b.Distinct {
		panic(fmt.Sprint("expanded: ", e, ok))
	}
	if e.Any && !e.Ordinary {
		b.Fired[255]++
	}
	return ""
}
