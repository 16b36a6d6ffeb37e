package cohorts

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
)

// local is the state of a process, a requester or a node.
type local struct {
	Node      bool
	Requester requester
	Arbiter   arbiter
	Down      model.Set // mode=repaired: of the others who have crashed, as it was notified
}

// begin returns the initial states of r requesters and of nodes behind them.
func begin(r int) func(model.Proc) local {
	return func(p model.Proc) local { return local{Node: int(p) >= r} }
}

// crash leaves nothing but what kind of process it was.
func crash(_ model.Proc, l *local) { *l = local{Node: l.Node} }

// units: a requester in the critical section uses what it asked for.
func (l *local) units() int {
	if l.Requester.State == cs {
		return int(l.Requester.H)
	}
	return 0
}

// Vars lists the variables that the process has.
func (l local) Vars(names model.Names) []model.Var {
	if l.Node {
		return []model.Var{
			{Name: "lock", Value: l.Arbiter.Lock.show(names)},
			{Name: "queue", Value: l.Arbiter.Queue.show(names)},
			{Name: "inquired", Value: fmt.Sprint(l.Arbiter.Inquired)},
			{Name: "clock", Value: fmt.Sprint(l.Arbiter.Clock)},
		}
	}
	r := l.Requester
	return []model.Var{
		{Name: "state", Value: [...]string{"idle", "probe", "CS"}[r.State]},
		{Name: "round", Value: fmt.Sprint(r.Round)},
		{Name: "ts", Value: fmt.Sprint(r.TS)},
		{Name: "clock", Value: fmt.Sprint(r.Clock)},
		{Name: "i", Value: fmt.Sprint(r.Index)},
		{Name: "g", Value: fmt.Sprint(r.Left)},
		{Name: "G", Value: r.G.Format(names.First)},
		{Name: "R", Value: r.R.Format(names.First)},
		{Name: "P", Value: r.P.Format(names.First)},
	}
}
