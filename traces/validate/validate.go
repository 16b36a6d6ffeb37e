// Package validate checks the logs of a run: whether more units of a resource were in use at once than there
// are and, if a model is given, whether a run of it explains every line.
//
// Run reads and judges logs. Its Report has the verdict, and Findings with the reasons.
package validate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs/contract"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// Options say how logs are read and judged. The zero value checks that at most one unit is in use at once.
type Options struct {
	formats.Options
	occupancy.Reading
	// Units has the number of units of each resource that may be in use at once; "" stands for all other
	// resources. Without "" the model has the number, or it is 1.
	Units map[string]int
	// Model returns the model for the header of the logs; a nil function or result means no model.
	Model func(formats.Header) (*Model, error)
	// Explain bounds the search for a run of the model. A negative Tail means 1 if a log ends in the middle
	// of a line, and 0 otherwise.
	Explain explain.Options
	// Properties are the names of the model's properties that have to hold in the run that explains the
	// logs; nil: Limits.
	Properties   []string
	Timeout      time.Duration // of that search; 0: none
	TimeoutReads bool          // Timeout is for reading and judging, too
	contracts    []contract.Contract
	// Whole, if not nil, is called when many events have to be kept in memory, and Read when the logs are
	// read and judged, before the search.
	Whole, Read func()
}

// A Model is the model of which the logs may be a run.
type Model struct {
	Name     string
	Instance model.Instance
}

// Limits are the names of properties that bound the units in use.
var Limits = []string{"at-most-k", "units", "mutex", "mutual-exclusion"}

// A Report is the judgement of the logs of one run.
type Report struct {
	Log *order.Log
	K   int // units that may be in use at once; 0: unknown
	// Uses has the use of each resource, the worst first, and Use is the first of them; nil: the log
	// contradicts itself.
	Uses []*occupancy.Occupancy
	Use  *occupancy.Occupancy
	// Model is the model of the log; nil: none. Explanation is the result of the search for a run of it, in
	// which each node may have lost Tail lines at the end; nil: no search.
	Model       *Model
	Explanation *explain.Report
	Tail        int

	opt Options
}

// Run reads and judges the logs of one run. It is an error if they cannot be read, or do not fit the model.
func Run(ctx context.Context, files []string, opt Options) (*Report, error) {
	if opt.TimeoutReads && opt.Timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, opt.Timeout)
		defer cancel()
		ctx = limited
	}
	opt.Stop = func() bool { return ctx.Err() != nil }
	r := &Report{opt: opt}
	judging := occupancy.Judging{Reading: opt.Reading, Whole: opt.Whole,
		Units: func(h formats.Header) (func(string) int, error) { return r.bound, r.setModel(h) }}
	log, uses, err := occupancy.Judge(files, opt.Options, judging)
	if err != nil {
		return nil, err
	}
	if opt.Read != nil {
		opt.Read()
	}
	if err := r.rank(log, uses); err != nil {
		return nil, err
	}
	return r, r.explain(ctx)
}

// Judged returns the report on logs that were judged without a model.
func Judged(log *order.Log, uses []*occupancy.Occupancy, opt Options) (*Report, error) {
	r := &Report{opt: opt, K: opt.Unit("")}
	return r, r.rank(log, uses)
}

// Contract adds the contracts of some names, such as mutex. Units have to be set before.
func (o *Options) Contract(names ...string) (err error) {
	if o.contracts, err = contract.Read(names); err != nil {
		return err
	}
	o.Reading, err = contract.Reading(o.contracts, o.Reading, o.Units)
	o.Requests = o.Answers
	return err
}

// Unit returns the number of units of a resource that may be in use at once, without a model.
func (o *Options) Unit(resource string) int {
	if k, given := o.Units[resource]; given {
		return k
	}
	return max(o.Units[""], 1)
}

// setModel finds the model and K for the header of the logs.
func (r *Report) setModel(h formats.Header) (err error) {
	if r.opt.Model != nil {
		if r.Model, err = r.opt.Model(h); err != nil {
			return err
		}
	}
	if r.K = max(r.opt.Units[""], 1); r.opt.Units[""] < 1 && r.Model != nil {
		r.K = r.Model.Instance.Capacity
	}
	return nil
}

// bound returns the number of units of a resource that may be in use at once.
func (r *Report) bound(resource string) int {
	k, given := r.opt.Units[resource]
	switch {
	case given:
		return k
	case r.K == 0:
		return math.MaxInt
	}
	return r.K
}

// rank sets Log, Uses and Use, with the worst resource first. An option may exclude that lines are missing.
func (r *Report) rank(log *order.Log, uses []*occupancy.Occupancy) error {
	r.Log = log
	switch {
	case log.Contradictory():
	case r.unnamed():
		r.Use = &occupancy.Occupancy{K: r.K, Exact: true}
	default:
		r.Uses = uses
		slices.SortStableFunc(uses, func(a, b *occupancy.Occupancy) int { return outcome(b) - outcome(a) })
		r.Use = uses[0]
	}
	for i := range log.Findings {
		switch f := &log.Findings[i]; {
		case r.opt.Strict && f.Missing():
			return unusable(f.Places[0], "%s; %s refuses that", f.Text, usage.Option("strict"))
		case r.opt.Complete && f.Missing():
			return unusable(f.Places[0], "%s; %s excludes that", f.Text, usage.Option("assume complete"))
		}
	}
	return nil
}

// unnamed reports whether the names of the model's actions do not show holdings. Then only the run of the
// model shows them.
func (r *Report) unnamed() bool {
	if r.Model == nil || r.opt.NoModel {
		return false
	}
	var names []string
	for _, act := range r.Model.Instance.Space.Actions() {
		if act.Kind != model.Spontaneous { // a request is no acquisition
			names = append(names, act.Name)
		}
	}
	return !formats.HasHoldings(names)
}

