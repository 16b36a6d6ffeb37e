package vcube

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
	"github.com/atmostk/atmostk/specs/references"
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
	Build:      buildKMutex,
	References: references.Of("vcube-kmutex"),
	Paper:      heading,
}

// mutexParams declares the parameters of Algorithm 7.1 besides its readings.
var mutexParams = []param.Param{
	{Name: "k", Doc: "units: how many may be executing at once; at most n", Default: "1",
		Type: param.ProcCount(1)},
	{Name: "rounds", Doc: "how often each process requests", Default: "1", Type: param.PerProcess(0,
		15).Staged(param.OneOf("inf"))},
	{Name: "requesters", Doc: "the processes that request, if rounds= is one number; default: all",
		Default: "",
		Type:    param.Processes},
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
		Properties: mutexProperties[mutexState, model.None](x.mutex, func(l *mutexState) *mutexState {
			return l
		},
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
