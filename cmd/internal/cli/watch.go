//go:build !js

package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// wholeOnly are the flags of validate that apply only to complete logs or to models.
var wholeOnly = []string{"learn", "strict", "budget", "property", "max-states", "timeout",
	"trace", "sort-by", "coverage", "contract"}

// The times between two reads if no line was written, and between two judgements.
const (
	watchRest  = 50 * time.Millisecond
	watchJudge = 250 * time.Millisecond
)

type watching struct {
	a       *app
	f       *validateFlags
	opt     validate.Options
	w       *occupancy.Watch
	found   int                               // violations
	figures atomic.Pointer[occupancy.Figures] // for --metrics
}

func (a *app) runWatch(ctx context.Context, args []string, f *validateFlags) error {
	opt, err := f.options()
	if err != nil {
		return err
	}
	if f.Format != "text" && f.Format != "json" {
		return usage.Errorf("--format=%s: with --watch allowed are text, json", f.Format)
	}
	if spec, _, _, err := a.subject(args); err != nil {
		return err
	} else if spec != "" {
		return usage.Errorf("%s: --watch judges logs without a model", spec)
	}
	if opt.NoModel = true; slices.Contains(args, formats.Stdin) {
		opt.Stdin = a.in
	}
	x := &watching{a: a, f: f, opt: opt}
	if x.w, err = occupancy.NewWatch(args, opt.Options, occupancy.Judging{Reading: opt.Reading,
		Units: func(formats.Header) (func(string) int, error) { return opt.Unit, nil }}); err != nil {
		return badInput(err)
	}
	x.figures.Store(new(x.w.Figures()))
	if f.Metrics != "" {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		if err := x.serve(ctx); err != nil {
			return err
		}
	}
	return x.run(ctx)
}

// run judges until the input ends, the program is interrupted, or --stop applies.
func (x *watching) run(ctx context.Context) error {
	x.a.status.Store("watching")
	judged := time.Now()
	for {
		some, ended, err := x.w.Poll()
		if ended && err == nil {
			err = x.w.End()
		}
		if err != nil {
			return badInput(err)
		}
		over := ended || ctx.Err() != nil
		if over || time.Since(judged) >= watchJudge {
			if err := x.judge(); err != nil {
				return err
			}
			judged = time.Now()
		}
		switch {
		case x.found > 0 && (over || x.f.Stop):
			x.a.code = exitViolated
			return nil
		case ctx.Err() != nil:
			x.a.code = term.Interrupted(ctx)
			return nil
		case ended:
			log, uses := x.w.Judgement()
			r, err := validate.Judged(log, uses, x.opt)
			if err != nil {
				return badInput(err)
			}
			if x.a.code = codeOf(ctx, r.Verdict()); x.a.code == exitHolds {
				return nil
			}
			v := &report.Log{Report: r, Program: &x.a.Set}
			return v.Text(map[bool]*term.Output{true: x.a.out, false: x.a.diag}[x.f.Format == "text"])
		case !some:
			select {
			case <-ctx.Done():
			case <-time.After(watchRest):
			}
		}
	}
}

// judge reports the violations that are new and definite.
func (x *watching) judge() error {
	found, err := x.w.Violations()
	if err != nil {
		return badInput(err)
	}
	x.figures.Store(new(x.w.Figures()))
	for i := range found {
		x.found++
		text := fmt.Sprintf("after %s; perhaps not all were printed", printable.Plural(x.found, "violation"))
		x.a.abandoned.Store(abandoned{exitViolated, text})
		if err := x.report(&found[i]); err != nil {
			return err
		}
	}
	return nil
}

func (x *watching) report(v *occupancy.Violation) error {
	if x.f.Format == "json" {
		return printable.EncodeJSON(x.a.out, v, "")
	}
	printable.Fprintf(x.a.out, "%s  %s\n", term.Bad("violation"), validate.Violation(v))
	for _, line := range report.Holdings(&v.OverlapSet) {
		printable.Fprintf(x.a.out, "           %s\n", line)
	}
	return x.a.out.Failed()
}

