//go:build !js

package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// coverageStates is the limit of states of the model, unless --max-states is given. They take about 10 s.
const coverageStates = 100_000

// coverage reports what logs of several runs exercise of a model. A path is a file, or a run's folder.
func (a *app) coverage(ctx context.Context, args []string, f *validateFlags) error {
	opt, err := f.options()
	if err != nil {
		return err
	}
	spec, keys, paths, err := a.subject(args)
	if err != nil {
		return err
	}
	of, err := a.modelOf(spec, keys, nil, formats.Header{})
	switch {
	case err != nil:
		return err
	case of == nil || opt.NoModel:
		return usage.Errorf("--coverage: name the model before the logs, such as raymond n=3")
	case !slices.Contains([]string{"text", "json", "html"}, f.Format) || f.Trace != "":
		return usage.Errorf("--coverage: allowed are --format=text, json, html and schema, and no --trace")
	}
	opt.Keep, opt.Modelled, opt.Explain.Cover = true, true, true
	opt.Model = func(formats.Header) (*validate.Model, error) {
		return &validate.Model{Name: of.Spec.Name, Instance: of.Instance}, nil
	}
	var runs []*validate.Report
	for _, path := range paths {
		files := []string{path}
		if entries, err := os.ReadDir(path); err == nil && len(entries) > 0 {
			inside := func(e *os.DirEntry) string { return filepath.Join(path, (*e).Name()) }
			files = printable.Each(entries, inside)
		}
		r, err := validate.Run(ctx, files, opt)
		if err != nil {
			return unread(ctx, err)
		}
		runs = append(runs, r)
	}
	most := coverageStates
	if f.changed("max-states") {
		most = int(f.MaxStates)
	}
	limited, cancel := context.WithTimeout(ctx, cmp.Or(f.Timeout, endless))
	defer cancel()
	c := report.Cover(limited, of, runs, most)
	a.verdict, a.code = string(c.Verdict), codeOf(ctx, c.Verdict)
	return a.write(f.Format, c)
}
