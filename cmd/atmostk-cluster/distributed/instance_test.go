package distributed

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"gocloud.dev/blob/memblob"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model/usage"
)

// TestInstanceIsExploredOnce: the client gets the report that a worker made, with all runs, and asked
// again, the same report.
func TestInstanceIsExploredOnce(t *testing.T) {
	files := &Files{bucket: memblob.OpenBucket(nil)}
	defer func() { _ = files.Close() }()
	w := newTrial(t, files).workers[0]
	ask := func(j Job) (*Findings, error) {
		env := quiet().NewTestWorkflowEnvironment()
		w.Register(env)
		env.ExecuteWorkflow(One, j)
		if err := env.GetWorkflowError(); err != nil {
			return nil, explained(err)
		}
		var f Findings
		return &f, env.GetWorkflowResult(&f)
	}
	for _, args := range []string{"die-hard", "raymond n=2 k=1", "lamport-mutex n=2 max-clock=3"} {
		in, err := instantiate(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		opt := explore.Options{KeepGoing: true}
		for i, p := range in.Space.Properties() {
			if p.Moot == "" {
				opt.Properties = append(opt.Properties, i)
			}
		}
		want, err := explore.Run(context.Background(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		j := Job{
			Folder: reports, Program: program, Model: explore.Digest(in, opt), Args: strings.Fields(args),
			Properties: opt.Properties,
		}
		j.Limits.KeepGoing = true
		var before *explore.Report
		for range 2 {
			f, err := ask(j)
			if err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			got, err := f.unpack(in)
			if err != nil {
				t.Fatalf("%s: %v", args, err)
			}
			if figures(got) != figures(want) {
				t.Errorf("%s:\n%s, want\n%s", args, figures(got), figures(want))
			}
			for i := range want.Properties {
				g, w := &got.Properties[i], &want.Properties[i]
				if !reflect.DeepEqual(g.PropertyInfo, w.PropertyInfo) ||
					(g.Least == nil) != (w.Least == nil) ||
					g.Least != nil && (g.Least.Count != w.Least.Count ||
						len(g.Least.Path) != len(w.Least.Path)) {
					t.Errorf("%s: %+v, want %+v", args, g, w)
				}
			}
			if before != nil && before.Elapsed != got.Elapsed {
				t.Errorf("%s was explored twice", args)
			}
			before = got
		}
		j.Model = "0123"
		if _, err := ask(j); !errors.As(err, new(*usage.Error)) {
			t.Errorf("%s, of another model: %v", args, err)
		}
	}
}

// TestForgedRunIsRejected: a run that the interpreter cannot execute is an internal error.
func TestForgedRunIsRejected(t *testing.T) {
	in, err := instantiate([]string{"die-hard"})
	if err != nil {
		t.Fatal(err)
	}
	report, err := explore.Run(context.Background(), in, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := pack(report)
	f.Codes[0][2].Lo++
	if _, err := f.unpack(in); !errors.Is(err, explore.ErrInternal) {
		t.Error(err)
	}
}
