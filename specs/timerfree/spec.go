package timerfree

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
)

// Spec is the model timerfree.
var Spec = model.Spec{
	Name:   "timerfree",
	Title:  "timer-free fault-tolerant k-mutual exclusion of 2009",
	Source: report,
	Doc:    "Raymond's algorithm, with crashes detected from who is missing in the answers of all others. Sound only under the Responsiveness Property (rp=); variants a to d go from the algorithm as printed to one that does what the text says.",
	Params: slices.Concat([]model.Param{
		{Name: "n", Doc: "number of processes, p1..pn", Default: "3", Type: model.IntRange(1, model.MaxProcs)},
		{Name: "k", Doc: "units: how many may be in the critical section at once; at most n", Default: "2", Type: model.IntRange(1, model.MaxProcs)},
		{Name: "f", Doc: "crashes that the algorithm is to tolerate, as it knows; at most n", Default: "1", Type: model.IntRange(0, model.MaxProcs)},
		model.RoundsParam,
		{Name: "variant", Doc: "a: as printed; b: replies carry the time of their request, late ones are dropped; c: b, and a request advances the own clock; d: c, and a process enters only with n-f replies and counts a permission once", Default: "a", Type: model.OneOf("a", "b", "c", "d")},
		{Name: "order", Doc: "total: requests of equal time are ordered by process; footnote: not at all", Default: "total", Type: model.OneOf("total", "footnote")},
		{Name: "pending", Doc: "which of several deferred requests of a process is answered at last, the one of the largest time or the last received; no effect in variant a", Default: "largest", Type: model.OneOf("largest", "last")},
		{Name: "nodup", Doc: "on: a permission of a process already counted is not counted again; implied by variant d", Default: "off", Type: model.OneOf("off", "on")},
		{Name: "rp", Doc: "runs are assumed to keep the Responsiveness Property, in terms of the variable not_rec_from (V) or of the wait of line 15 (T); off: nothing is assumed", Default: "V", Type: model.OneOf("off", "V", "T")},
		{Name: "rp-as", Doc: "assumption: steps that would break RP are not taken; check: they are, and the property responsiveness tells where", Default: "assumption", Type: model.OneOf("assumption", "check")},
	}, model.EndlessParams(), model.NetworkParams("subset")),
	Build:      build,
	References: references,
	Paper:      &Paper,
}

const report = "Bouillaguet, Arantes, Sens, A timer-free fault tolerant k-mutual exclusion algorithm, INRIA report inria-00394918, 2009"

type global = model.Global[local, message, invariants.Answers]

func build(a *model.Args) (model.Instance, error) {
	alg, err := newAlgorithm(a)
	if err != nil {
		return model.Instance{}, err
	}
	network, err := a.Network(alg.n, 1, alg.f)
	if err != nil {
		return model.Instance{}, err
	}
	c := alg.composition(network)
	err = c.Endless(a, alg.rounds, model.Clocks[local, message]{Local: alg.eachTime, Message: (*message).eachTime})
	return model.Compose(c), err
}

func newAlgorithm(a *model.Args) (*algorithm, error) {
	variant := a.String("variant")
	alg := &algorithm{
		n: a.Int("n"), k: a.Int("k"), f: a.Int("f"),
		timed:     variant >= "b",
		advanceH:  variant >= "c",
		awaitMost: variant >= "d",
		once:      variant >= "d" || a.Is("nodup", "on"),
		footnote:  a.Is("order", "footnote"),
		newest:    a.Is("pending", "last"),
		rp:        map[string]uint8{"off": rpOff, "V": rpV, "T": rpT}[a.String("rp")],
		checkRP:   a.Is("rp-as", "check"),
	}
	if alg.k > alg.n {
		return nil, a.Reject("k", a.String("k"), fmt.Sprintf("allowed: 1 to n=%d", alg.n))
	}
	if alg.f > alg.n {
		return nil, a.Reject("f", a.String("f"), fmt.Sprintf("allowed: 0 to n=%d", alg.n))
	}
	if alg.checkRP && alg.rp == rpOff {
		return nil, a.Reject("rp-as", "check", "there is nothing to check with rp=off, allowed are rp=V and rp=T")
	}
	if alg.rp != rpOff && alg.f == alg.n {
		return nil, a.Reject("rp", a.String("rp"), "no run keeps the Responsiveness Property with f=n, allowed is rp=off")
	}
	var err error
	alg.rounds, err = a.Rounds(alg.n)
	return alg, err
}

