package explore

import (
	"context"

	"github.com/atmostk/atmostk/explore/kernel"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// StopAt makes a search stop where stop, which is told the kind of each place where it can, returns a reason.
func StopAt(opt Options, stop func(at string) string) Options {
	opt.stopAt = func(at stopPoint) string { return stop(string(at)) }
	return opt
}

// Patient gives the second search for what an abandoned search found as long as it takes.
func Patient(opt Options) Options {
	opt.patient = true
	return opt
}

// InPortions is a Disk store of which so many states of the frontier are expanded at a time, so that most
// levels are dealt into ranges, and candidates are written after each of them.
func InPortions(s Store, states int64) Store {
	s.portion = states
	return s
}

// WithFounders is a Disk store whose founders are the states of the first level with so many.
func WithFounders(s Store, states int64) Store {
	s.founders = states
	return s
}

// The kinds of places.
const (
	AtExpansion, AtFilled = string(atExpansion), string(atFilled)
	AtMemory, AtPages     = string(atMemory), string(atPages)
	AtPass                = string(atPass)
)

// Codes searches and returns the codes of all visited states.
func Codes(in model.Instance, opt Options) map[protocol.Code]bool {
	s := begun(context.Background(), in, opt)
	defer s.free()
	return s.codes()
}

// Space searches and returns the space with all entries of its tables, how its states are told, and whether
// the search was complete.
func Space(in model.Instance, opt Options) (space kernel.Space, decode func([]uint32) lts.State,
	complete bool) {
	s := searched(in, opt)
	defer s.free()
	return s.space, s.decode, s.report.Complete
}

func searched(in model.Instance, opt Options) *search {
	s, err := newSearch(context.Background(), in, opt)
	if err == nil {
		err = s.explore()
	}
	if err != nil {
		panic(err)
	}
	return s
}
