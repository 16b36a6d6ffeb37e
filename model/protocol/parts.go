package protocol

// Parts are what a state consists of: the numbers of its local states, of its inboxes and of its
// history, in this order, where the kernel has packed them; or the words of the state of a System.
type Parts struct {
	Words []uint32
	Slots []Slot // where the numbers are in Words; nil in a System
}

// A Slot is where a number is in words: the word, shifted to the right, and masked then.
type Slot struct {
	Word, Mask uint32
	Shift      uint8
}
