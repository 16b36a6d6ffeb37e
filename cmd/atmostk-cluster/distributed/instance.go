package distributed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"go.temporal.io/sdk/workflow"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
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
	err = workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, activities(&e.Job)), (*Worker).Explore,
		e).
		Get(ctx, &f)
	return f, err
}

// Explore explores an instance, unless its report is there already.
func (w *Worker) Explore(ctx context.Context, e Exploration) (*Findings, error) {
	return task(ctx, w, &e.Job, func(ctx context.Context, files store.Files) (*Findings, error) {
		if f := found(files, e.name()); f != nil {
			return f, nil
		}
		in, err := w.Instantiate(e.Job.Args)
		if err != nil {
			return nil, err
		}
		opt := explore.Options{
			Properties: e.Job.Properties, KeepGoing: e.Job.Limits.KeepGoing, OutOfReach: e.OutOfReach,
			Reduce:    e.Reduce,
			MaxStates: e.Job.Limits.MaxStates, MaxDepth: e.Job.Limits.MaxDepth, Workers: w.Workers,
			Memory: w.Memory,
		}
		if explore.Digest(in, opt) != e.Job.Model {
			return nil, usage.Errorf(
				"the model %s of this worker is another one than that of the question",
				&e.Job,
			)
		}
		w.Close() // the memory is for the search
		report, err := explore.Run(ctx, in, opt)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		f := pack(report)
		if !report.Complete && report.Verdict == explore.Unknown { // another worker may have more memory
			return f, nil
		}
		return f, keep(files, e.name(), f)
	})
}

// found returns what was found before; nil: nothing, or it cannot be read.
func found(files store.Files, name string) *Findings {
	r, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = r.Close() }() // nothing was written
	b, err := io.ReadAll(r)
	f := &Findings{}
	if err != nil || json.Unmarshal(b, f) != nil || f.Report == nil {
		return nil
	}
	return f
}

// keep writes down what was found.
func keep(files store.Files, name string, f *Findings) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	w, err := files.Create(name)
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return w.Commit()
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

// unpack returns the report, with the states of its runs: each run is executed by the plain semantics of
// the instance.
func (f *Findings) unpack(in model.Instance) (*explore.Report, error) {
	all := runs(f.Report)
	if len(all) != len(f.Codes) {
		return nil, fmt.Errorf(
			"%w: %d runs came with the codes of %d",
			explore.ErrInternal,
			len(all),
			len(f.Codes),
		)
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
		return fmt.Errorf(
			"%w: a run of %d states came with %d codes",
			explore.ErrInternal,
			len(run),
			len(codes),
		)
	}
	for i := range run {
		var ts []lts.Transition
		if i == 0 {
			ts = in.Plain.Init()
		} else {
			ts = in.Plain.Steps(run[i-1].State)
		}
		for k := range ts {
			t := &ts[k]
			if t.Next.Code() == codes[i] && (i == 0 || t.Text() == run[i].Text && t.Owner == run[i].Owner) {
				run[i].State = t.Next
				break
			}
		}
		if run[i].State == nil {
			return fmt.Errorf(
				"%w: a run that another process found is none at step %d",
				explore.ErrInternal,
				i,
			)
		}
	}
	return nil
}
