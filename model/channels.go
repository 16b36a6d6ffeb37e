package model

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
)

// The channel adversary loses messages, copies them, and splits the network. It is a part of
// the medium: no handler and no algorithm knows of it. How much of it there may be is bounded,
// and how much there was is a part of the state that no handler reads.

// Faults returns the values of the parameters of the channel adversary, for n processes.
func (a *Args) Faults(names Names, n int) (f protocol.Faults, err error) {
	for key, bound := range map[string]*int{"losses": &f.Losses, "copies": &f.Copies} {
		if a.optional(key) != "" {
			*bound = a.Int(key)
		}
	}
	for _, channel := range param.List(a.optional("links")) {
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
	for _, name := range param.List(a.optional("partition")) {
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
	return 0, a.Reject(key, a.String(key), fmt.Sprintf("there is no process %s; the processes are %s", name,
		strings.Join(all, ", ")))
}

// faultsFit returns why some values of faultParams do not fit each other.
func (a *Args) faultsFit(f *protocol.Faults, n int) error {
	switch {
	case f.On != nil && !f.Moves():
		return a.Reject("links", a.String("links"),
			"it says which messages may be lost or copied, but losses= and copies= are not given")
	case f.Split == All(n):
		return a.Reject("partition", a.String("partition"),
			"nobody is on the other side; allowed are some of the processes, not all")
	case a.optional("heals") != "" && f.Split == 0:
		return a.Reject("heals", a.String("heals"), "there is no partition= to end")
	}
	return nil
}

// faultAction describes the steps of a fault.
func faultAction(x protocol.ChannelFault) lts.Action {
	return lts.Action{Name: [...]string{"", "lose", "copy", "split", "heal", "break"}[x], Kind: x.Kind()}
}

// indexOfFault returns the index of the action of a fault.
func (c *Composition[L, M, H]) indexOfFault(x protocol.ChannelFault) int {
	for i, y := range c.Network.Faults.List() {
		if x == y {
			return c.firstFault() + i
		}
	}
	return -1
}

// recorded lists the variables of a record.
func recorded(r *protocol.Record, f *protocol.Faults) (vars []Var) {
	add := func(is bool, name string, value any) {
		if is {
			vars = append(vars, Var{Owner: "network", Name: name, Value: fmt.Sprint(value)})
		}
	}
	add(f.Losses > 0, "lost", r.Losses)
	add(f.Copies > 0, "copied", r.Copies)
	add(f.Split != 0, "partition", r.Partition)
	add(f.Breaks > 0, "broken", r.Breaks)
	return vars
}

// Plain semantics of faults.

// faults returns the steps of the channel adversary in w.
func (pl *worldPlain[L, M, H]) faults(w *world[L, M, H]) (ts []lts.Transition) {
	f := &pl.c.Network.Faults
	for p := range Proc(pl.c.N) {
		for i, envelope := range w.inbox[p] {
			if !f.Concerns(envelope.From, p) || !pl.c.deliverable(w.inbox[p], i) {
				continue
			}
			for _, x := range f.List() {
				if x == protocol.Loss || x == protocol.Copy {
					ts = pl.befall(ts, w, x, p, i)
				}
			}
		}
	}
	for _, x := range f.List() {
		if x == protocol.Split || x == protocol.Heal {
			ts = pl.befall(ts, w, x, 0, -1)
		}
	}
	return ts
}

// befall adds the step by which a fault befalls envelope i of the inbox of p, or the network.
func (pl *worldPlain[L, M, H]) befall(ts []lts.Transition, w *world[L, M, H], x protocol.ChannelFault, p Proc,
	i int) []lts.Transition {
	v := w.clone()
	if !v.record.Befall(x, &pl.c.Network.Faults) {
		return ts
	}
	tr := lts.Transition{Action: pl.c.indexOfFault(x), Next: v, Proc: p,
		Text: func() string { return faultText(x, "", pl.c.Network.Faults.Split, pl.c.Names) }}
	if i >= 0 {
		names, envelope := pl.c.Names, w.inbox[p][i]
		message := lts.Message{From: names.Of(envelope.From), To: names.Of(p), Text: fmt.Sprint(envelope.M)}
		tr.Peer = envelope.From
		tr.Text = func() string {
			return faultText(x, fmt.Sprintf("%s from %s to %s", message.Text, message.From, message.To), 0,
				names)
		}
		v.inbox[p] = append([]Envelope[M](nil), w.inbox[p][:i]...)
		if x == protocol.Copy {
			v.inbox[p] = append(v.inbox[p], envelope, envelope)
			tr.Sent = []lts.Message{message}
		} else {
			tr.Lost = []lts.Message{message}
		}
		v.inbox[p] = append(v.inbox[p], w.inbox[p][i+1:]...)
	}
	tr.Outside = v.beyondBounds()
	return append(ts, tr)
}

// text describes a fault in words.
func faultText(x protocol.ChannelFault, message string, side Set, names Names) string {
	switch x {
	case protocol.Loss:
		return "the network loses " + message
	case protocol.Copy:
		return "the network copies " + message
	case protocol.Split:
		return "the network splits: " + names.list(side) + " and the others do not reach each other"
	}
	return "the network is whole again"
}
