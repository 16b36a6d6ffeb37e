package explore

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
