//go:build !js

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/logs/contract"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

type validateFlags struct {
	changed func(flag string) bool

	From, Mapping, Node   string
	Acquire, Release, Map verbatim
	K, Order, SortBy      string
	Skew                  time.Duration
	Assume, Contract      []string
	Learn                 bool
	Budget, Property      []string
	MaxStates             int64
	Memory                string
	Timeout               time.Duration
	Strict                bool
	Watch, Stop, Coverage bool
	Metrics               string
	Format, Trace         string
}

// validateDefaults are the flags of validate if none is given.
func validateDefaults() *validateFlags {
	return &validateFlags{changed: func(string) bool { return false }, From: "auto", Order: "known",
		Property: validate.Limits, Timeout: time.Minute, Format: "text"}
}

func (a *app) validate() *cobra.Command {
	return verb(a, "validate", validateDefaults(), cobra.MinimumNArgs(1), a.runValidate,
		"{formats}", strings.Join(formats.Formats, ", "), "{presets}", strings.Join(formats.Presets(), ", "),
		"{contracts}", strings.Join(contract.Names(), ", "), "{assumptions}", strings.Join(assumptions, ", "),
		"{forms}", strings.Join(machineChoices["validate format"], ", "))
}

func (f *validateFlags) readAssume(opt *validate.Options) error {
	for _, a := range f.Assume {
		is := map[string]*bool{"nested": &opt.Nested, "reentrant": &opt.Reentrant, "leases": &opt.Leases,
			"complete": &opt.Complete, "partial-sent": &opt.Explain.PartialSent, "no-model": &opt.NoModel}[a]
		switch {
		case !slices.Contains(assumptions, a):
			return usage.Errorf("--assume=%s: allowed are %s", a, strings.Join(assumptions, ", "))
		case is != nil:
			*is = true
		case a == "ignore-unknown":
			opt.Explain.Ignore = []string{"*"}
		case opt.Ending != occupancy.Auto:
			return usage.Errorf("--assume=%s: a holding without a release ends in one way; name one open=",
				strings.Join(f.Assume, ","))
		default:
			opt.Ending = occupancy.Ending(slices.Index(occupancy.Endings, strings.TrimPrefix(a, "open=")))
		}
	}
	if opt.Nested && opt.Reentrant {
		return usage.Errorf("--assume=nested,reentrant: units that a node acquires twice either add up, or " +
			"nothing changes; name one of the two")
	}
	return nil
}

func (f *validateFlags) options() (opt validate.Options, err error) {
	opt.Strict, opt.Properties, opt.Timeout, opt.Explain.States = f.Strict, f.Property, f.Timeout, f.MaxStates
	opt.TimeoutReads = f.changed("timeout")
	if err := cmp.Or(f.readAssume(&opt), f.readBudget(&opt),
		allowed("order", f.Order, machineChoices["validate order"]...)); err != nil {
		return opt, err
	}
	opt.Memory, err = term.MemoryLimit(f.Memory)
	if opt.Explain.Memory = opt.Memory; err == nil {
		opt.Units, err = parseBounds(f.K)
	}
	if err = cmp.Or(err, opt.Contract(f.Contract...)); err != nil {
		return opt, err
	}
	skewed := f.changed("skew")
	switch {
	case f.From != "auto" && !slices.Contains(formats.Formats, f.From):
		return opt, usage.Errorf("--from=%s: allowed are auto, %s", f.From,
			strings.Join(formats.Formats, ", "))
	case f.SortBy != "" && f.SortBy != "time":
		return opt, usage.Errorf("--sort-by=%s: allowed is time", f.SortBy)
	case f.Order == "lines" && f.SortBy != "":
		return opt, usage.Errorf("--order=lines and --sort-by=time: either lines or times are the order")
	case f.Order == "lines" && skewed:
		return opt, usage.Errorf("--order=lines and --skew: either lines or time stamps are the " +
			"order, not both")
	case f.Timeout < 0:
		return opt, usage.Errorf("--timeout=%s: a limit is 0 or more; 0 is no limit", f.Timeout)
	case f.Skew < 0 || f.Skew > mostSkew:
		return opt, usage.Errorf("--skew=%s: allowed are times from 0s to %s", f.Skew, mostSkew)
	}
	if opt.Lines = f.Order == "lines"; f.From != "auto" {
		opt.Format = f.From
	}
	opt.ByTime = f.SortBy == "time"
	if skewed || opt.ByTime { // one clock
		opt.Skew = &f.Skew
	}
	if opt.Node = f.Node; len(f.Node) > 1 && f.Node[0] == '/' {
		if re, err := regexp.Compile(strings.Trim(f.Node, "/")); err != nil || re.NumSubexp() == 0 {
			return opt, usage.Errorf("--node=%s: allowed are file, the name of a field, and between slashes "+
				"a regular expression with a group, such as '/worker=(\\w+)/'", f.Node)
		}
	}
	opt.Mapping, opt.Resource, err = f.readMapping()
	return opt, err
}

