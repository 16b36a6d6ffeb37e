package vcube

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// KMutex is the model vcube-kmutex.
var KMutex = model.Spec{
	Name:   "vcube-kmutex",
	Title:  "k-mutual exclusion (Algorithm 7.1) over one-to-all sending",
	Source: paper + ", section 7",
	Doc: "A process enters with the permission of all but k of the processes that it considers correct; a " +
		"crash takes a permission back.",
	Params: slices.Concat([]param.Param{
		param.Number("n", "number of processes, p0..p(n-1)", 3, 1, model.FewProcs), variant,
		param.Choice("request", "the steps of lines 9-14: atomic, one; blocked, 9-12 and 13-14; line, "+
			"9-12, 13 and 14; count-first, 9-12 with 14, and 13; default: atomic, repaired count-first",
			"atomic", "blocked", "line", "count-first").Else(""),
		param.Choice("crash-order", "the steps of lines 36-38: atomic, one; printed, 36-37 and 38; "+
			"swapped, 38 and 36-37", "atomic", "printed", "swapped"),
	}, mutexParams, param.Network("subset"), []param.Param{param.Fairness}),
	Build: buildKMutex,
	Paper: heading,
}

// mutexParams declares the parameters of Algorithm 7.1 besides its readings.
var mutexParams = []param.Param{
	{Name: "k", Doc: "units: how many may be executing at once; at most n", Default: "1",
		Type: param.ProcCount(1)},
	{Name: "rounds", Doc: "how often each process requests", Default: "1", Type: param.PerProcess(0,
		15).Staged(param.OneOf("inf"))},
	{Name: "requesters", Doc: "the processes that request, if rounds= is one number; default: all",
		Type: param.Processes},
}

// newMutex reads the parameters of Algorithm 7.1.
func newMutex(a *model.Args, n int, dead model.Set) *mutex {
	read(a, "request", "atomic", "count-first")
	x := &mutex{n: n, k: a.Int("k"), dead: values.GroupOf(dead), strict: a.Is("variant", "repaired"),
		order:  crashOrder(slices.Index([]string{"atomic", "printed", "swapped"}, a.String("crash-order"))),
		rounds: a.PerProcess("rounds", n)}
	switch {
	case x.k > n:
		a.Reject("k", fmt.Sprintf("allowed: 1 to n=%d", n))
	case x.strict && x.order == swappedCrash:
		a.Reject("crash-order", "with variant=repaired allowed are atomic and printed")
	case !a.Given("requesters"):
	case strings.Contains(a.String("rounds"), ","):
		a.Reject("requesters", "allowed together with one number for rounds=, which says for each process "+
			"already how often it requests")
	default:
		only(a.Processes("requesters", n, names.First), x.rounds)
	}
	return x
}

// exclusion is Algorithm 7.1 by itself, over one-to-all sending.
type exclusion struct {
	*mutex
	parts []part // of procedure Request
}

func buildKMutex(a *model.Args) (model.Instance, error) {
	n := a.Int("n")
	nw := network(a, n)
	x := newMutex(a, n, nw.Dead)
	c := exclusion{x, splits[a.String("request")]}.composition(nw)
	if x.strict {
		c.Receive = append(c.Receive, x.inside())
	}
	c.Fair(a.String("fairness"))
	return model.Compose(c), nil
}

func (x exclusion) composition(nw model.Network) model.Composition[mutexState, message, model.None] {
	return model.Composition[mutexState, message, model.None]{
		N:     x.n,
		Names: names,
		Init:  x.init,
		Local: x.steps(),
		Receive: []model.Receiver[mutexState, message]{
			{Name: "receive REQUEST", Source: "lines 23-29", Accepts: kindRequest.is, Do: whole(func(i,
				_ model.Proc, m message, l *mutexState, out *outbox) bool {
				x.receive(i, m.m, l, out)
				return true
			})},
			{Name: "receive REPLY", Source: "lines 30-34", Accepts: kindReply.is, Do: whole(x.receiveReply)},
		},
		Notice:   &model.Notice[mutexState, message]{Name: "notify", Source: "lines 35-38", Do: x.notify},
		Capacity: x.k,
		Forget:   x.forget,
		Units:    values.One((*mutexState).executes),
		Network:  nw,
		Properties: mutexProperties[mutexState, model.None](x.mutex,
			func(l *mutexState) *mutexState { return l },
			x.n-1, x.most(2)), // REQUESTs, and at most as many REPLYs
	}
}

// inside is the receiver of the message that variant=repaired adds.
func (x *mutex) inside() model.Receiver[mutexState, message] {
	return model.Receiver[mutexState, message]{Name: "receive INSIDE", Accepts: kindInside.is,
		Do: whole(x.receiveInside)}
}

