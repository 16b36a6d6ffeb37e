package model

import (
	"fmt"
	"strconv"
	"strings"
)

// The channel adversary loses messages, copies them, and splits the network. It is a part of
// the medium: no handler and no algorithm knows of it. How much of it there may be is bounded,
// and how much there was is a part of the state that no handler reads.

// Faults are what the channel adversary may do in a run; the zero value: nothing.
type Faults struct {
	// Losses bounds the messages that are lost, and Copies those that are delivered once
	// more. What is lost or copied is a message that could be received next.
	Losses, Copies int
	// Breaks bounds the links that break though nobody crashes: under Links only, and
	// nothing else befalls those.
	Breaks int
	// Lasting: a link that breaks so cannot be opened to the same process again.
	Lasting bool
	// On tells whose messages are concerned: per sender the receivers; nil: all.
	On []Set
	// Split is one side of a partition: from some point on, at most once in a run, no
	// message from one side is received on the other. Empty: there is none.
	Split Set
	// Heals: a partition ends, and what is under way is received then. Else it stays.
	Heals bool
}

// some reports whether the channel adversary may do anything.
func (f *Faults) some() bool { return f.moves() || f.Split != 0 || f.Breaks > 0 }

// moves reports whether it may lose or copy messages.
func (f *Faults) moves() bool { return f.Losses > 0 || f.Copies > 0 }

// concerns reports whether messages from one process to another may be lost and copied.
func (f *Faults) concerns(from, to Proc) bool { return f.On == nil || f.On[from].Has(to) }

// crosses reports whether a message would cross the partition.
func (f *Faults) crosses(from, to Proc) bool { return f.Split.Has(from) != f.Split.Has(to) }

// faultParams declare Faults. Without a value there are none.
var faultParams = []Param{
	{"losses", "at most so many messages are lost in a run; default: none", "", IntRange(0, 255)},
	{"copies", "at most so many messages are delivered once more; default: none", "", IntRange(0, 255)},
	{"links", "the channels whose messages may be lost or copied, 1:2 for that from p1 to p2; default: all", "", Channels},
	{"partition", "the processes on one side of a partition, which may begin at any time: no message crosses it; default: there is none", "", Members},
	{"heals", "whether a partition ends: yes, it has to, and what is under way is received then; no, it stays; default: no", "", OneOf("yes", "no")},
}

// Faults returns the values of the parameters of the channel adversary, for n processes.
func (a *Args) Faults(names Names, n int) (f Faults, err error) {
	for key, bound := range map[string]*int{"losses": &f.Losses, "copies": &f.Copies} {
		if a.optional(key) != "" {
			*bound = a.Int(key)
		}
	}
	for _, channel := range list(a.optional("links")) {
		if f.On == nil {
			f.On = make([]Set, n)
		}
		from, to, _ := strings.Cut(channel, ":")
		p, err := a.member("links", from, names, n)
		if err != nil {
			return f, err
		}
		q, err := a.member("links", to, names, n)
		if err != nil {
			return f, err
		}
		f.On[p] = f.On[p].With(q)
	}
	for _, name := range list(a.optional("partition")) {
		p, err := a.member("partition", name, names, n)
		if err != nil {
			return f, err
		}
		f.Split = f.Split.With(p)
	}
	f.Heals = a.optional("heals") == "yes"
	return f, a.faultsFit(&f, n)
}

// member returns the process of a name, which may lack the prefix that names of all have.
func (a *Args) member(key, name string, names Names, n int) (Proc, error) {
	var all []string
	for p := range Proc(n) {
		all = append(all, names.Of(p))
		if name == names.Of(p) || names.Each == nil && name == strconv.Itoa(int(p)+names.First) {
			return p, nil
		}
	}
	return 0, a.Reject(key, a.String(key), fmt.Sprintf("there is no process %s; the processes are %s", name, strings.Join(all, ", ")))
}

// faultsFit returns why some values of faultParams do not fit each other.
func (a *Args) faultsFit(f *Faults, n int) error {
	switch {
	case f.On != nil && !f.moves():
		return a.Reject("links", a.String("links"), "it says which messages may be lost or copied, but losses= and copies= are not given")
	case f.Split == All(n):
		return a.Reject("partition", a.String("partition"), "nobody is on the other side; allowed are some of the processes, not all")
	case a.optional("heals") != "" && f.Split == 0:
		return a.Reject("heals", a.String("heals"), "there is no partition= to end")
	}
	return nil
}

// A fault is a step of the channel adversary.
type fault uint8

const (
	noFault fault = iota
	lossFault
	copyFault
	splitFault
	healFault
	breakFault
)

