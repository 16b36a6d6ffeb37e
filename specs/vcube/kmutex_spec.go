package vcube

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/values"
)

// KMutex is the model vcube-kmutex.
var KMutex = model.Spec{
	Name:   "vcube-kmutex",
	Title:  "k-mutual exclusion (Algorithm 7.1) over one-to-all sending",
	Source: paper + ", section 7",
	Doc: "A process enters with the permission of all but k of the processes that it considers correct; " +
		"a crash takes a permission back.",
	Params: slices.Concat([]param.Param{
		{Name: "n", Doc: "number of processes, p0..p(n-1)", Default: "3", Type: param.IntRange(1,
			model.FewProcs)},
		variant,
		{Name: "request", Doc: "the steps of lines 9-14: atomic, one; blocked, 9-12 and 13-14; line, 9-12, " +
			"13 and 14; count-first, 9-12 with 14, and 13; default: atomic, repaired count-first",
			Type: param.OneOf("atomic", "blocked", "line", "count-first")},
		{Name: "crash-order", Doc: "the steps of lines 36-38: atomic, one; printed, 36-37 and 38; " +
			"swapped, 38 and 36-37", Default: "atomic", Type: param.OneOf("atomic", "printed", "swapped")},
	}, mutexParams, param.Network("subset"), []param.Param{param.Fairness}),
	Build:      buildKMutex,
	References: kmutexReferences,
	Paper:      heading,
}

// mutexParams declares the parameters of Algorithm 7.1 besides its readings.
var mutexParams = []param.Param{
	{Name: "k", Doc: "units: how many may be executing at once; at most n", Default: "1",
		Type: param.ProcCount(1)},
	{Name: "rounds", Doc: "how often each process requests", Default: "1", Type: param.PerProcess(0,
		15).Staged(param.OneOf("inf"))},
	{Name: "requesters", Doc: "who requests, if rounds= is one number; default: all", Default: "",
		Type: param.Processes},
}

// newMutex reads the parameters of Algorithm 7.1.
func newMutex(a *model.Args, n int, dead model.Set) (*mutex, error) {
	if err := read(a, reading{"request", "atomic", "count-first"}); err != nil {
		return nil, err
	}
	x := &mutex{n: n, k: a.Int("k"), dead: values.GroupOf(dead), strict: a.Is("variant", "repaired")}
	if x.k > n {
		return nil, a.Reject("k", a.String("k"), fmt.Sprintf("allowed: 1 to n=%d", n))
	}
	x.order = crashOrder(slices.Index([]string{"atomic", "printed", "swapped"}, a.String("crash-order")))
	if x.strict && x.order == swappedCrash {
		return nil, a.Reject("crash-order", "swapped", "with variant=repaired allowed are atomic and printed")
	}
	var err error
	if x.rounds, err = a.PerProcess("rounds", n); err != nil || !a.Given("requesters") {
		return x, err
	}
	if strings.Contains(a.String("rounds"), ",") {
		return nil, a.Reject("requesters", a.String("requesters"),
			"allowed together with one number for rounds=, which says for each process already how "+
				"often it requests")
	}
	requesters, err := a.Processes("requesters", n, names.First)
	for p := range x.rounds {
		if !requesters.Has(model.Proc(p)) {
			x.rounds[p] = 0
		}
	}
	return x, err
}

// exclusion is Algorithm 7.1 by itself, over one-to-all sending.
type exclusion struct {
	*mutex
	parts []part // of procedure Request
}

func buildKMutex(a *model.Args) (model.Instance, error) {
	n := a.Int("n")
	nw, err := network(a, n)
	if err != nil {
		return model.Instance{}, err
	}
	x, err := newMutex(a, n, nw.Dead)
	if err != nil {
		return model.Instance{}, err
	}
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
			{Name: "receive REQUEST", Source: "lines 23-29", Accepts: isRequest, Do: whole(func(i,
				_ model.Proc, m message, l *mutexState, out *outbox) bool {
				x.receive(i, m.m, l, out)
				return true
			})},
			{Name: "receive REPLY", Source: "lines 30-34", Accepts: isReply, Do: whole(x.receiveReply)},
		},
		Notice:   &model.Notice[mutexState, message]{Name: "notify", Source: "lines 35-38", Do: x.notify},
		Capacity: x.k,
		Forget:   x.forget,
		Units:    mutexUnits,
		Network:  nw,
		Properties: mutexProperties[mutexState, model.None](x.mutex, func(l *mutexState) *mutexState {
			return l
		},
			x.n-1, x.most(2)), // REQUESTs, and at most as many REPLYs
	}
}

// inside is the receiver of the message that variant=repaired adds.
func (x *mutex) inside() model.Receiver[mutexState, message] {
	return model.Receiver[mutexState, message]{Name: "receive INSIDE", Accepts: isInside,
		Do: whole(x.receiveInside)}
}

// most is how many messages a request costs at most, when it is so many of each other process
// as printed. With variant=repaired each other process may say in addition that it is inside.
func (x *mutex) most(each int) int {
	if x.strict {
		each++
	}
	return each * (x.n - 1)
}

// steps are the local steps; those of divided procedures only where they are divided.
func (x exclusion) steps() []model.Handler[mutexState, message] {
	steps := []model.Handler[mutexState, message]{
		{Name: "request", Source: "lines 8-14", Kind: model.Spontaneous, Request: true, Do: x.begin},
		{Name: "enter", Source: "lines 15-16", Do: x.enters},
		{Name: "release", Source: "lines 17-22", Do: func(i model.Proc, l *mutexState, out *outbox) bool {
			return l.Half == 0 && x.releases(i, l, out)
		}},
	}
	if len(x.parts) > 1 {
		steps = append(steps, model.Handler[mutexState, message]{Name: "request, next part",
			Source: "lines 13-14", Do: x.goOn})
	}
	if x.order != atomicCrash {
		steps = append(steps, model.Handler[mutexState, message]{Name: "notify, second half",
			Source: "lines 36-38", Do: x.finish})
	}
	return steps
}

// mutexUnits: a process that is executing uses one.
func mutexUnits(l *mutexState) int {
	if l.State == executing {
		return 1
	}
	return 0
}

func (x exclusion) begin(i model.Proc, l *mutexState, out *outbox) bool {
	if !x.mayRequest(i, l) {
		return false
	}
	x.mutex.begin(i, l, x.parts, x.toAll(i, out))
	return true
}

func (x exclusion) goOn(i model.Proc, l *mutexState, out *outbox) bool {
	if !x.interrupted(l) {
		return false
	}
	x.resume(i, l, x.parts, x.toAll(i, out))
	return true
}

// toAll sends to all other processes, whether they are correct or not.
func (x exclusion) toAll(i model.Proc, out *outbox) send {
	return func(m content) {
		for j := range model.Proc(x.n) {
			if j != i {
				out.Send(j, message{kind: kindRequest, m: m})
			}
		}
	}
}

var kmutexReferences = []model.Reference{
	{Args: "n=2 k=1 rounds=1,1 crashes=1 request=atomic crash-sends=subset", States: 242, Depth: 13,
		From: "contract"},
	{Args: "n=3 k=2 rounds=1,1,1 crashes=0 request=atomic", States: 27_125, Depth: 22, From: "contract"},
}
