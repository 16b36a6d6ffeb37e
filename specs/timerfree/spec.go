package timerfree

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// Spec is the model timerfree.
var Spec = model.Spec{
	Name:   "timerfree",
	Title:  "timer-free fault-tolerant k-mutual exclusion of 2009",
	Source: heading + ", INRIA report inria-00394918, 2009",
	Doc: "Raymond's algorithm, which detects as crashed the processes missing in all answers received. " +
		"Sound only under the Responsiveness Property (rp=); variants a to d go from the algorithm as " +
		"printed to one that does what the text says; variant=repaired is the one to implement.",
	Params: slices.Concat([]param.Param{
		param.Procs(3), param.Units,
		{Name: "f", Doc: "crashes that the algorithm is to tolerate, as it knows; at most n", Default: "1",
			Type: param.ProcCount(0)},
		param.Rounds,
		param.Choice("variant", "a: as printed; b: replies carry the time of their request, late ones are "+
			"dropped; c: b, and a request advances the own clock; d: c, and a process enters only with n-f "+
			"replies and counts a permission once; repaired: d, and its replies carry the processes that "+
			"had not answered when its last request ended", "a", "b", "c", "d", "repaired"),
		param.Choice("order", "total: requests of equal time are ordered by process; footnote: not at all",
			"total", "footnote"),
		param.Choice("pending", "the one of several deferred requests of a process that is answered: the "+
			"one with the largest time, or the last received; no effect in variant a", "largest", "last"),
		param.Choice("nodup", "on: a permission of a process already counted is not counted again; implied "+
			"by variants d and repaired", "off", "on"),
		param.Choice("rp", "runs are assumed to keep the Responsiveness Property, in terms of the variable "+
			"not_rec_from (V) or of the wait of line 15 (T); off: nothing is assumed", "off", "V",
			"T").Else("V"),
		param.Choice("rp-as", "assumption: steps that would break RP are not taken; check: they are, and "+
			"the property responsiveness shows where", "assumption", "check"),
		param.Choice("last", "with variant=a, what becomes of last, perm_count and have_perm in the "+
			"critical section and after it, where no step reads them: kept, or forgotten, which makes "+
			"fewer states", "kept", "forgotten"),
	}, param.Endless(), param.Network("subset")),
	Build: build,
	Paper: heading + ", 2009",
}

const heading = "Bouillaguet, Arantes, Sens, A timer-free fault tolerant k-mutual exclusion algorithm"

type global = model.Global[local, message, invariants.Answers]

var claims invariants.Of[local, message, invariants.Answers]

func build(a *model.Args) (model.Instance, error) {
	alg := newAlgorithm(a)
	c := alg.composition(a.Network(alg.n, 1, alg.f))
	c.Endless(a, alg.rounds, model.Clocks[local, message]{Local: alg.eachTime,
		Message: (*message).eachTime, Seen: (*local).clock})
	return model.Compose(c), nil
}

func newAlgorithm(a *model.Args) *algorithm {
	variant := a.String("variant") // in the order of the alphabet each adds to the one before
	alg := &algorithm{
		n: a.Int("n"), k: a.Int("k"), f: a.Int("f"),
		changes: changes{
			timed:     variant >= "b",
			advanceH:  variant >= "c",
			awaitMost: variant >= "d",
			atEnd:     variant == "repaired",
			once:      variant >= "d" || a.Is("nodup", "on"),
			footnote:  a.Is("order", "footnote"),
			newest:    a.Is("pending", "last"),
			forget:    a.Is("last", "forgotten"),
		},
		rp:      map[string]uint8{"off": rpOff, "V": rpV, "T": rpT}[a.String("rp")],
		checkRP: a.Is("rp-as", "check"),
	}
	switch {
	case alg.k > alg.n:
		a.Reject("k", fmt.Sprintf("allowed: 1 to n=%d", alg.n))
	case alg.f > alg.n:
		a.Reject("f", fmt.Sprintf("allowed: 0 to n=%d", alg.n))
	case alg.checkRP && alg.rp == rpOff:
		a.Reject("rp-as", "there is nothing to check with rp=off, allowed are rp=V and rp=T")
	case alg.rp != rpOff && alg.f == alg.n:
		a.Reject("rp", "no run keeps the Responsiveness Property with f=n, allowed is rp=off")
	}
	alg.rounds = a.Rounds(alg.n)
	if alg.forget && alg.timed {
		a.Reject("last", "from variant b on it distinguishes late replies, allowed is kept")
	}
	return alg
}

func (a *algorithm) composition(network model.Network) model.Composition[local, message, invariants.Answers] {
	return model.Composition[local, message, invariants.Answers]{
		N:     a.n,
		Names: model.Names{First: 1},
		Init:  a.init,
		Local: []model.Handler[local, message]{
			{Name: "request", Source: "lines 7-14", Request: true, Do: a.requests},
			{Name: "enter", Source: "lines 15-16", Do: a.enters},
			{Name: "release", Source: "lines 17-20", Do: a.release},
		},
		Receive: []model.Receiver[local, message]{
			{Name: "receive REQUEST", Source: "lines 21-32", Accepts: isRequest, Do: a.receiveRequest},
			{Name: "receive REPLY", Source: "lines 33-41", Accepts: isReply, Do: a.replies},
		},
		Capacity: a.k,
		Forget:   a.dead, ForgetMessage: a.deadIn,
		Units:      values.One(func(l *local) bool { return l.State == cs }),
		Suspects:   func(l *local) values.Group { return l.Crashed },
		Network:    network,
		History:    a.responsiveness().History(),
		Properties: a.properties(network),
	}
}

func (a *algorithm) responsiveness() invariants.Responsiveness {
	return invariants.Responsiveness{N: a.n, F: a.f, Reading: a.rp, Assume: !a.checkRP}
}
