package cohorts

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/cohorts/coterie"
)

// Cohorts is the model cohorts.
var Cohorts = model.Spec{
	Name:   "cohorts",
	Title:  "h-out of-k mutual exclusion with cohorts coteries",
	Source: paper + ", sections 3 and 4",
	Doc: "A requester collects the permissions of h disjoint quorums, probing the cohorts from the last " +
		"to the first; nodes give one permission each, with Maekawa's resolution of conflicts.",
	Params: slices.Concat([]param.Param{
		param.Numbers("cohorts", "sizes of the cohorts, C_1 first, whose size is k; nodes are numbered "+
			"from the first cohort to the last",
			"1,2", 1, model.FewProcs),
		units, rounds,
		param.Choice("clock", "time of a request: its round, or a Lamport clock", "round", "lamport"),
		param.Choice("probe", "the cases of Probe need at least x grants, as in Figure 1, or more, as "+
			"in the text", "at-least", "more-than"),
		param.Choice("case2", "Probe returns by case 2 at any time; fd: when all nodes without a grant have "+
			"crashed; never", "any", "fd", "never"),
		param.Choice("surplus", "grants that are not selected are released at the exit, at once, or never; "+
			"default: at-exit, with mode=repaired at-once", "at-exit", "at-once", "never").Else(""),
		param.Choice("relinquish", "grants given back when inquired: those not selected yet (pending), or "+
			"any (naive, all); none: nodes do not inquire", "pending", "naive", "all", "none"),
		param.Choice("mode", "printed: Figure 1; gather: its loop is done anew over all grants after each "+
			"grant; repaired: that, with nodes that say when they are busy, and notices of crashes",
			"printed", "gather", "repaired"),
	}, apartParams()),
	Build: func(a *model.Args) (model.Instance, error) {
		alg := newAlgorithm(a)
		return build(a, alg.composition(apart(a, len(alg.h), alg.nodes)))
	},
	Paper:   heading,
	Picture: pictureOfCohorts,
}

type global = model.Global[local, message, model.None]

var claims invariants.Of[local, message, model.None]

func newAlgorithm(a *model.Args) *algorithm {
	r, sizes := count(a.String("h")), a.PerProcess("cohorts", count(a.String("cohorts")))
	structure := coterie.Consecutive(sizes, model.Proc(r))
	alg := &algorithm{
		Structure: structure,
		common:    newCommon(a, "cohorts", r, structure.Nodes().Len(), structure.K),
		moreThan:  a.Is("probe", "more-than"),
		case2:     a.String("case2"),
		yield:     a.String("relinquish"),
		gather:    !a.Is("mode", "printed"),
		repaired:  a.Is("mode", "repaired"),
	}
	alg.lamport, alg.inquires = a.Is("clock", "lamport"), !a.Is("relinquish", "none")
	alg.read(a)
	if err := alg.Check(); err != nil {
		a.Reject("cohorts", err.Error())
	}
	return alg
}

// read checks what the readings allow of each other, and reads surplus=.
func (a *algorithm) read(args *model.Args) {
	if !args.Given("surplus") {
		args.Set("surplus", map[bool]string{false: "at-exit", true: "at-once"}[a.repaired])
	}
	a.surplus = args.String("surplus")
	var only [][2]string
	if a.gather {
		only = [][2]string{{"probe", "at-least"}, {"case2", "any"}}
	}
	if a.repaired {
		only = append(only, [2]string{"surplus", "at-once"}, [2]string{"relinquish", "pending"})
	}
	for _, o := range only {
		if key, value := o[0], o[1]; !args.Is(key, value) {
			args.Reject(key, fmt.Sprintf("with mode=%s allowed is %s", args.String("mode"), value))
		}
	}
}

func (a *algorithm) composition(nw model.Network) model.Composition[local, message, model.None] {
	c := a.common.composition(nw, a.K, a.receiveInquire)
	c.Local, c.Properties = a.steps(), a.properties(nw)
	if a.repaired {
		a.repair(c.Receive)
		c.Receive = append(c.Receive, model.Receiver[local, message]{Name: "receive busy", Accepts: busy.is,
			Do: receiveBusy})
		c.Notice = &model.Notice[local, message]{Name: "notify", Do: a.notify}
	}
	if a.case2 == "fd" {
		// the failure detector: it excludes a step that takes a live node for dead
		c.History.Step = func(_ *model.None, e model.Event) bool { return model.Set(e.Note)&^e.Dead == 0 }
		c.History.Guards = true
	}
	return c
}

