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

// reports is the folder of the reports on instances of families.
const reports = "reports"

// report is the file of the report on an instance: the same for the same question to the same program.
func (j Job) report() string {
	j.About, j.Lost = nil, 0
	b, err := json.Marshal(j)
	if err != nil {
		panic(err) // it consists of strings and numbers
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// One is the workflow of an instance of a family.
func One(ctx workflow.Context, j Job) (f *Findings, err error) {
	ctx = workflow.WithActivityOptions(ctx, activities(&j))
	err = workflow.ExecuteActivity(ctx, (*Worker).Explore, j).Get(ctx, &f)
	return f, err
}

// Explore explores an instance in memory, unless its report is kept already.
func (w *Worker) Explore(ctx context.Context, j Job) (*Findings, error) {
	return task(ctx, w, &j, func(ctx context.Context, files store.Files) (*Findings, error) {
		f := &Findings{}
		b, err := readFile(files, j.report())
		if err == nil && json.Unmarshal(b, f) == nil && f.Report != nil {
			return f, nil
		}
		in, err := instantiate(j.Args)
		if err != nil {
			return nil, err
		}
		opt := explore.Options{
			Properties: j.Properties, KeepGoing: j.Limits.KeepGoing, OutOfReach: j.OutOfReach,
			Reduce: j.Reduce, MaxStates: j.Limits.MaxStates, MaxDepth: j.Limits.MaxDepth,
			Workers: w.Workers, Memory: w.Memory,
		}
		if explore.Digest(in, opt) != j.Model {
			return nil, otherModel(&j)
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
		if b, err = json.Marshal(f); err != nil {
			return nil, err
		}
		return f, writeFile(files, j.report(), b)
	})
}

// Findings are a report that can be sent: it has codes in place of states.
type Findings struct {
	Report *explore.Report   `json:"report"`
	Codes  [][]protocol.Code `json:"codes"` // by run of the report, and step
}

// runs are the runs in a report, always in the same order.
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

// pack turns a report into one that can be sent. The report must not be used afterwards.
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
		return nil, fmt.Errorf("%w: %d runs with codes of %d", explore.ErrInternal, len(all), len(f.Codes))
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
		return fmt.Errorf("%w: a run of %d states with %d codes", explore.ErrInternal, len(run), len(codes))
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
			return fmt.Errorf("%w: a run of another process is impossible at step %d", explore.ErrInternal, i)
		}
	}
	return nil
}
