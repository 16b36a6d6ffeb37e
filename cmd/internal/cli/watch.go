//go:build !js

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// watchFlags are the flags of validate --watch.
type watchFlags struct {
	watch   bool
	hook    string
	stop    bool
	metrics string
}

// declareWatch declares them.
func declareWatch(flags *pflag.FlagSet, f *watchFlags) {
	flags.BoolVar(&f.watch, "watch", false, "judge files while they are written")
	flags.BoolVar(&f.stop, "stop", false, "with --watch: end with exit code 1 at the first violation")
	flags.StringVar(&f.hook, "hook", "",
		"with --watch: a program that is started for each violation, with its "+
			"JSON as standard input")
	flags.StringVar(&f.metrics, "metrics", "",
		"with --watch: serve metrics for Prometheus at this address of "+
			"the loopback, such as 127.0.0.1:9464")
}

// wholeOnly are the flags of validate that are about logs as a whole, or about models.
var wholeOnly = []string{"learn", "statistics", "strict", "budget", "property", "max-states", "timeout",
	"trace"}

// How often files are looked at when nothing is written, and how often what was read is judged.
const (
	watchRest  = 50 * time.Millisecond
	watchJudge = 250 * time.Millisecond
)

// A watching judges logs while they are written.
type watching struct {
	a       *app
	f       *validateFlags
	opt     validate.Options
	w       *logs.Watch
	found   int
	figures atomic.Pointer[logs.Figures]
}

func (a *app) runWatch(ctx context.Context, args []string, f *validateFlags) error {
	opt, err := f.options()
	if err != nil {
		return err
	}
	if f.format != "text" && f.format != "json" {
		return usage.Errorf("--format=%s: with --watch allowed are text, json", f.format)
	}
	opt.Stdin, opt.Stays = a.in, true
	if !slices.Contains(args, logs.Stdin) {
		opt.Stdin = nil
	}
	how := logs.Judging{Reading: opt.Reading,
		Units: func(logs.Header) (func(string) int, error) { return opt.Unit, nil }}
	x := &watching{a: a, f: f, opt: opt}
	if x.w, err = logs.NewWatch(args, opt.Options, how); err != nil {
		return inputError{err}
	}
	x.publish()
	if f.metrics != "" {
		stop, err := x.serve()
		if err != nil {
			return err
		}
		defer stop()
	}
	return x.run(ctx)
}

// run goes on until the input or the program ends.
func (x *watching) run(ctx context.Context) error {
	x.a.status.Store("watching")
	judged := time.Now()
	for {
		some, ended, err := x.w.Poll()
		if err != nil {
			return inputError{err}
		}
		over := ended || ctx.Err() != nil
		if ended {
			if err := x.w.End(); err != nil {
				return inputError{err}
			}
		}
		if over || time.Since(judged) >= watchJudge {
			if err := x.judge(ctx); err != nil {
				return err
			}
			judged = time.Now()
		}
		switch {
		case x.found > 0 && (over || x.f.stop):
			x.a.code = exitViolated
			return nil
		case ctx.Err() != nil:
			x.a.code = term.Interrupted(ctx)
			return nil
		case ended:
			return x.end()
		case !some:
			select {
			case <-ctx.Done():
			case <-time.After(watchRest):
			}
		}
	}
}

// end judges logs that have ended without a violation, and says why if they are not accepted.
func (x *watching) end() error {
	log, uses := x.w.Judgement()
	v := &report.Log{Report: validate.Judged(log, uses, x.opt), Program: &x.a.Set}
	if x.a.code = codeOf(v.Verdict()); x.a.code == exitHolds {
		return nil
	}
	to := x.a.out
	if x.f.format != "text" {
		to = x.a.diag
	}
	return v.Text(to)
}

// judge reports what is definite now and was not before.
func (x *watching) judge(ctx context.Context) error {
	found, err := x.w.Violations()
	if err != nil {
		return inputError{err}
	}
	x.publish()
	for i := range found {
		x.found++
		so := fmt.Sprintf("after %s; not all may be written", printable.Plural(x.found, "violation"))
		x.a.abandoned.Store(abandoned{exitViolated, so})
		if err := x.report(&found[i]); err != nil {
			return err
		}
		if x.f.hook != "" {
			x.hook(ctx, &found[i])
		}
	}
	return nil
}

// report writes a violation.
func (x *watching) report(v *logs.Violation) error {
	var b bytes.Buffer
	if x.f.format == "json" {
		if err := printable.EncodeJSON(&b, v, ""); err != nil {
			return err
		}
	} else {
		printable.Fprintf(&b, "%s  %s\n", term.Bad("violation"), validate.Violation(v))
		for _, line := range report.Holdings(&v.OverlapSet) {
			printable.Fprintf(&b, "           %s\n", line)
		}
	}
	_, err := x.a.out.Write(b.Bytes())
	return err
}

// hookTime is how long a hook may take; lines are not read meanwhile.
const hookTime = 10 * time.Second