func (a *algorithm) composition(network model.Network) model.Composition[local, message, invariants.Answers] {
	return model.Composition[local, message, invariants.Answers]{
		N:     a.n,
		Names: model.Names{First: 1},
		Init:  a.init,
		Local: []model.Handler[local, message]{
			{Name: "request", Source: "lines 7-14", Request: true, Do: a.request},
			{Name: "enter", Source: "lines 15-16", Do: a.enter},
			{Name: "release", Source: "lines 17-20", Do: a.release},
		},
		Receive: []model.Receiver[local, message]{
			{Name: "receive REQUEST", Source: "lines 21-32", Accepts: isRequest, Do: a.receiveRequest},
			{Name: "receive REPLY", Source: "lines 33-41", Accepts: isReply, Do: a.receiveReply},
		},
		Capacity:   a.k,
		Units:      units,
		Network:    network,
		History:    a.history(),
		Properties: a.properties(network),
	}
}

// units: the critical section takes one.
func units(l *local) int {
	if l.State == cs {
		return 1
	}
	return 0
}

// history is the monitor of RP, if it is of interest.
func (a *algorithm) history() model.History[invariants.Answers] {
	if a.rp == rpOff {
		return model.History[invariants.Answers]{}
	}
	return a.responsiveness().History()
}

func (a *algorithm) responsiveness() invariants.Responsiveness {
	return invariants.Responsiveness{N: a.n, F: a.f, Reading: a.rp, Assume: !a.checkRP}
}

func (a *algorithm) properties(network model.Network) []model.Property[global] {
	const paper = "INRIA report inria-00394918, "
	ps := []model.Property[global]{
		invariants.AtMostK[local, message, invariants.Answers](a.k).From(paper + "Lemma 2"),
		{
			Name: "no-false-suspicion", Kind: model.Invariant, Source: paper + "Lemma 1",
			Doc:   "whoever a live process takes for dead is dead",
			Holds: everyLive(func(l *local, dead model.Set) bool { return l.Crashed&^dead == 0 }),
			Clear: func(g *global, p model.Proc) bool { return g.Local(p).Crashed == 0 },
		},
		invariants.NoStarvation[local, message, invariants.Answers](func(l *local) bool { return l.State == requesting }).
			From(paper + "Lemma 3"),
		invariants.RequestsServed[local, message, invariants.Answers](a.n, func(l *local) bool { return l.State == requesting }).
			From(paper + "Lemma 3").OnlyOnRequest(!a.endless()).ExcusedBy(invariants.Silent(a.rounds, network.Dead)),
		{
			Name: "all-detected", Kind: model.Quiet, Source: paper + "Theorem 1", Moot: a.tooLate(network),
			Doc:   "when nothing is left to do but crashes, every live process takes all the dead for dead",
			Holds: everyLive(func(l *local, dead model.Set) bool { return dead&^l.Crashed == 0 }),
		},
		a.detectedAtLast().From(paper + "Theorem 1").MootIf(a.rare()),
		{
			Name: "permissions-exact", Kind: model.Invariant, Source: paper + "section 4.1, the variables perm_count and have_perm",
			Doc: "a live process that waits has counted as many permissions as there are processes whose permission it holds",
			OfLocal: func(g *global, p model.Proc) bool {
				l := g.Local(p)
				return l.State != requesting || int(l.PermCount) == l.HavePerm.Len()
			},
		},
		{
			Name: "permissions-live", Kind: model.Invariant, Source: paper + "section 4.1 on lines 24-26, and proof of Lemma 2, second case",
			Doc:     "a live process holds no permission of a process that it takes for dead",
			OfLocal: func(g *global, p model.Proc) bool { return g.Local(p).HavePerm&g.Local(p).Crashed == 0 },
		},
		invariants.CanReachK[local, message, invariants.Answers](a.k).From(paper + "section 1").
			MootIf(invariants.Few(a.k, a.rounds, network)),
		invariants.CanReachMin[local, message, invariants.Answers](a.k, a.rounds, func(l *local) int { return int(l.Rounds) }).
			From(paper + "section 1").MootIf(invariants.FewMin(a.k, a.rounds, network)),
	}
	if a.checkRP {
		ps = append(ps, invariants.ResponsivenessKept[local, message](a.responsiveness()).From(paper+"section 2"))
	}
	return ps
}

// rare says why no run enters again and again; "" if some may.
func (a *algorithm) rare() string {
	if a.endless() {
		return ""
	}
	return "the rounds end, so that nobody enters again and again"
}

// tooLate says why some crash is never detected by construction; "" if all may be.
func (a *algorithm) tooLate(nw model.Network) string {
	if a.endless() || a.n < 2 || nw.Crashes == nw.Dead.Len() || nw.Crashable&^nw.Dead == 0 {
		return ""
	}
	return "the rounds end, and who crashes after the last request is never looked for"
}