func (f *validateFlags) readBudget(opt *validate.Options) error {
	x := &opt.Explain
	x.Tail, x.Repair = -1, 2
	for _, text := range f.Budget {
		key, value, named := strings.Cut(text, "=")
		if !named {
			key, value = "", text
		}
		to := map[string]*int{"": &x.Hidden, "tail": &x.Tail, "repair": &x.Repair}[key]
		n, err := strconv.Atoi(value)
		if to == nil || err != nil {
			return usage.Errorf("--budget=%s: allowed are N, tail=N and repair=N with whole numbers", text)
		}
		*to = n
	}
	if x.Hidden < 0 || x.Repair < 0 || x.States < 0 || x.Tail < -1 {
		return usage.Errorf("a limit is 0 or more")
	}
	return nil
}

// readMapping reads --mapping and adds the other flags to it; m is nil if none of them is given. resource is
// the field that names resources.
func (f *validateFlags) readMapping() (m *formats.Mapping, resource string, err error) {
	m = &formats.Mapping{}
	file, missing := os.Open(f.Mapping)
	if missing == nil {
		defer func() { _ = file.Close() }() // a file that was only read loses nothing
	}
	switch {
	case f.Mapping == "":
	case missing == nil:
		if m, err = formats.ReadMapping(file); err != nil {
			return nil, "", badInput(&formats.InputError{Place: formats.Place{File: f.Mapping},
				Why: usage.Textf("%v", err)})
		}
	case errors.Is(missing, fs.ErrNotExist) && slices.Contains(formats.Presets(), f.Mapping):
		m.Preset = f.Mapping
	default:
		return nil, "", usage.Errorf("--mapping: %v; presets are %s", missing,
			strings.Join(formats.Presets(), ", "))
	}
	also := map[string][]string{"acquire": f.Acquire, "release": f.Release}
	for _, text := range f.Map {
		key, value, _ := strings.Cut(text, "=")
		if value == "" || !slices.Contains([]string{"stay", "line", "only", "skip", "resource"}, key) {
			return nil, "", usage.Errorf("--map=%s: allowed are stay=, line=, only=, skip= and resource=",
				text)
		}
		if key == "resource" {
			resource = value
			continue
		}
		also[key] = append(also[key], value)
	}
	if f.Mapping == "" && len(f.Acquire)+len(f.Release) == 0 && len(also) == 2 {
		return nil, resource, nil
	}
	if len(also["line"]) > 0 {
		m.Line = also["line"]
	}
	m.Only, m.Skip = append(m.Only, also["only"]...), append(m.Skip, also["skip"]...)
	if m.Events == nil {
		m.Events = map[string]string{}
	}
	for _, event := range []string{"acquire", "release", "stay"} {
		for _, name := range also[event] {
			m.Events[name] = event
		}
	}
	if err := m.Prepare(); err != nil {
		return nil, "", usage.Errorf("%v", err)
	}
	return m, resource, nil
}

