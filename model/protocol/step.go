package protocol

// A Label is the action of a step and its processes. Steps of one state may
// have the same label: fairness cannot tell them apart.
type Label struct {
	Action uint16 // index into the actions of the model
	Proc   uint8  // the process that acts; in a System the low byte of Instance
	Peer   uint8  // the sender of the message received, the process noticed dead; in a System the high byte
}

// Instance returns the number of the instance of the action, in a System.
func (l Label) Instance() int { return int(l.Peer)<<8 | int(l.Proc) }

// InstanceLabel is the label of an instance of an action of a System.
func InstanceLabel(action, instance int) Label {
	return Label{uint16(action), uint8(instance), uint8(instance >> 8)}
}

// Word returns the label as it stands in records of successors: the action in the low 16
// bits, the process in the next 8, the peer in the highest 8.
func (l Label) Word() uint32 { return uint32(l.Action) | uint32(l.Proc)<<16 | uint32(l.Peer)<<24 }

// LabelOf returns the label that is written in a word.
func LabelOf(word uint32) Label { return Label{uint16(word), uint8(word >> 16), uint8(word >> 24)} }

// MaxActions is the largest number of actions of a model.
const MaxActions = 256

// ActionKind decides which enabled steps make a state quiet.
type ActionKind uint8

const (
	// Ordinary steps are the work of the algorithm: a state with one is not quiet.
	Ordinary ActionKind = iota
	// Spontaneous steps may happen and need not: a state in which only they are left is quiet.
	Spontaneous
	// Fault steps are the adversary's: crashes. They never have to happen.
	Fault
)

// An Event describes a step to a history.
type Event struct {
	Proc  Proc
	Note  uint32 // what the handler noted; 0: nothing
	Crash bool   // Proc crashed in this step
	Dead  Set    // the processes that are dead after the step
}

// Charges count the messages that a step puts into channels. Messages to dead
// processes are not stored, and do not count.
type Charges struct {
	All int
	To  [MaxProcs]uint32 // per process: the messages that belong to its request
}

// Add adds a message that belongs to the request of a process.
func (c *Charges) Add(owner Proc) {
	c.All++
	c.To[owner]++
}
