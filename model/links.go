package model

// A Linked is a set of processes each of which has one output, a link to some
// process with a FIFO queue in it: the shape of algorithms on a ring. Links break
// when the process at their end crashes, and are opened again, to that process or
// to another, by steps of their own. Handlers are as local as in a Composition:
// what they read beyond the state of their own process is one bit of the
// surroundings (is the end of my link alive, is what I wait for under way), or a
// number that nobody uses.
type Linked[L, M comparable] struct {
	N     int   // processes, 1 to MaxProcs
	Names Names // what the paper calls them

	// Init returns how p begins: its local state, its link and what is under way in it.
	Init    func(p Proc) (L, Link, []M)
	Local   []LinkHandler[L, M]
	Receive []LinkReceiver[L, M] // the first that accepts a message handles it

	// The events of links; nil: there are none of that kind.
	Disconnect *LinkHandler[L, M] // of a broken link, which is then closed
	Connect    *LinkHandler[L, M] // of a closed link to a live process, which is then open
	OpenError  *LinkHandler[L, M] // of a closed link to a dead process
	Timers     []LinkTimer[L, M]

	// Numbers returns which of the numbers 1 to 63 a process and what it has under
	// way use, as bits. Output.Fresh gives out the others: the smallest of them, or with
	// Rising the one above all that are in use. Nil: none.
	Numbers func(l *L, queue []M) uint64
	Rising  bool
	// Units says how many units of the resource a process uses; nil: no resource.
	Units func(l *L) int

	Dead      Set  // who has not come up yet; these are no crashes
	Crashes   int  // at most so many crashes in a run
	LastStays bool // the last live process does not crash
	// Crash leaves in l what remains of a process that crashes, and returns its link,
	// which loses what is in it. It depends on l only.
	Crash func(p Proc, l *L) Link
	// Recover is the step by which a dead process comes up; nil: nobody does.
	Recover *LinkHandler[L, M]

	Properties []Property[LinkedGlobal[L, M]]
	Fairness   []Fairness
	// Vars lists the variables of a process; nil: the fields of L.
	Vars func(l *L) []Var
}

// A Link is the output of a process.
type Link struct {
	State LinkState
	To    Proc
}

// LinkState says what a link is good for.
type LinkState uint8

const (
	// LinkClosed links can be opened.
	LinkClosed LinkState = iota
	// LinkOpen links carry messages; the process at their end is alive.
	LinkOpen
	// LinkBroken links have lost the process at their end, and their owner does not know yet.
	LinkBroken
	// LinkGivenUp links are never opened again.
	LinkGivenUp
)

// String names the state.
func (s LinkState) String() string {
	return [...]string{"closed", "open", "broken", "given up"}[s]
}

// A LinkHandler is a step that a process takes without receiving anything.
type LinkHandler[L, M comparable] struct {
	Name   string
	Source string // where the paper has it
	Kind   ActionKind
	// Do changes l, the link and what is in it, or returns false if the step is not enabled.
	Do func(p Proc, l *L, out *Output[M]) bool
}

// A LinkTimer is a handler that runs when a time is up: while the link is open and no
// message that the process awaits is in any link. It never fires for what is only slow.
type LinkTimer[L, M comparable] struct {
	LinkHandler[L, M]
	Awaits func(p Proc, m M) bool
}

// MaxTimers is the largest number of timers of a Linked.
const MaxTimers = 2

// A LinkReceiver is the handler of one type of message.
type LinkReceiver[L, M comparable] struct {
	Name    string
	Source  string
	Accepts func(m M) bool
	Do      func(p Proc, m M, l *L, out *Output[M])
}

// An Output is what a handler has of its process's link. It may change the link: what
// is in one that is closed, or led somewhere else, is lost.
type Output[M comparable] struct {
	Link      Link
	was       Link // before the step
	sent      []M
	fresh     uint8
	exhausted bool // Fresh was called in vain
}

// Send puts m behind everything in the link. If that is not open, m is lost.
func (o *Output[M]) Send(m M) {
	if o.Link.State == LinkOpen {
		o.sent = append(o.sent, m)
	}
}

// Fresh returns a positive number that, before the step, no process and no message
// used. If there is none the search stops, undecided.
func (o *Output[M]) Fresh() uint8 {
	o.exhausted = o.exhausted || o.fresh == 0
	return o.fresh
}

// A LinkedGlobal is a global state of a Linked, as properties see it.
type LinkedGlobal[L, M comparable] struct {
	N    int
	Dead Set
	view linkedView[L, M]
}

type linkedView[L, M comparable] interface {
	local(p Proc) *L
	link(p Proc) Link
	queue(p Proc) []M
}

// Live reports whether p is alive.
func (g *LinkedGlobal[L, M]) Live(p Proc) bool { return !g.Dead.Has(p) }

// Local returns the local state of p; of the dead, what Crash left. It must not be changed.
func (g *LinkedGlobal[L, M]) Local(p Proc) *L { return g.view.local(p) }

// Link returns the link of p.
func (g *LinkedGlobal[L, M]) Link(p Proc) Link { return g.view.link(p) }

// Queue returns what is under way in the link of p, the next one first. It must not be changed.
func (g *LinkedGlobal[L, M]) Queue(p Proc) []M { return g.view.queue(p) }

// Count returns the number of live processes whose local state satisfies f.
func (g *LinkedGlobal[L, M]) Count(f func(l *L) bool) (n int) {
	for p := range Proc(g.N) {
		if !g.Dead.Has(p) && f(g.view.local(p)) {
			n++
		}
	}
	return n
}

// UnderWay returns the number of messages in all links that satisfy f.
func (g *LinkedGlobal[L, M]) UnderWay(f func(m M) bool) (n int) {
	for p := range Proc(g.N) {
		for _, m := range g.view.queue(p) {
			if f(m) {
				n++
			}
		}
	}
	return n
}
