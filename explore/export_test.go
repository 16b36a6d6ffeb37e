package explore

import (
	"context"

	"github.com/atmostk/atmostk/model"
)

// StopAt makes a search stop where stop, which is told the kind of each place where it can, returns a reason.
func StopAt(opt Options, stop func(at string) string) Options {
	opt.stopAt = func(at point) string { return stop(string(at)) }
	return opt
}

// The kinds of places.
const (
	AtRound, AtLearnt = string(atRound), string(atLearnt)
	AtMemory, AtPages = string(atMemory), string(atPages)
	AtPass            = string(atPass)
)

// Codes searches and returns the codes of all visited states.
func Codes(in model.Instance, opt Options) map[model.Code]bool {
	s := newSearch(context.Background(), in, opt)
	defer s.free()
	if err := s.explore(); err != nil {
		panic(err)
	}
	codes := map[model.Code]bool{}
	for _, v := range s.nodes() {
		codes[s.space.Code(v)] = true
	}
	return codes
}