// subject separates the model (spec "": none) and its arguments from the files.
func (a *app) subject(args []string) (spec string, keys, files []string, err error) {
	isModel := func(s model.Spec) bool { return s.Name == args[0] }
	if slices.ContainsFunc(a.Specs, isModel) || strings.HasSuffix(args[0], starfile.Extension) ||
		len(args) > 1 && isSetting(args[1]) && !isSetting(args[0]) {
		spec, args = args[0], args[1:]
		if _, err := a.Spec(spec); err != nil {
			return "", nil, nil, err
		}
		for len(args) > 0 && isSetting(args[0]) {
			keys, args = append(keys, args[0]), args[1:]
		}
	}
	switch {
	case len(args) == 0:
		return "", nil, nil, usage.Errorf("the arguments name the model %s, but no log", spec)
	case isSetting(args[0]):
		return "", nil, nil, usage.Errorf("%s is an argument of a model, but no model is before it", args[0])
	}
	return spec, keys, args, nil
}

// isSetting reports whether an argument is a key=value and not a file that exists.
func isSetting(arg string) bool {
	key, _, ok := strings.Cut(arg, "=")
	_, err := os.Stat(arg)
	return err != nil && ok && key != "" && !strings.ContainsAny(key, `/\.`)
}

// The growth of the heap between two garbage collections, in percent. gcReading is for logs that are judged
// while they are read, with few events in memory, gcWhole for logs that have to be in memory as a whole.
const (
	gcReading = 200
	gcWhole   = 50
)

func (a *app) runValidate(c *cobra.Command, args []string, f *validateFlags) error {
	ctx := c.Context()
	f.changed = c.Flags().Changed
	if i := slices.IndexFunc(wholeOnly, f.changed); f.Watch && i >= 0 {
		return usage.Errorf("--%s does not apply with --watch, which judges logs while they are written",
			wholeOnly[i])
	}
	switch {
	case f.Watch:
		return a.runWatch(ctx, args, f)
	case f.Learn:
		return a.learn(args)
	case f.Coverage:
		return a.coverage(ctx, args, f)
	}
	opt, err := f.options()
	if err != nil {
		return err
	}
	specName, keys, files, err := a.subject(args)
	if err != nil {
		return err
	}
	a.status.Store("reading " + printable.Plural(len(files), "log"))
	defer a.limit(&opt)()
	if opt.Stdin = a.in; specName == "" {
		if err := logs.Recognise(files, &opt.Options); err != nil {
			return badInput(err)
		}
	}
	opt.Modelled = specName != "" && !opt.NoModel
	opt.Keep = opt.Modelled || f.Format == "html"
	if !opt.Keep {
		defer debug.SetGCPercent(debug.SetGCPercent(gcReading))
		// The events have few pointers, so more frequent collections cost little.
		opt.Whole = func() { debug.SetGCPercent(gcWhole) }
	}
	v := &report.Log{Program: &a.Set, Budget: opt.Explain.Hidden}
	wanted := map[bool][]string{true: f.Property}[f.changed("property")]
	var failed error
	opt.Model = func(h formats.Header) (m *validate.Model, err error) {
		if v.Subject, failed = a.modelOf(specName, keys, wanted, h); v.Subject == nil || failed != nil {
			return nil, failed
		}
		return &validate.Model{Name: v.Subject.Spec.Name, Instance: v.Subject.Instance}, nil
	}
	v.Report, err = validate.Run(ctx, files, opt)
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return unread(ctx, err)
	case wanted != nil && (v.Subject == nil || opt.NoModel):
		return usage.Errorf("--property: name a model; without one no run explains the logs")
	}
	a.verdict, a.code = string(v.Verdict()), codeOf(ctx, v.Verdict())
	if err := writeExplanation(v, f.Trace); err != nil {
		return err
	}
	return a.write(f.Format, v)
}

// limit bounds the memory and the time of reading logs; a read may block, and judging may take longer.
func (a *app) limit(opt *validate.Options) (end func()) {
	memory := debug.SetMemoryLimit(cmp.Or(opt.Memory, math.MaxInt64))
	if opt.TimeoutReads && opt.Timeout > 0 {
		late := time.AfterFunc(opt.Timeout+grace, func() { close(a.late) })
		opt.Read = func() { late.Stop() }
	}
	return func() { debug.SetMemoryLimit(memory) }
}

