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
func (c *composition) indexOfFault(x protocol.ChannelFault) int {
	for i, y := range c.Network.Faults.List() {
		if x == y {
			return c.firstFault() + i
		}
	}
	return -1
}