func (a *algorithm) steps() []model.Handler[local, message] {
	const figure = "Figure 1"
	steps := []model.Handler[local, message]{
		{Name: "start", Source: figure, Request: true, Do: a.start},
		{Name: "exit", Do: a.exit},
	}
	if a.gather {
		steps = append(steps,
			model.Handler[local, message]{Name: "extend", Source: figure, Do: a.extend},
			model.Handler[local, message]{Name: "enter", Source: figure, Do: a.enter})
		if a.repaired {
			steps = append(steps, model.Handler[local, message]{Name: "withdraw", Do: a.withdraw})
		}
		return steps
	}
	steps = append(steps, model.Handler[local, message]{Name: "probe-return", Source: figure,
		Do: a.probeReturn})
	if a.case2 == "fd" {
		steps = append(steps, model.Handler[local, message]{
			Name: "probe-return on crashes", Source: figure, Do: a.probeReturnDown,
		})
	}
	return steps
}

func (a *algorithm) properties(nw model.Network) []model.Property[global] {
	exclusive := claims.Always("exclusive", "no node is in the sets R of two requesters in the critical "+
		"section", disjoint(quorumsInCS)).From(paper + ", section 3")
	exclusive.Clear = empty(quorumsInCS)
	return slices.Concat([]model.Property[global]{
		a.units(a.K, paper+", section 3"),
		exclusive,
		oneGrant(),
		every("has-quorums", "in the critical section R contains h disjoint quorums",
			func(l *requester) bool { return l.State != cs || a.Contains(l.R, int(l.H)) }).
			From(paper + ", section 3"),
		every("returned-held", "the grants that Probe has returned are still held",
			func(l *requester) bool { return l.R&^l.G == 0 }).From(paper + ", Figure 1"),
		cleanEnd("no node is locked", paper+", section 4"),
		claims.LocallyElse("it uses a cohort that is not among the last h", "best-primaries",
			"R takes its primary cohorts among the last h, as it does without failures and conflicts",
			func(l *local) bool { return quorumsInCS(&l.Requester)&^a.last(int(l.Requester.H)) == 0 }).
			From(paper + ", section 4").MootIf(invariants.Because(len(a.h) > 1 || nw.Crashes > 0,
			"section 4 claims it of runs without conflicts and failures")),
		a.deadlockFree(a.can, paper+", section 3"),
		a.allServed(a.can),
	}, a.costs(a.messages()))
}

func (a *algorithm) can(up model.Set, l *requester) bool { return a.Contains(a.Nodes()&up, int(l.H)) }

// messages returns section 4's bounds on the messages of a request: 3ch in the best
// case, where ch is the size of the last h cohorts, for the smallest h of a requester;
// and 6n.
func (a *algorithm) messages() (least, most int, source string) {
	return 3 * a.last(slices.Min(a.h)).Len(), 6 * a.Nodes().Len(), paper + ", section 4"
}

// oneGrant is the reason why h disjoint quorums exclude other requesters.
func oneGrant() model.Property[global] {
	p := claims.Always("one-grant", "no two requesters hold the grant of one node", disjoint(grants)).
		From(paper + ", section 2, on the earlier algorithm")
	p.Clear = empty(grants)
	return p
}

func grants(l *requester) model.Set { return l.G }

// quorumsInCS is R in the critical section, and otherwise empty.
func quorumsInCS(l *requester) model.Set {
	if l.State != cs {
		return 0
	}
	return l.R
}

// every is an invariant of all live requesters.
func every(name, doc string, holds func(l *requester) bool) model.Property[global] {
	return claims.Locally(name, doc, func(l *local) bool { return holds(&l.Requester) })
}

// disjoint is the property that no node is in the sets of two live requesters.
func disjoint(of func(l *requester) model.Set) func(*global) bool {
	return func(g *global) bool {
		var seen model.Set
		for p := range (model.All(g.N) &^ g.Dead).Each() {
			s := of(&g.Local(p).Requester)
			if s&seen != 0 {
				return false
			}
			seen |= s
		}
		return true
	}
}

// empty is Property.Clear of disjoint.
func empty(of func(l *requester) model.Set) func(*global, model.Proc) bool {
	return func(g *global, p model.Proc) bool { return of(&g.Local(p).Requester) == 0 }
}

func (a *algorithm) last(h int) (nodes model.Set) {
	for _, c := range a.Cohorts[max(0, len(a.Cohorts)-h):] {
		nodes |= c
	}
	return nodes
}