// unread is the failure to read and judge logs: they cannot be used, or a limit was reached.
func unread(ctx context.Context, err error) error {
	limit, is := errors.AsType[*order.LimitError](err)
	why := "--timeout"
	switch {
	case !is:
		return badInput(err)
	case limit.Memory > 0:
		why = "--memory"
	case term.Interrupted(ctx) != 0:
		why = "interrupted"
	}
	return failure{fmt.Errorf("%w (%s); undecided", limit, why), cmp.Or(term.Interrupted(ctx), exitUnknown)}
}

// writeExplanation writes the explanation of the log, or the longest part of one, to a file; "": to no file.
func writeExplanation(v *report.Log, file string) error {
	if file == "" {
		return nil
	}
	if v.Explanation == nil {
		return usage.Errorf("--trace=%s: name a model; without one no run explains the logs", file)
	}
	run, err := v.Run()
	if err != nil {
		return err
	}
	return writeTraces(file, []*traces.Run{run})
}

// modelOf returns the model of a log: the named one or, if name is "", the one in the header of the log; nil
// if neither names one. It is an error if the model lacks a wanted property.
func (a *app) modelOf(name string, keys, wanted []string, header formats.Header) (*models.Subject, error) {
	inHeader := name == ""
	if inHeader {
		name, keys = header.Spec, strings.Fields(header.Args)
	}
	if name == "" {
		return nil, nil
	}
	of, err := a.Played(name, keys)
	if err == nil {
		_, err = named(wanted, of.Space.Properties())
	} else if inHeader {
		err = badInput(errors.New("the header of the log: " + err.Error()))
	}
	return of, err
}

const maxK = 1 << 20

// mostSkew is the largest skew: no sum of a time and a skew overflows.
const mostSkew = 365 * 24 * time.Hour

// parseBounds reads --k: numbers of units, such as 3,disk=2. The key "" is for all other resources.
func parseBounds(text string) (map[string]int, error) {
	bounds := map[string]int{}
	if text == "" {
		return bounds, nil
	}
	for _, part := range strings.Split(text, ",") {
		at := strings.LastIndexByte(part, '=')
		k, err := strconv.Atoi(part[at+1:])
		name := part[:max(at, 0)]
		if err != nil || k < 1 || k > maxK || bounds[name] > 0 {
			return nil, usage.Errorf("--k=%s: allowed are a number from 1 to %d and NAME=number, separated "+
				"by commas, each name once", text, maxK)
		}
		bounds[name] = k
	}
	return bounds, nil
}

// learn proposes a mapping for a log, and shows the events that the mapping reads.
func (a *app) learn(args []string) error {
	if len(args) != 1 {
		return usage.Errorf("--learn reads one log, and the arguments name %d", len(args))
	}
	in := a.in
	if args[0] != formats.Stdin {
		f, err := os.Open(args[0])
		if err != nil {
			return badInput(err)
		}
		defer func() { _ = f.Close() }() // a file that was only read loses nothing
		in = f
	}
	lesson, err := logs.Learn(in)
	if err != nil {
		return badInput(fmt.Errorf("%s: %w", args[0], err))
	}
	printable.Fprintf(a.out, "# The best fit for %s; check that the nodes are right.\n", args[0])
	printable.Fprintf(a.out, "%s", printable.Lines(lesson.Text))
	l := lesson.Log
	printable.Fprintf(a.out,
		"# Of %s it reads %s of %s: %d acquire, %d release, %d do not follow each other.\n",
		printable.Plural(lesson.Lines, "line"), printable.Plural(l.Events(), "event"),
		printable.Plural(len(l.Nodes), "node"), lesson.Acquired, lesson.Released, lesson.Odd)
	for _, line := range lesson.Sample {
		printable.Fprintf(a.out, "#   %s\n", line)
	}
	return nil
}
