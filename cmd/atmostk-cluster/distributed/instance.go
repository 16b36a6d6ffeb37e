package distributed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"go.temporal.io/sdk/workflow"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// reports is the folder of what was found of instances of families.
const reports = "reports"

// An Exploration is an instance that one worker explores in memory.
type Exploration struct {
	Job        Job             `json:"job"` // Folder, Program, Model, Args, Properties, Limits
	OutOfReach bool            `json:"out-of-reach,omitempty"`
	Reduce     model.Reduction `json:"reduce"`
}

// name is the file of what was found: the same for the same question to the same program.
func (e Exploration) name() string {
	e.Job.About, e.Job.Lost = nil, 0
	b, err := json.Marshal(e)
	if err != nil {
		panic(err) // there are strings and numbers in it
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16]) + ".json"
}

// One is the workflow of an Exploration.
func One(ctx workflow.Context, e Exploration) (f *Findings, err error) {
	ctx = workflow.WithActivityOptions(ctx, activities(&e.Job))
	err = workflow.ExecuteActivity(ctx, (*Worker).Explore, e).Get(ctx, &f)
	return f, err
}

// Explore explores an instance, unless its report is kept already.
func (w *Worker) Explore(ctx context.Context, e Exploration) (*Findings, error) {
	return task(ctx, w, &e.Job, func(ctx context.Context, files store.Files) (*Findings, error) {
		f := &Findings{}
		if b, err := readFile(files, e.name()); err == nil && json.Unmarshal(b, f) == nil && f.Report != nil {
			return f, nil
		}
		in, err := instantiate(e.Job.Args)
		if err != nil {
			return nil, err
		}
		opt := explore.Options{
			Properties: e.Job.Properties, KeepGoing: e.Job.Limits.KeepGoing, OutOfReach: e.OutOfReach,
			Reduce: e.Reduce, MaxStates: e.Job.Limits.MaxStates, MaxDepth: e.Job.Limits.MaxDepth,
			Workers: w.Workers, Memory: w.Memory,
		}
		if explore.Digest(in, opt) != e.Job.Model {
			return nil, otherModel(&e.Job)
		}
		w.Close() // the memory is for the search
		report, err := explore.Run(ctx, in, opt)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		f = pack(report)
		if !report.Complete && report.Verdict == explore.Unknown { // another worker may have more memory
			return f, nil
		}
		b, err := json.Marshal(f)
		if err != nil {
			return nil, err
		}
		return f, writeFile(files, e.name(), b)
	})
}

// Findings are a report that can be sent: instead of states there are their codes.
type Findings struct {
	Report *explore.Report   `json:"report"`
	Codes  [][]protocol.Code `json:"codes"` // per run in the report, and step of it
}

// runs are the runs in a report, in an order of their own.
func runs(r *explore.Report) (all []*[]explore.Step) {
	for i := range r.Properties {
		p := &r.Properties[i]
		all = append(all, &p.Path)
		for _, x := range []*explore.Extreme{p.Least, p.Most} {
			if x != nil {
				all = append(all, &x.Path)
			}
		}
	}
	if r.Mistake != nil {
		all = append(all, &r.Mistake.Path)
	}
	return all
}

// pack makes a report one that can be sent. It must not be used any more.
func pack(r *explore.Report) *Findings {
	f := &Findings{Report: r}
	for _, run := range runs(r) {
		codes := make([]protocol.Code, len(*run))
		for i := range *run {
			codes[i] = (*run)[i].State.Code()
			(*run)[i].State = nil
		}
		f.Codes = append(f.Codes, codes)
	}
	return f
}

// unpack returns the report with the states of its runs: the interpreter of the instance executes each run.
func (f *Findings) unpack(in model.Instance) (*explore.Report, error) {
	all := runs(f.Report)
	if len(all) != len(f.Codes) {
		return nil, fmt.Errorf("%w: %d runs came with the codes of %d", explore.ErrInternal, len(all), len(f.Codes))
	}
	for k, run := range all {
		if err := execute(in, *run, f.Codes[k]); err != nil {
			return nil, err
		}
	}
	return f.Report, nil
}

// execute finds the states of a run.
func execute(in model.Instance, run []explore.Step, codes []protocol.Code) error {
	if len(run) != len(codes) {
		return fmt.Errorf("%w: a run of %d states came with %d codes", explore.ErrInternal, len(run), len(codes))
	}
	for i := range run {
		ts := in.Plain.Init
		if i > 0 {
			ts = func() []lts.Transition { return in.Plain.Steps(run[i-1].State) }
		}
		for _, t := range ts() {
			if t.Next.Code() == codes[i] && (i == 0 || t.Text() == run[i].Text && t.Owner == run[i].Owner) {
				run[i].State = t.Next
				break
			}
		}
		if run[i].State == nil {
			return fmt.Errorf("%w: another process found a run that is not one at step %d", explore.ErrInternal, i)
		}
	}
	return nil
}
