package ring

import (
	"fmt"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
)

const (
	title   = "Loukantchevsky, Distributed ring-based mutual exclusion with graceful degradation"
	paper   = title + ", FRI-ONLINE-1-CCT1-02, 2021"
	heading = title + ", 2021" // Spec.Paper
)

type property = model.Property[global]

func inCS(l *record) bool { return l.ME.InCS }

// tokens returns the number of tokens: under way, or with a process in its
// critical section.
func tokens(g *global) int {
	return g.Count(inCS) + underWay(g, func(m message) bool { return m.kind == token || m.kind == meToken })
}

func underWay(g *global, f func(m message) bool) int {
	return g.UnderWay(func(_, _ model.Proc, m message) bool { return f(m) })
}

// next returns the first message in the channel of p.
func next(g *global, p model.Proc) (m message, some bool) {
	for _, envelope := range g.Inbox(g.Local(p).Out.To) {
		if envelope.From == p {
			return envelope.M, true
		}
	}
	return m, false
}

// mutualExclusion is ME1.
func (r *ring) mutualExclusion() property {
	return claims.Always("mutual-exclusion", "at most one live process is in the critical section",
		func(g *global) bool { return g.Count(inCS) <= 1 }).From(paper + ", introduction, ME1").
		Blaming(claims.Guilty("they are inside together",
			func(g *global, p model.Proc) bool { return inCS(g.Local(p)) })).
		TrivialIf(invariants.Enough(1, r.rounds, nil, model.Network{}))
}

func oneToken() property {
	return claims.Always("one-token", "at most one token is under way or lets a process be in the critical "+
		"section", func(g *global) bool { return tokens(g) <= 1 }).From(paper + ", section 2, MrkME").
		Blaming(func(_ func(model.Proc) string, _ *global, _ model.Proc, g *global) (model.Set, string) {
			return 0, fmt.Sprintf("there are %d tokens", tokens(g))
		})
}

// requestsServed is ME2, for each of n processes.
func requestsServed(n int) property {
	return comesTo(n, func(l *record) bool { return l.ME.State == wanted },
		func(l *record) bool { return l.ME.State == held }).
		As("requests-served", "a process in WANTED comes to HELD, or crashes", paper+", introduction, ME2")
}

// inOrder is ME3, which needs numbered requests.
func inOrder(numbered bool) property {
	passed := func(g *global, l *record) bool {
		return l.ME.State == wanted &&
			g.Count(func(x *record) bool { return x.ME.InCS && x.ME.Ticket > l.ME.Ticket }) > 0
	}
	return claims.Always("me3", "no process is in the critical section while another waits whose request "+
		"was made earlier (tickets=on)", func(g *global) bool {
		return g.Count(func(l *record) bool { return passed(g, l) }) == 0
	}).From(paper + ", introduction, ME3").
		Blaming(claims.Guilty("an earlier request waits",
			func(g *global, p model.Proc) bool { return passed(g, g.Local(p)) })).
		MootIf(invariants.Because(!numbered, "requests are not numbered (tickets=off)"))
}

// bounded exceeds all numbers of messages that have a bound here: a larger number has no bound.
const bounded = 255

// requestCosts bounds the messages that a process sends from its request to its release: the token that it
// passes on, and after failures or with several elections their messages as well.
func requestCosts(calm bool) property {
	least, most := 0, bounded
	doc := "the messages that a process sends from its request to its release have a bound"
	if calm {
		least, most = 1, 1
		doc = "from its request to its release a process sends the token and nothing else"
	}
	return claims.Messages("enter", "release", least, most).As("messages", doc, paper+", introduction")
}

// recoveryCosts bounds the messages that a process sends from the detection that its neighbour is gone
// until a token comes to it.
func recoveryCosts() property {
	return claims.Messages("detect", "receive token", 0, bounded).As("recovery-messages",
		"the messages that a process sends from when it finds its neighbour gone until a token comes to it "+
			"have a bound", paper+", section 1")
}

// comesTo is the property that each of n processes, whenever it satisfies from, satisfies to then or later,
// or crashes.
func comesTo(n int, from, to func(l *record) bool) property {
	var ps []property
	for p := range model.Proc(n) {
		ps = append(ps, invariants.LeadsTo(
			func(g *global) bool { return g.Live(p) && from(g.Local(p)) },
			func(g *global) bool { return !g.Live(p) || to(g.Local(p)) }))
	}
	return invariants.Each(ps...)
}

