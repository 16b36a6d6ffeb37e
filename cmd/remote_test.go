package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// others explore instances in this process, all of a family at the same time.
type others struct {
	families, alone atomic.Int64
	refuse          string // the model of instances that cannot be explored; "": no model
}

func (o *others) Extend(_ string, root *cobra.Command) {
	root.AddCommand(
		&cobra.Command{Use: "hello", Run: func(c *cobra.Command, _ []string) { c.Println("hello") }},
	)
}

func (o *others) Explore(ctx context.Context, q cmd.Question) (*explore.Report, error) {
	if q.Family {
		o.families.Add(1)
	} else {
		o.alone.Add(1)
	}
	if q.Args[0] == o.refuse {
		return nil, errors.New("nobody is there")
	}
	q.Options.Progress = nil
	return explore.Run(ctx, q.Instance, q.Options)
}

// Play plays runs in two pieces, and puts them together.
func (o *others) Play(
	ctx context.Context, args []string, in model.Instance, opt simulate.Options,
) (*simulate.Report, error) {
	if args[0] == o.refuse {
		return nil, errors.New("nobody is there")
	}
	o.families.Add(1)
	sum, err := simulate.NewTally(in, opt)
	if err != nil {
		return nil, err
	}
	first, second := opt, opt
	first.Runs = opt.Runs / 3
	second.First, second.Runs = opt.First+first.Runs, opt.Runs-first.Runs
	for _, piece := range []simulate.Options{first, second} {
		var runs []simulate.Played
		var more bool
		if runs, more, err = simulate.Play(ctx, in, piece); err != nil {
			return nil, err
		}
		for i := range runs {
			if sum.Add(&runs[i]) != (more || i < len(runs)-1) {
				return nil, errors.New("a run is the last here and not there")
			}
		}
		if !more {
			break
		}
	}
	return sum.Report(ctx, time.Second), nil
}

var _ cmd.Player = &others{}

// TestRemote: reports are the same, whether other processes or this one explore the instances.
func TestRemote(t *testing.T) {
	said := func(p cmd.Program, args string) (out string, code int) {
		var b, diag bytes.Buffer
		code = p.Run(context.Background(), strings.Fields(args), strings.NewReader(""), &b, &diag)
		if code > 2 {
			return diag.String(), code
		}
		return b.String(), code
	}
	o := &others{}
	here := cmd.Program{Name: "atmostk", Specs: specs.All}
	there := here
	there.Remote = o
	for _, args := range []string{
		"check raymond n=2 k=1/1",
		"check raymond n=2 k=1 rounds=1/2 --format json --property at-most-k", "check raymond n=0/2",
		"simulate raymond n=3 k=2 crashes=1 --runs 40 --keep-going --format json",
		"simulate raymond n=3 k=2 crashes=1 --runs 40 --format json",
		"simulate 2pc n=3 --runs 40 --steps 100 --format json --run 7",
	} {
		want, code := said(here, args)
		if got, c := said(there, args); !sameButTimes(got, want) || c != code {
			t.Errorf("%s: %d:\n%s, want %d:\n%s", args, c, got, code, want)
		}
	}
	if o.families.Load() < 6 || o.alone.Load() != 0 {
		t.Errorf("%d instances of families and %d others", o.families.Load(), o.alone.Load())
	}
	if out, code := said(there, "check die-hard"); code != 1 || o.alone.Load() != 1 {
		t.Errorf("%d, %d instances: %s", code, o.alone.Load(), out)
	}
	if out, _ := said(there, "hello"); out != "hello\n" {
		t.Errorf("hello: %s", out)
	}
	if n, err := cmd.MemoryLimit("512M"); n != 512<<20 || err != nil {
		t.Error(n, err)
	}
	o.refuse = "raymond"
	if out, code := said(there, "simulate raymond n=2"); code != 74 ||
		!strings.Contains(out, "nobody is there") {
		t.Errorf("%d: %s", code, out)
	}
	if out, code := said(there, "check raymond n=2/3 k=1"); code != 74 ||
		!strings.Contains(out, "nobody is there") {
		t.Errorf("%d: %s", code, out)
	}
}

// sameButTimes compares outputs without times and memory.
func sameButTimes(a, b string) bool {
	cut := func(s string) string {
		return seconds.ReplaceAllString(s, "")
	}
	return cut(a) == cut(b)
}

var seconds = regexp.MustCompile(`"(seconds|memory)":[^,}]*`)