func unusable(at formats.Place, format string, a ...any) error {
	return &formats.InputError{Place: at, Why: usage.Textf(format, a...)}
}

// broken reports whether a resource is violated in every order of events.
func broken(u *occupancy.Occupancy) bool {
	breach := func(f formats.Finding) bool { // a wrong unit of leases ends them too early
		return f.Breach() && (f.Kind != formats.AfterLease || u.ShortLeases == 0)
	}
	return u.Count > 0 || u.Tokens != nil && u.Tokens.Count > 0 || slices.ContainsFunc(u.Breaches, breach)
}

// Outcomes of a resource, the worst last.
const (
	nothing = iota // no node holds it
	fine
	doubtful
	violated
)

func outcome(u *occupancy.Occupancy) int {
	switch {
	case broken(u):
		return violated
	case u.Possible != nil || !u.Exact || u.ShortLeases > 0 || len(u.Breaches) > 0:
		return doubtful
	case u.Holdings == 0:
		return nothing
	}
	return fine
}

// has reports whether the reader found something of a kind.
func (r *Report) has(kind formats.Kind) bool {
	return slices.ContainsFunc(r.Log.Findings, func(f formats.Finding) bool { return f.Kind == kind })
}

// Ambiguous reports whether the log may be about several locks that are judged as one.
func (r *Report) Ambiguous() bool { return len(r.Log.Hints) > 0 }

// Verdict is Rejected if every run that fits the log is wrong, or no run fits; Accepted if every such run is
// right; otherwise Undecided.
func (r *Report) Verdict() explain.Verdict {
	x := r.Explanation
	switch {
	case r.Use == nil || broken(r.Use) && !r.Ambiguous(),
		x != nil && (x.Verdict == explain.Rejected || x.Verdict == explain.Accepted && r.Violates()):
		return explain.Rejected
	case x != nil && x.Verdict == explain.Accepted && !r.stricter() &&
		(x.Vacuity.Crashes > 0 || !r.has(formats.Restart)): // a restart is no step of the run
		return explain.Accepted
	case x != nil || outcome(r.Use) != fine || r.guessed() != "":
		return explain.Undecided
	}
	return explain.Accepted
}

// stricter reports whether the options have a rule that the model lacks, and that some order breaks: fewer
// units, or a contract.
func (r *Report) stricter() bool {
	return r.Use.Possible != nil && r.Use.K < r.Model.Instance.Capacity || len(r.Use.Breaches) > 0
}

// Of is the verdict on one resource, without the model; Accepted if no node holds it.
func (r *Report) Of(u *occupancy.Occupancy) explain.Verdict {
	switch {
	case broken(u) && !r.Ambiguous():
		return explain.Rejected
	case outcome(u) == doubtful && (r.Explanation == nil || r.stricter()):
		return explain.Undecided
	}
	return explain.Accepted
}

// explain looks for a run of the model that explains the log, unless the log contradicts itself.
func (r *Report) explain(ctx context.Context) error {
	if r.Model == nil || r.opt.NoModel || r.Log.Contradictory() {
		return nil
	}
	h := r.Log.History()
	if h == nil || len(h.Events) == 0 {
		return nil
	}
	if err := r.unknownNodes(); err != nil {
		return err
	}
	opt := r.opt.Explain
	if opt.Tail < 0 {
		opt.Tail = map[bool]int{true: 1}[r.has(formats.Torn)]
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.opt.Timeout, math.MaxInt64))
	defer cancel()
	x, err := explain.Run(ctx, r.Model.Instance, h, opt)
	if err != nil {
		return fmt.Errorf("%s does not fit the log: %w", r.Model.Name, err)
	}
	r.Explanation, r.Tail = x, opt.Tail
	twice := x.Verdict != explain.Rejected && r.has(formats.Nested)
	for _, u := range r.Uses { // by the run, units of a process that enters again need not add up
		if !twice || u.Count == 0 || max(x.Vacuity.Inside, r.Model.Instance.Capacity) > u.K {
			continue
		}
		u.Possible, u.Count, u.Definite = &u.Definite[0], 0, nil
		if x.Verdict == explain.Accepted {
			u.Possible, u.Certainly, u.Possibly = nil, x.Vacuity.Inside, u.K
			r.Log.Findings = slices.DeleteFunc(r.Log.Findings,
				func(f formats.Finding) bool { return f.Kind == formats.Nested })
		}
	}
	return nil
}

// unknownNodes returns an error for a node that is not a process of the model.
func (r *Report) unknownNodes() error {
	if r.Model.Instance.Interp == nil {
		return nil
	}
	names := r.Model.Instance.Interp.Names
	for _, node := range r.Log.Nodes {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, node) }) {
			return unusable(r.Log.Where(node), "%s has no process %q%s; it has %s (%s renames nodes)",
				r.Model.Name, node, usage.Nearest(node, names), strings.Join(names, ", "),
				usage.Option("mapping"))
		}
	}
	return nil
}

// Violates reports whether the run that explains the log violates a property that has to hold.
func (r *Report) Violates() bool {
	return slices.ContainsFunc(r.Explanation.Properties, func(p explain.Property) bool {
		return violates(&p) && r.required(p.Name)
	})
}

// violates reports whether the run violates a property. A goal that is reached is not violated.
func violates(p *explain.Property) bool {
	return p.Judged && p.Violated && p.Kind != model.Reachable
}

// required reports whether the log is rejected if a property is violated.
func (r *Report) required(property string) bool {
	if r.opt.Properties == nil {
		return slices.Contains(Limits, property)
	}
	return slices.Contains(r.opt.Properties, property)
}
