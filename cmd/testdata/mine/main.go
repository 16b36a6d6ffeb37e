// Command mine is atmostk with an algorithm of one's own: mutual exclusion by a
// token that goes round a ring.
package main

import (
	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

func main() { cmd.Program{Name: "mine", Specs: append(specs.All, tokenRing)}.Main() }

var tokenRing = model.Spec{
	Name:   "token-ring",
	Title:  "a token on a ring",
	Source: "folklore",
	Doc:    "Whoever has the token may enter; it is passed on afterwards, until everybody has been served.",
	Params: append([]model.Param{
		{Name: "n", Doc: "number of processes", Default: "3", Type: model.IntRange(2, 8)},
	}, model.NetworkParams("none")...),
	Build: build,
}

// local is the state of one process, token the only message.
type (
	local struct {
		Token, Waits, Inside bool
	}
	token  struct{}
	outbox = model.Outbox[token]
)

// ring is the algorithm for n processes.
type ring struct{ n int }

func build(a *model.Args) (model.Instance, error) {
	r := ring{a.Int("n")}
	network, err := a.Network(r.n, 1, 0)
	if err != nil {
		return model.Instance{}, err
	}
	return model.Compose(model.Composition[local, token, model.None]{
		N:     r.n,
		Names: model.Names{First: 1},
		Init:  func(p model.Proc) local { return local{Token: p == 0, Waits: true} },
		Local: []model.Handler[local, token]{
			{Name: "enter", Do: enter},
			{Name: "release", Do: r.release},
		},
		Receive: []model.Receiver[local, token]{
			{Name: "receive", Accepts: func(token) bool { return true }, Do: receive},
		},
		Units:   units,
		Network: network,
		Properties: []model.Property[model.Global[local, token, model.None]]{
			invariants.AtMostK[local, token, model.None](1).From("folklore"),
			invariants.NoStarvation[local, token, model.None](func(l *local) bool { return l.Waits }).From("folklore"),
		},
	}), nil
}

func units(l *local) int {
	if l.Inside {
		return 1
	}
	return 0
}

func enter(_ model.Proc, l *local, _ *outbox) bool {
	if !l.Token || !l.Waits {
		return false
	}
	l.Waits, l.Inside = false, true
	return true
}

func (r ring) release(p model.Proc, l *local, out *outbox) bool {
	if !l.Inside {
		return false
	}
	l.Inside, l.Token = false, false
	if next := p + 1; int(next) < r.n { // the last one keeps it
		out.Send(next, token{})
	}
	return true
}

func receive(_, _ model.Proc, _ token, l *local, _ *outbox) bool {
	l.Token = true
	return true
}
