package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestCommands: output and exit codes of the command.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		says []string
	}{
		{"claims timerfre", 64, []string{`there is no paper "timerfre" (did you mean "timerfree"?); there are `}},
		{"claims timerfree --claim lemma-1 --row 1", 0, []string{"violated no-false-suspicion",
			"2,185 states, 11 steps, stopped at the first violation, 22 pruned steps",
			"atmostk check timerfree "}},
		{"claims timerfree --claim lemna-1", 64, []string{`no such claim (did you mean "lemma-1"?)`}},
		{"claims timerfree --claim lemma-1 --row 99", 64, []string{"--row=99 needs --claim"}},
		{"claims timerfree --row 1", 64, []string{"--row=1 needs --claim"}},
		{"claims vcube --claim figure-6", 0, []string{"paperdocs experiment vcube-fault-free"}},
		{"claims ring --claim the-election --refute=1 --max-states 2000", 0, []string{" refuted\n"}},
		{"experiment", 0, []string{"vcube-fault-free: VCube", "  timerfree-4 "}},
		{"experiment vcube-7 --points 8 --runs 2", 0, []string{"vcube-7: obtaining, ", "means of 2 runs"}},
		{"experiment vcube-70", 64, []string{`there is no experiment "vcube-70"`}},
		{"experiment vcube-6 --points 9", 64, []string{"--points=9"}},
		{"experiment absent.yaml", 3, []string{"absent.yaml"}},
	} {
		var out, diag bytes.Buffer
		code := run(context.Background(), strings.Fields(c.args), &out, &diag)
		for _, want := range c.says {
			if code != c.code || !strings.Contains(out.String()+diag.String(), want) {
				t.Errorf("%s: exit code %d, %s%s, without %s", c.args, code, &out, &diag, want)
			}
		}
	}
}
