package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/specs"
)

// others explore instances in this process.
type others struct {
	explored int
	refuse   string // the model of instances that cannot be explored; "": no model
}

func (o *others) Extend(_ string, root *cobra.Command) {
	root.AddCommand(
		&cobra.Command{Use: "hello", Run: func(c *cobra.Command, _ []string) { c.Println("hello") }},
	)
}

func (o *others) Explore(ctx context.Context, q cmd.Question) (*explore.Report, error) {
	o.explored++
	if q.Args[0] == o.refuse {
		return nil, errors.New("nobody is there")
	}
	q.Options.Progress = nil
	return explore.Run(ctx, q.Instance, q.Options)
}

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
		"check raymond n=2 k=1 --format json", "check die-hard --format json --property big-not-4",
		"check raymond n=0",
	} {
		want, code := said(here, args)
		if got, c := said(there, args); !sameButTimes(got, want) || c != code {
			t.Errorf("%s: %d:\n%s, want %d:\n%s", args, c, got, code, want)
		}
	}
	if o.explored != 2 {
		t.Errorf("%d instances, where two are possible", o.explored)
	}
	if out, _ := said(there, "hello"); out != "hello\n" {
		t.Errorf("hello: %s", out)
	}
	if n, err := cmd.MemoryLimit("512M"); n != 512<<20 || err != nil {
		t.Error(n, err)
	}
	if out, code := said(there, "check raymond n=2 k=1 --max-states 9"); code != 2 ||
		strings.Contains(out, "To decide") {
		t.Errorf("%d: advice for one process: %s", code, out)
	}
	o.refuse = "raymond"
	if out, code := said(there, "check raymond n=2/3 k=1"); code != 64 ||
		!strings.Contains(out, "a cluster searches one") {
		t.Errorf("%d: %s", code, out)
	}
	if out, code := said(there, "check raymond n=2 k=1"); code != 74 ||
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