// serve serves metrics for Prometheus at an address of the loopback interface.
func (x *watching) serve(ctx context.Context) error {
	host, _, err := net.SplitHostPort(x.f.Metrics)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usage.Errorf("--metrics=%s: allowed are loopback addresses with a port, such as "+
			"127.0.0.1:9464", x.f.Metrics)
	}
	l, err := net.Listen("tcp", x.f.Metrics)
	if err != nil {
		return usage.Errorf("--metrics: %v", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = io.WriteString(w, metrics(x.figures.Load(), time.Now())) // the client may be gone
	})
	go func() {
		if err := serve(ctx, l, mux); err != nil {
			printable.Fprintf(x.a.diag, "%s: --metrics: %v\n", x.a.Name, err)
		}
	}()
	printable.Fprintf(x.a.diag, "%s: metrics at http://%s/metrics\n", x.a.Name, l.Addr())
	return nil
}

// metrics returns figures in the text format of Prometheus.
func metrics(f *occupancy.Figures, now time.Time) string {
	var b strings.Builder
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP atmostk_%s %s\n# TYPE atmostk_%[1]s %[3]s\n", name, help, kind)
	}
	value := func(name, labels string, value any) {
		fmt.Fprintf(&b, "atmostk_%s%s %v\n", name, labels, value)
	}
	one := func(name, kind, help string, x any) {
		head(name, kind, help)
		value(name, "", x)
	}
	one("events_total", "counter", "Events that were read.", f.Events)
	one("lines_unread_total", "counter", "Lines that could not be read.", f.Unread)
	one("violations_total", "counter", "Overlaps with too many units in use, in every order of events.",
		f.Violations)
	one("stays_late_total", "counter", "Holding intervals that came too late to be judged.", f.Late)
	if f.Latest > 0 {
		one("lag_seconds", "gauge", "Time since the latest time stamp that was read.",
			now.Sub(time.Unix(0, f.Latest)).Seconds())
	}
	each := func(name, kind, help string, write func(label string, r *occupancy.ResourceFigures)) {
		head(name, kind, help)
		for i := range f.Resources {
			r := &f.Resources[i]
			write(`resource="`+escapeLabel.Replace(strings.ToValidUTF8(r.Name, "?"))+`"`, r)
		}
	}
	gauge := func(name, help string, of func(r *occupancy.ResourceFigures) any) {
		each(name, "gauge", help, func(label string, r *occupancy.ResourceFigures) {
			value(name, "{"+label+"}", of(r))
		})
	}
	gauge("units", "Units of the resource.", func(r *occupancy.ResourceFigures) any { return r.K })
	gauge("units_in_use", "Units that are acquired and not released.",
		func(r *occupancy.ResourceFigures) any { return r.Inside })
	gauge("units_possible", "Most units that may have been in use at once.",
		func(r *occupancy.ResourceFigures) any { return r.Possibly })
	histogram := func(name, help string, of func(*occupancy.ResourceFigures) *occupancy.Durations) {
		each(name, "histogram", help, func(label string, r *occupancy.ResourceFigures) {
			d := of(r)
			for k, bound := range occupancy.Bounds {
				value(name+"_bucket", fmt.Sprintf(`{%s,le="%g"}`, label, bound.Seconds()), d.Below[k])
			}
			value(name+"_bucket", "{"+label+`,le="+Inf"}`, d.Count)
			value(name+"_sum", "{"+label+"}", fmt.Sprintf("%g", d.Sum.Seconds()))
			value(name+"_count", "{"+label+"}", d.Count)
		})
	}
	histogram("hold_seconds", "Lengths of holding intervals.",
		func(r *occupancy.ResourceFigures) *occupancy.Durations { return &r.Held })
	histogram("wait_seconds", "Times that nodes wait for units.",
		func(r *occupancy.ResourceFigures) *occupancy.Durations { return &r.Waited })
	return b.String()
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

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
