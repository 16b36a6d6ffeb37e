package protocol

// Parts are the parts of a state: the numbers of its local states, of its inboxes and of its
// history, in this order, as the kernel has packed them; or the words of the state of a System.
type Parts struct {
	Words []uint32
	Slots []Slot // of the numbers in Words; nil in a System
}

// A Slot is the place of a number in words: the word, shifted to the right, and then masked.
type Slot struct {
	Word, Mask uint32
	Shift      uint8
}