// faults are the actions that the channel adversary has, in their order.
func (f *Faults) faults() (list []fault) {
	add := func(is bool, x fault) {
		if is {
			list = append(list, x)
		}
	}
	add(f.Losses > 0, lossFault)
	add(f.Copies > 0, copyFault)
	add(f.Split != 0, splitFault)
	add(f.Split != 0 && f.Heals, healFault)
	add(f.Breaks > 0, breakFault)
	return list
}

// action describes the steps of a fault. A partition that heals has to: a run does not end
// in one.
func (x fault) action() Action {
	a := Action{Name: [...]string{"", "lose", "copy", "split", "heal", "break"}[x], Kind: Fault}
	if x == healFault {
		a.Kind = Ordinary
	}
	return a
}

// faultAction returns the index of the action of a fault.
func (c *Composition[L, M, H]) faultAction(x fault) int {
	for i, y := range c.Network.Faults.faults() {
		if x == y {
			return c.firstFault() + i
		}
	}
	return -1
}

// A record is what has befallen processes that come up again, and channels.
type record struct {
	crashes        uint8 // so far, where dead processes recover
	losses, copies uint8 // so far
	breaks         uint8 // so far
	partition      partition
}

// A partition is yet to come, there, or over.
type partition uint8

const (
	whole partition = iota
	split
	healed
)

func (p partition) String() string { return [...]string{"whole", "split", "healed"}[p] }

// befall enters a fault. It returns false if there may be no more of it.
func (r *record) befall(x fault, f *Faults) bool {
	switch x {
	case lossFault:
		r.losses++
		return int(r.losses) <= f.Losses
	case copyFault:
		r.copies++
		return int(r.copies) <= f.Copies
	case breakFault:
		r.breaks++
		return int(r.breaks) <= f.Breaks
	case splitFault:
		possible := r.partition == whole
		r.partition = split
		return possible
	case healFault:
		possible := r.partition == split
		r.partition = healed
		return possible
	}
	return true
}

// vars lists the variables of a record.
func (r *record) vars(f *Faults) (vars []Var) {
	add := func(is bool, name string, value any) {
		if is {
			vars = append(vars, Var{"network", name, fmt.Sprint(value)})
		}
	}
	add(f.Losses > 0, "lost", r.losses)
	add(f.Copies > 0, "copied", r.copies)
	add(f.Split != 0, "partition", r.partition)
	add(f.Breaks > 0, "broken", r.breaks)
	return vars
}

// Plain semantics of faults.

// faults returns the steps of the channel adversary in w.
func (pl *worldPlain[L, M, H]) faults(w *world[L, M, H]) (ts []Transition) {
	f := &pl.c.Network.Faults
	for p := range Proc(pl.c.N) {
		for i, letter := range w.inbox[p] {
			if !f.concerns(letter.From, p) || !deliverable(pl.c.Network.Channel, w.inbox[p], i) {
				continue
			}
			for _, x := range f.faults() {
				if x == lossFault || x == copyFault {
					ts = pl.befall(ts, w, x, p, i)
				}
			}
		}
	}
	for _, x := range f.faults() {
		if x == splitFault || x == healFault {
			ts = pl.befall(ts, w, x, 0, -1)
		}
	}
	return ts
}

// befall adds the step by which a fault befalls letter i of the inbox of p, or the network.
func (pl *worldPlain[L, M, H]) befall(ts []Transition, w *world[L, M, H], x fault, p Proc, i int) []Transition {
	v := w.clone()
	if !v.record.befall(x, &pl.c.Network.Faults) {
		return ts
	}
	tr := Transition{Action: pl.c.faultAction(x), Next: v, proc: p, Text: func() string { return x.text("", pl.c.Network.Faults.Split, pl.c.Names) }}
	if i >= 0 {
		names, letter := pl.c.Names, w.inbox[p][i]
		message := Message{names.Of(letter.From), names.Of(p), fmt.Sprint(letter.M)}
		tr.peer = letter.From
		tr.Text = func() string {
			return x.text(fmt.Sprintf("%s from %s to %s", message.Text, message.From, message.To), 0, names)
		}
		v.inbox[p] = append([]Letter[M](nil), w.inbox[p][:i]...)
		if x == copyFault {
			v.inbox[p] = append(v.inbox[p], letter, letter)
			tr.Sent = []Message{message}
		} else {
			tr.Lost = []Message{message}
		}
		v.inbox[p] = append(v.inbox[p], w.inbox[p][i+1:]...)
	}
	tr.Outside = v.beyondBounds()
	return append(ts, tr)
}

// text describes a fault in words.
func (x fault) text(message string, side Set, names Names) string {
	switch x {
	case lossFault:
		return "the network loses " + message
	case copyFault:
		return "the network copies " + message
	case splitFault:
		return "the network splits: " + names.list(side) + " and the others do not reach each other"
	}
	return "the network is whole again"
}