// most is the largest number of messages of a request, where the printed algorithm has each of them for each
// other process. With variant=repaired each other process may send INSIDE in addition.
func (x *mutex) most(each int) int {
	if x.strict {
		each++
	}
	return each * (x.n - 1)
}

// steps are the local steps; a procedure that is divided has one for each part.
func (x exclusion) steps() []model.Handler[mutexState, message] {
	steps := []model.Handler[mutexState, message]{
		{Name: "request", Source: "lines 8-14", Kind: model.Spontaneous, Request: true,
			Do: func(i model.Proc, l *mutexState, out *outbox) bool {
				return x.begin(i, l, x.parts, x.toAll(i, out))
			}},
		{Name: "enter", Source: "lines 15-16", Do: x.enters},
		{Name: "release", Source: "lines 17-22", Do: func(i model.Proc, l *mutexState, out *outbox) bool {
			return l.Half == 0 && x.releases(i, l, out)
		}},
	}
	if len(x.parts) > 1 {
		steps = append(steps, model.Handler[mutexState, message]{Name: "request, next part",
			Source: "lines 13-14", Do: func(i model.Proc, l *mutexState, out *outbox) bool {
				return x.resume(i, l, x.parts, x.toAll(i, out))
			}})
	}
	if x.order != atomicCrash {
		steps = append(steps, model.Handler[mutexState, message]{Name: "notify, second half",
			Source: "lines 36-38", Do: x.finish})
	}
	return steps
}

func (l *mutexState) executes() bool { return l.State == executing }

// toAll sends to all other processes, correct or not.
func (x exclusion) toAll(i model.Proc, out *outbox) send {
	return func(m content) {
		for j := range model.Proc(x.n) {
			if j != i {
				out.Send(j, message{kind: kindRequest, m: m})
			}
		}
	}
}

// mutexProperties lists the claims about Algorithm 7.1 in any composition that contains it: of returns its
// part of a local state, and a request costs from least to most messages.
func mutexProperties[L, H any](x *mutex, of func(*L) *mutexState, least,
	most int) []model.Property[model.Global[L, message, H]] {
	type global = model.Global[L, message, H]
	var claims invariants.Of[L, message, H]
	all := invariants.Exclusion[L, message, H]{K: x.k, Rounds: x.rounds,
		Network: model.Network{Dead: x.dead.Set()},
		Waits:   func(l *L) bool { return of(l).State == requesting },
		Made:    func(_ model.Proc, l *L) int { return int(of(l).Made) }}
	main := all.Main("Lemma 7.2") // at-most-k, no-starvation, requests-served
	main[0].Source = "Lemma 7.1"
	// passed are the live processes whose smaller requests wait when i enters.
	passed := func(from *global, i model.Proc) (who model.Set) {
		mine := of(from.Local(i)).Last.Value()
		for j := range model.Proc(from.N) {
			l := of(from.Local(j))
			if from.Live(j) && l.State == requesting && values.Before(l.Last.Value(), j, mine, i) {
				who = who.With(j)
			}
		}
		return who
	}
	return slices.Concat(main, []model.Property[global]{
		claims.Step("fair-order", "no process enters while the smaller request of a live process waits",
			func(from *global, i model.Proc, _ *global) bool { return passed(from, i) == 0 }, "enter").
			From("Lemma 7.3").
			Blaming(func(name func(model.Proc) string, from *global, i model.Proc, _ *global) (model.Set,
				string) {
				return passed(from, i), name(i) + " enters, and a smaller request waits"
			}),
		claims.Without("permissions-exact", "at line 15 perm_count is the number of other correct processes "+
			"that owe no reply", func(_ func(model.Proc) string, i model.Proc, l *L) string {
			return of(l).miscount(i)
		}).From("section 7.2"),
		claims.Without("reply-count-natural", "no process gets more replies than it expects",
			func(name func(model.Proc) string, _ model.Proc, l *L) string {
				for j, count := range of(l).ReplyCount.Each() {
					if count < 0 {
						return "it expects no reply of " + name(j) + " and gets one"
					}
				}
				return ""
			}).From("section 7.1"),
		all.MessagesTotal(least, most).From("sections 1 and 8"),
	})
}

// miscount is the offence of i if perm_count is wrong where line 15 reads it: not the number of other correct
// processes of which i expects no reply.
func (l *mutexState) miscount(i model.Proc) string {
	if l.State != requesting || l.Part > 0 || l.Half > 0 {
		return ""
	}
	permissions := int32(0)
	for j := range l.Correct.Without(i).Each() {
		if l.ReplyCount.At(j) == 0 {
			permissions++
		}
	}
	if l.PermCount == permissions {
		return ""
	}
	return fmt.Sprintf("perm_count is %d; the number of processes that owe no reply is %d", l.PermCount,
		permissions)
}
