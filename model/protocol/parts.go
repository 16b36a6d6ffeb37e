package protocol

// Parts are the parts of a state: the numbers of its local states, of its inboxes and of its
// history, in this order, as the kernel has packed them; or the words of the state of a System.
type Parts struct {
	Words []uint32
	Slots []Slot // of the numbers in Words; nil in a System
}

// At returns a number.
func (p *Parts) At(i int) uint32 { return p.Slots[i].Get(p.Words) }

// A Slot is the place of a number in words: the word, shifted to the right, and then masked.
type Slot struct {
	Word, Mask uint32
	Shift      uint8
}

// Get returns the number. Shifts are less than 32; the compiler makes shorter code if it sees that.
func (s *Slot) Get(words []uint32) uint32 { return words[s.Word] >> (s.Shift & 31) & s.Mask }

// Set changes the number from old to new.
func (s *Slot) Set(words []uint32, old, new uint32) { words[s.Word] ^= (old ^ new) << (s.Shift & 31) }