// hook starts the user's program. Its errors are reported, and the watch goes on.
func (x *watching) hook(ctx context.Context, v *logs.Violation) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hookTime)
	defer cancel()
	c := exec.CommandContext(ctx, x.f.hook)
	about, _ := json.Marshal(v) // plain fields can be written
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(about), x.a.diag, x.a.diag
	if err := c.Run(); err != nil {
		printable.Fprintf(x.a.diag, "%s: --hook %s: %v\n", x.a.Name, x.f.hook, err)
	}
}

// publish makes the present figures known to the server.
func (x *watching) publish() {
	f := x.w.Figures()
	x.figures.Store(&f)
}

// serve answers for Prometheus, and returns what ends that.
func (x *watching) serve() (func(), error) {
	l, err := x.a.onLoopback("metrics", x.f.metrics)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = w.Write([]byte(metrics(x.figures.Load(), time.Now()))) // who asks may have gone
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second, MaxHeaderBytes: 1 << 14}
	x.a.serve("metrics", s, l)
	printable.Fprintf(x.a.diag, "%s: metrics at http://%s/metrics\n", x.a.Name, l.Addr())
	return func() { _ = s.Close() }, nil
}

// metrics are figures in Prometheus' text format.
func metrics(f *logs.Figures, now time.Time) string {
	var b strings.Builder
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(&b, "# HELP atmostk_%s %s\n# TYPE atmostk_%s %s\natmostk_%s %v\n", name, help, name, kind,
			name, value)
	}
	one("events_total", "counter", "Events that were read.", f.Events)
	one("lines_unread_total", "counter", "Lines that make no sense.", f.Unread)
	one("violations_total", "counter", "Moments with too many units in use, in every order of events.",
		f.Violations)
	one("stays_late_total", "counter", "Stays that came too late to be judged.", f.Late)
	if f.Latest > 0 {
		one("lag_seconds", "gauge", "Time since the latest time stamp that was read.",
			now.Sub(time.Unix(0, f.Latest)).Seconds())
	}
	each := func(name, kind, help string, value func(r *logs.ResourceFigures) any) {
		fmt.Fprintf(&b, "# HELP atmostk_%s %s\n# TYPE atmostk_%s %s\n", name, help, name, kind)
		for i := range f.Resources {
			r := &f.Resources[i]
			fmt.Fprintf(&b, "atmostk_%s{resource=\"%s\"} %v\n", name, labelValue(r.Name), value(r))
		}
	}
	each("units", "gauge", "Units that there are.", func(r *logs.ResourceFigures) any { return r.K })
	each("units_in_use", "gauge", "Units that are acquired and not released.",
		func(r *logs.ResourceFigures) any { return r.Inside })
	each("units_possible", "gauge", "Most units that may have been in use at once.",
		func(r *logs.ResourceFigures) any { return r.Possibly })
	histogram(&b, f, "hold_seconds", "How long units are held.",
		func(r *logs.ResourceFigures) *logs.Durations { return &r.Held })
	histogram(&b, f, "wait_seconds", "How long is waited for units.",
		func(r *logs.ResourceFigures) *logs.Durations { return &r.Waited })
	return b.String()
}

// histogram writes one for each resource.
func histogram(b *strings.Builder, f *logs.Figures, name, help string,
	of func(*logs.ResourceFigures) *logs.Durations) {
	fmt.Fprintf(b, "# HELP atmostk_%s %s\n# TYPE atmostk_%s histogram\n", name, help, name)
	for i := range f.Resources {
		d, label := of(&f.Resources[i]), labelValue(f.Resources[i].Name)
		for k, bound := range logs.Bounds {
			fmt.Fprintf(b, "atmostk_%s_bucket{resource=\"%s\",le=\"%g\"} %d\n", name, label, bound.Seconds(),
				d.Below[k])
		}
		fmt.Fprintf(b, "atmostk_%s_bucket{resource=\"%s\",le=\"+Inf\"} %d\n", name, label, d.Count)
		fmt.Fprintf(b, "atmostk_%s_sum{resource=\"%s\"} %g\n", name, label, d.Sum.Seconds())
		fmt.Fprintf(b, "atmostk_%s_count{resource=\"%s\"} %d\n", name, label, d.Count)
	}
}

// labelValue is a text as the value of a label.
func labelValue(text string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(strings.ToValidUTF8(text, "?"))
}

// onLoopback listens at an address, which has to be one of the loopback.
func (a *app) onLoopback(flag, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	if err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, usage.Errorf("--%s=%s: allowed are addresses of the loopback with a port, such as "+
			"127.0.0.1:9464", flag, address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, usage.Errorf("--%s: %v", flag, err)
	}
	return l, nil
}

// serve answers until the server is closed.
func (a *app) serve(flag string, s *http.Server, l net.Listener) {
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			printable.Fprintf(a.diag, "%s: --%s: %v\n", a.Name, flag, err)
		}
	}()
}