// recoveryProperties are the properties of ring-recovery.
func (r *ring) recoveryProperties() []property {
	list := []property{
		r.mutualExclusion(),
		oneToken(),
		claims.Always("one-usable-token", "at most one token lets a process be in the critical section, or "+
			"is next to reach a process with MrkME OFF and a time",
			func(g *global) bool { return usableTokens(g) <= 1 }).
			From(paper + ", section 2, one and only one active token").
			Blaming(func(_ func(model.Proc) string, _ *global, _ model.Proc, g *global) (model.Set, string) {
				return 0, fmt.Sprintf("there are %d usable tokens", usableTokens(g))
			}),
		claims.DeadlockFreedom(paper + ", section 1"),
		claims.LocallyElse("it gives its channel up", "recoverable", "no process gives its channel up",
			func(l *record) bool { return l.CEH.Failure != unrecoverable }).
			From(paper + ", section 3, {UNRECOVERABLE FAILURE}"),
		claims.LocallyElse("it takes the head of its empty list", "no-pop-empty", "no process takes the "+
			"head of an empty list", func(l *record) bool { return l.CEH.Failure != poppedEmpty }).
			From(paper + ", section 3, OnOutputError"),
		claims.Always("min-k", "a ring of live processes that is closed has at least min-k of them",
			r.atLeastMinK).From(paper + ", section 1, (n-k)-resilience").
			Blaming(func(_ func(model.Proc) string, _ *global, _ model.Proc, g *global) (model.Set, string) {
				return 0, fmt.Sprintf("a ring is closed, and %d live", g.N-g.Dead.Len())
			}),
		claims.LocallyElse("it is RELEASED and knows no time", "no-lost-request", "no live process is "+
			"RELEASED without knowing the time, so that it would ignore a request", func(l *record) bool {
			return l.ME.State != released || l.ME.InCS || !r.ignores(l)
		}).From(paper + ", section 1, scheme 1"),
		r.resumes(), r.recovers(), r.halts(),
	}
	if r.degrades() {
		list = append(list, turnsOnward())
	}
	calm := r.scheme == 0 || r.crashes == 0 && r.breaks == 0
	list = append(list, requestCosts(calm && r.warm))
	if r.scheme > 0 {
		list = append(list, recoveryCosts().MootIf(invariants.Because(calm, "nothing fails")))
	}
	return append(list, r.recoveryLiveness()...)
}

// resumes is the claim of scheme 1 about the processes that have not failed.
func (r *ring) resumes() property {
	steps := []string{"connect", "rup-timeout", "receive rup", "receive election", "receive elected",
		"receive clear"}
	if r.scheme > 0 {
		steps = append(steps, "detect")
	}
	return claims.Step("resumes",
		"nothing in the recovery changes the state of Mx1ME of a process, once that is not INIT",
		func(from *global, by model.Proc, to *global) bool {
			was := &from.Local(by).ME
			return was.State == initial || to.Local(by).ME == *was
		}, steps...).From(paper + ", section 1, scheme 1").OnlyOnRequest(true).
		Blaming(claims.Acting(func(_ func(model.Proc) string, _ *global, _ model.Proc, _ *global) string {
			return "the recovery changes its Mx1ME"
		})).
		ExcusedBy("not every recovery takes each of these steps: from a warm start none is taken before a " +
			"failure, and RUP times out only where a rup is lost")
}

// turnsOnward is the claim of section 3 about the next candidate.
func turnsOnward() property {
	return claims.Step("turns-onward", "a process that replaces a neighbour that cannot be reached turns "+
		"to another process",
		func(from *global, by model.Proc, to *global) bool {
			was, is := from.Local(by), to.Local(by)
			return is.CEH.List == was.CEH.List || is.Out.To != was.Out.To
		}, "open-error").From(paper + ", section 3").OnlyOnRequest(true).
		Blaming(claims.Acting(func(name func(model.Proc) string, _ *global, by model.Proc,
			to *global) string {
			return "it turns to " + name(to.Local(by).Out.To) + " again"
		}))
}

