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

// Faults returns the values of the parameters of the channel adversary, for n processes, and rejects
// those that do not fit.
func (a *Args) Faults(names Names, n int) (f protocol.Faults) {
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
		p, q := a.member("links", from, names, n), a.member("links", to, names, n)
		f.On[p] = f.On[p].With(q)
	}
	for _, name := range param.List(a.optional("partition")) {
		f.Split = f.Split.With(a.member("partition", name, names, n))
	}
	f.Heals = a.optional("heals") == "yes"
	switch {
	case f.On != nil && !f.Moves():
		a.Reject("links",
			"it says which messages may be lost or copied, but losses= and copies= are not given")
	case f.Split == All(n):
		a.Reject("partition",
			"nobody is on the other side; allowed are some of the processes, not all")
	case a.optional("heals") != "" && f.Split == 0:
		a.Reject("heals", "there is no partition= to end")
	}
	return f
}

// member returns the process of a name, which may lack the prefix that names of all have. Another name is
// rejected.
func (a *Args) member(key, name string, names Names, n int) Proc {
	var all []string
	for p := range Proc(n) {
		all = append(all, names.Of(p))
		if name == names.Of(p) || names.Each == nil && name == strconv.Itoa(int(p)+names.First) {
			return p
		}
	}
	a.Reject(key, fmt.Sprintf("there is no process %s; the processes are %s", name,
		strings.Join(all, ", ")))
	return 0
}

// faultAction describes the steps of a fault.
func faultAction(x protocol.ChannelFault) lts.Action {
	return lts.Action{Name: [...]string{"", "lose", "copy", "split", "heal", "break"}[x], Kind: x.Kind()}
}

// indexOfFault returns the index of the action of a fault.
func (c *composition) indexOfFault(x protocol.ChannelFault) int {
	for i, y := range c.Network.Faults.List() {
		if x == y {
			return c.firstFault() + i
		}
	}
	return -1
}