// endless reports whether some process requests for ever.
func (a *algorithm) endless() bool { return slices.Contains(a.rounds, model.Forever) }

// detectedAtLast is Theorem 1, of the runs that its proof is about: all live processes
// request and enter again and again. It is violated if one of them goes without
// knowing of some crash for ever.
func (a *algorithm) detectedAtLast() model.Property[global] {
	var others []func(*global) bool
	for j := range model.Proc(a.n) {
		others = append(others,
			func(g *global) bool { return !g.Live(j) || g.Local(j).State == notRequesting },
			func(g *global) bool { return !g.Live(j) || g.Local(j).State == cs })
	}
	var lassos []model.Lasso[global]
	for i := range model.Proc(a.n) {
		lassos = append(lassos, model.Lasso[global]{
			Avoids: func(g *global) bool { return !g.Live(i) || g.Dead&^g.Local(i).Crashed == 0 },
			Visits: others,
		})
	}
	return invariants.NoRun[global]("detected-at-last",
		"in fair runs in which all live processes enter again and again, each of them takes all the dead for dead at last", lassos...)
}

// everyLive makes a property of states of one of local states and who is dead.
func everyLive(holds func(l *local, dead model.Set) bool) func(*global) bool {
	return func(g *global) bool { return g.Count(func(l *local) bool { return !holds(l, g.Dead) }) == 0 }
}

// references are the reference counts of the modelling contract.
var references = []model.Reference{
	contract("n=2 k=1 f=0 rounds=2,2 channel=bag rp=off variant=a", 912, 21),
	contract("n=2 k=1 f=0 rounds=2,2 channel=bag rp=off variant=b", 902, 21),
	contract("n=2 k=1 f=0 rounds=2,2 channel=bag rp=off variant=c", 925, 21),
	contract("n=2 k=1 f=0 rounds=2,2 channel=fifo rp=off variant=a", 333, 23),
	contract("n=2 k=1 f=0 rounds=2,2 channel=fifo rp=off variant=c", 325, 23),
	contract("n=2 k=1 f=0 rounds=2,2 channel=bag rp=off variant=c order=footnote", 1_223, 21),
	contract("n=3 k=1 f=0 rounds=1,1,1 channel=bag rp=off variant=c", 36_305, 24),
	contract("n=3 k=2 f=0 rounds=2,1,0 channel=bag rp=off variant=a", 57_532, 22),
	contract("n=3 k=2 f=0 rounds=2,1,0 channel=bag rp=off variant=b", 49_137, 22),
	contract("n=3 k=2 f=0 rounds=2,1,0 channel=bag rp=off variant=a nodup=on", 50_063, 22),
	contract("n=3 k=2 f=0 rounds=2,1,0 channel=bag rp=off variant=b nodup=on", 45_492, 22),
	contract("n=3 k=2 f=0 rounds=2,0,1 channel=bag rp=off variant=c pending=largest", 56_049, 22),
	contract("n=3 k=2 f=0 rounds=2,0,1 channel=bag rp=off variant=c pending=last", 56_333, 22),
	contract("n=3 k=2 f=1 rounds=1,1,0 channel=bag crashes=1 variant=c rp=V crash-sends=none", 14_124, 18),
	contract("n=3 k=2 f=1 rounds=1,1,0 channel=bag crashes=1 variant=c rp=V crash-sends=prefix", 14_235, 18),
	contract("n=3 k=2 f=1 rounds=1,1,0 channel=bag crashes=1 variant=c rp=V crash-sends=subset", 14_377, 18),
	contract("n=3 k=2 f=1 rounds=2,2,0 channel=bag crashes=1 dead=3 variant=c rp=V", 3_216, 23),
	contract("n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=c rp=off", 24_687, 24),
	contract("n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=c rp=V", 27_067, 24),
	contract("n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=0 variant=c rp=T", 33_066, 24),
	contract("n=3 k=2 f=1 rounds=2,1,0 channel=fifo crashes=1 crash-sends=subset variant=c rp=V", 58_634, 25),
	contract("n=3 k=3 f=1 rounds=1,1,0 channel=bag crashes=0 rp=off variant=c", 21_684, 17),
	contract("n=3 k=3 f=1 rounds=1,1,0 channel=bag crashes=0 rp=off variant=d", 7_724, 17),
}

func contract(args string, states, depth int) model.Reference {
	return model.Reference{Args: args, States: states, Depth: depth, From: "contract"}
}