// recovers is the goal of all recovery, where no process comes up again.
func (r *ring) recovers() property {
	return claims.Can("can-recover", "after all crashes that there may be the others are a closed ring "+
		"that was checked, name the largest, have one token and its time, and nothing else is under way",
		func(g *global) bool {
			return g.Dead.Len() == r.crashes && electionDone(g) && tokens(g) == 1 &&
				underWay(g, func(m message) bool { return m.kind == token }) == 1 &&
				underWay(g, func(message) bool { return true }) == 1 &&
				g.Count(func(l *record) bool {
					return l.Out.State != protocol.OpenLink || l.RUP != up || l.E.Participant || l.Mrk.On ||
						l.Mrk.Time == 0 || l.Mrk.Time != g.Local(l.Out.To).Mrk.Time
				}) == 0
		}).From(paper + ", section 1, scheme 2; figure 3").OnlyOnRequest(true)
}

// halts is the claim of scheme 1 about the whole system.
func (r *ring) halts() property {
	return claims.Step("halts", "no process enters the critical section while a process is down",
		func(from *global, by model.Proc, to *global) bool {
			return from.Dead == 0 || from.Local(by).ME.InCS || !to.Local(by).ME.InCS
		}, "receive token").From(paper + ", section 1, scheme 1").OnlyOnRequest(true).
		Blaming(claims.Acting(func(func(model.Proc) string, *global, model.Proc, *global) string {
			return "it enters while a process is down"
		})).
		MootIf(invariants.Because(r.crashes == 0 || r.scheme == 0, "no process crashes"))
}

// recoveryLiveness are the Liveness properties of ring-recovery.
func (r *ring) recoveryLiveness() []property {
	calm := invariants.Because(r.scheme == 0,
		"no process crashes (scheme=0), so that nothing has to be recovered")
	alone := invariants.Because(r.warm && r.crashes < 2,
		"it takes a crash during a round trip of the process itself: from a warm start two crashes")
	few := invariants.Because(r.minK < 2 || !r.degrades(),
		"a ring has a process, and no more are asked for (min-k), or the scheme does not shrink the ring")
	return []property{
		requestsServed(r.n),
		invariants.EventuallyAlways(r.atLeastMinK).As("min-k-stable",
			"from some point on no ring of fewer than min-k live processes is closed",
			paper+", section 1, (n-k)-resilience").MootIf(few),
		invariants.EventuallyAlways(electionDone).As("election-stable",
			"from some point on all live processes name the largest live id as the coordinator",
			paper+", introduction").ExcusedBy(calm),
		invariants.EventuallyAlways(func(g *global) bool { return tokens(g) == 1 }).As("token-stable",
			"from some point on there is exactly one token", paper+", section 2, MrkME").ExcusedBy(calm),
		invariants.AlwaysEventually(func(g *global) bool { return tokens(g) > 0 }).As("token-recurs",
			"again and again there is a token", paper+", section 2, MrkME").ExcusedBy(calm),
		invariants.EventuallyAlways(func(g *global) bool {
			return underWay(g, func(m message) bool {
				return (m.kind == rupToken || m.kind == election || m.kind == elected) && !g.Live(m.id.proc())
			}) == 0
		}).As("no-orphan",
			"from some point on no rup, election or elected of a dead process is under way",
			paper+", section 4").ExcusedBy(alone),
		comesTo(r.n, func(l *record) bool { return l.RUP == down },
			func(l *record) bool { return l.RUP == up }).
			As("rup-terminates", "a process with RUP DOWN comes to UP, or crashes", paper+", section 4").
			ExcusedBy(calm),
	}
}

func usableTokens(g *global) int {
	usable := g.Count(inCS)
	for p := range model.Proc(g.N) {
		if m, some := next(g, p); some && m.kind == token {
			if mrk := &g.Local(g.Local(p).Out.To).Mrk; !mrk.On && mrk.Time != 0 {
				usable++
			}
		}
	}
	return usable
}

// atLeastMinK judges states in which every live process's channel leads to a live one.
func (r *ring) atLeastMinK(g *global) bool {
	return !r.degrades() || g.N-g.Dead.Len() >= r.minK ||
		g.Count(func(l *record) bool { return l.Out.State != protocol.OpenLink }) > 0
}

func electionDone(g *global) bool {
	largest := id(0)
	for p := range (model.All(g.N) &^ g.Dead).Each() {
		largest = idOf(p)
	}
	return g.Count(func(l *record) bool { return l.E.Coordinator != largest }) == 0
}
