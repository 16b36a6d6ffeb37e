//go:build !js

package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// validateFlags are the flags of validate, as given.
type validateFlags struct {
	validate.Options // flags that need no reading are set there
	changed          func(flag string) bool

	from    string
	mapping string
	acquire []string
	release []string
	also    []string // KEY=VALUE
	assume  []string
	learn   bool
	k       string
	order   string
	skew    time.Duration
	missing []string // --budget
	memory  string
	stats   bool
	format  string
	trace   string
	watchFlags
}

// validateFormats are the forms of the report.
var validateFormats = []string{"text", "json", "sarif", "junit", "html"}

func (a *app) validate() *cobra.Command {
	var f validateFlags
	c := &cobra.Command{
		Use:   "validate [SPEC key=value ...] FILE...",
		Short: "Judge the logs of a real run",
		Long: `Reads the logs of one run of an implementation, orders their events by what is known
(vector clocks, messages, else time intervals, never by time stamps unless --skew says
how far these can be trusted), and asks whether more than k units were in use at once:
in every order of the events that fits the logs, which is a violation, or in some of
them, which leaves it undecided.

If a model is named, or the logs name one in their header, a run of it is looked for
that explains every line: the same handlers, the same messages, the same variables, as
far as the logs have them. Lines may be missing only as far as --budget says.

With --watch files are followed, which may not exist yet, grow, and be moved away or emptied, or
standard input (-): too many units in use at once are reported within a second of the line that makes
it definite, for it holds then whatever comes later. Memory is bounded; what is out of order by more
than some thousand stays is left out. When all of standard input was read without a violation, the
report says why it is not accepted.

The formats, with an example of each, are in docs/logs.md of atmostk. Files may be compressed by gzip
or zstd, or be in UTF-16; - is standard input.

Exit codes: 0 accepted, 1 rejected, 2 undecided, 3 unusable input,
64 wrong use, 74 the report could not be written, 130 and 143 ended by a signal.`,
		Example: a.examples(`% validate lock.log --k 3 --skew 2ms
% validate @raymond n=3 k=2 node1.ndjson node2.ndjson node3.ndjson
% validate history.edn --from jepsen --format html > report.html
% validate govector.log --mapping names.yaml --format sarif
% validate --watch app.log --mapping zap --acquire 'lock acquired' --release 'lock released'
% validate --watch node*.ndjson --skew 5ms --metrics 127.0.0.1:9464 --hook ./page-me`),
		Args: unlessSchema(&f.format),
		RunE: func(c *cobra.Command, args []string) error {
			if f.format == schemaForm {
				_, err := io.WriteString(a.out, report.ValidateSchema)
				return err
			}
			f.changed = c.Flags().Changed
			if f.watch {
				for _, name := range wholeOnly {
					if c.Flags().Changed(name) {
						return usage.Errorf("--%s is not for --watch, which judges logs as they are written",
							name)
					}
				}
				return a.runWatch(c.Context(), args, &f)
			}
			return a.runValidate(c.Context(), args, &f)
		},
	}
	flags := c.Flags()
	declareReading(flags, &f)
	flags.BoolVar(&f.learn, "learn", false,
		"look at the beginning of one log and propose a mapping for it, which is written to standard output")
	flags.BoolVar(&f.stats, "statistics", false,
		"say how long units were held, and how many were in use over time; json always has it")
	flags.BoolVar(&f.Strict, "strict", false,
		"refuse logs in which lines are missing (torn lines, gaps in counts, "+
			"a node that acquires or releases twice) and files without events")
	declareExplain(flags, &f)
	declareWatch(flags, &f.watchFlags)
	flags.StringVar(&f.format, "format", "text", "form of the report: "+strings.Join(validateFormats,
		", ")+"; or schema, the JSON Schema of json")
	flags.StringVar(&f.trace, "trace", "", "with a model: write the run that explains the log, or as much "+
		"of it as can be, to this file, for replay and explore")
	return c
}

// declareReading declares the flags that say how logs are read and what is asked of them.
func declareReading(flags *pflag.FlagSet, f *validateFlags) {
	flags.StringVar(&f.from, "from", "auto", "format of the logs: auto, "+strings.Join(logs.Formats, ", "))
	flags.StringVar(&f.mapping, "mapping", "",
		"YAML file that says how lines are read, and how events, fields and nodes are called in the logs; "+
			"or one of the presets "+strings.Join(logs.Presets(), ", "))
	flags.StringArrayVar(&f.acquire, "acquire", nil,
		"text of the events, or between slashes a regular expression for it, by which units are acquired")
	flags.StringArrayVar(&f.release, "release", nil, "that by which they are released")
	flags.StringArrayVar(&f.also, "map", nil, "more of the mapping, KEY=VALUE: stay=TEXT (of lines that "+
		"have a whole holding, with its begin, end or duration), line=REGEX (of lines, with groups such as "+
		"time, node, event, resource, units, seq), only=TEXT and skip=TEXT (which lines are read), "+
		"resource=FIELD (that names the lock, beside \"resource\": each is judged for itself; - takes all "+
		"for one)")
	flags.StringVar(&f.k, "k", "",
		"so many units may be in use at once, such as 3, or of some resources 1,disk=2,net=8; "+
			"default: the model's units, or 1 without a model")
	flags.DurationVar(&f.skew, "skew", 0,
		"take time stamps for an order; they are at most so far from true time, such as 5ms, or 0s")
	flags.StringVar(&f.order, "order", "known", "what orders the events of different nodes: "+
		"known (clocks, messages, intervals, with --skew time stamps), lines (the lines of the one file, "+
		"whatever the times)")
	flags.StringSliceVar(&f.assume, "assume", nil, "how logs are to be understood: "+
		strings.Join(assumptions, ", ")+"; see docs/logs.md")
}

// assumptions are the values of --assume: acquisitions of units that the node holds already add up (nested) or
// change nothing (reentrant); a holding ends with its lease, whatever its node does then (leases); how long a
// holding without a release lasts (open); lines need not name all messages that they send (partial-sent); events
// that are no actions of the model are left out (ignore-unknown); nothing is asked of the model (no-model).
var assumptions = []string{"nested", "reentrant", "leases", "open=possibly", "open=held", "open=free",
	"partial-sent", "ignore-unknown", "no-model"}

// understand takes the values of --assume.
func (f *validateFlags) understand(opt *validate.Options) error {
	for _, a := range f.assume {
		is := map[string]*bool{"nested": &opt.Nested, "reentrant": &opt.Reentrant, "leases": &opt.Leases,
			"partial-sent": &opt.Explain.PartialSent, "no-model": &opt.Stays}[a]
		switch {
		case !slices.Contains(assumptions, a):
			return usage.Errorf("--assume=%s: allowed are %s", a, strings.Join(assumptions, ", "))
		case is != nil:
			*is = true
		case a == "ignore-unknown":
			opt.Explain.Ignore = []string{"*"}
		default:
			opt.Ending = logs.Ending(slices.Index(logs.Endings, strings.TrimPrefix(a, "open=")))
		}
	}
	if opt.Nested && opt.Reentrant {
		return usage.Errorf("--assume=nested,reentrant: what a node acquires twice either adds up or goes " +
			"on, not both")
	}
	return nil
}

// declareExplain declares the flags of the search for a run of the model.
func declareExplain(flags *pflag.FlagSet, f *validateFlags) {
	flags.StringSliceVar(&f.missing, "budget", nil, "steps of the run that may be missing from the "+
		"logs: N in all, tail=N of each node after its last line (default: 1 if a log ends in the middle of "+
		"a line, else 0), and up to repair=N missing lines are looked for that would explain logs that are "+
		"rejected (default: 2)")
	flags.StringSliceVar(&f.Properties, "property", validate.Limits,
		"properties of the model that have to hold in the run that explains the logs, separated by commas; "+
			"of the default ones each model has one. Others that do not hold are told")
	flags.Int64Var(&f.Explain.States, "max-states", 0,
		"give up after so many states of the search; 0: no limit")
	flags.StringVar(&f.memory, "memory", "", "give up reading or searching before taking more "+
		"memory, such as 64M or 8G; default: four fifths of what is available")
	flags.DurationVar(&f.Timeout, "timeout", time.Minute,
		"give up the search for an explanation after this time; 0: no limit")
}

// options turns flags into options of the judgement.
func (f *validateFlags) options() (opt validate.Options, err error) {
	opt = f.Options
	if err := cmp.Or(f.understand(&opt), f.allowMissing(&opt)); err != nil {
		return opt, err
	}
	if opt.Memory, err = term.MemoryLimit(f.memory); err != nil {
		return opt, err
	}
	opt.Explain.Memory = opt.Memory
	if opt.Units, err = parseBounds(f.k); err != nil {
		return opt, err
	}
	if f.from != "auto" {
		opt.Format = f.from
	}
	skewed := f.changed("skew")
	switch {
	case opt.Format != "" && !slices.Contains(logs.Formats, opt.Format):
		return opt, usage.Errorf("--from=%s: allowed are auto, %s", f.from, strings.Join(logs.Formats, ", "))
	case f.order != "known" && f.order != "lines":
		return opt, usage.Errorf("--order=%s: allowed are known, lines", f.order)
	case f.order == "lines" && skewed:
		return opt, usage.Errorf("--order=lines and --skew: either lines or time stamps are the " +
			"order, not both")
	case !slices.Contains(validateFormats, f.format):
		return opt, usage.Errorf("--format=%s: allowed are %s", f.format, strings.Join(validateFormats, ", "))
	case f.Timeout < 0:
		return opt, usage.Errorf("--timeout=%s: a limit below 0 makes no sense; 0 is no limit", f.Timeout)
	case f.skew < 0:
		return opt, usage.Errorf("--skew=%s: allowed is 0s or more", f.skew)
	}
	opt.Lines = f.order == "lines"
	if skewed {
		opt.Skew = &f.skew
	}
	opt.Mapping, opt.Resource, err = f.readMapping()
	return opt, err
}

// allowMissing reads --budget.
func (f *validateFlags) allowMissing(opt *validate.Options) error {
	x := &opt.Explain
	x.Tail, x.Repair = -1, 2
	for _, text := range f.missing {
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
		return usage.Errorf("a limit below 0 makes no sense")
	}
	return nil
}

// readMapping reads the mapping and puts the flags on top of it; nil: there is none. It returns the field that
// names resources as well.
func (f *validateFlags) readMapping() (m *logs.Mapping, resource string, err error) {
	m = &logs.Mapping{}
	file, missing := os.Open(f.mapping)
	if missing == nil {
		defer func() { _ = file.Close() }() // it was only read
	}
	switch {
	case f.mapping == "":
	case missing == nil:
		if m, err = logs.ReadMapping(file); err != nil {
			return nil, "", badInput(&logs.InputError{Place: logs.Place{File: f.mapping},
				Why: usage.Textf("%v", err)})
		}
	case errors.Is(missing, fs.ErrNotExist) && slices.Contains(logs.Presets(), f.mapping):
		m.Preset = f.mapping
	default:
		return nil, "", usage.Errorf("--mapping: %v; presets are %s", missing, strings.Join(logs.Presets(), ", "))
	}
	also := map[string][]string{"acquire": f.acquire, "release": f.release}
	for _, text := range f.also {
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
	if f.mapping == "" && len(f.acquire)+len(f.release) == 0 && len(also) == 2 {
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

// subject separates the model and its arguments from the files.
func (a *app) subject(args []string) (spec string, keys, files []string, err error) {
	isModel := slices.ContainsFunc(a.Specs, func(s model.Spec) bool { return s.Name == args[0] })
	if isModel || len(args) > 1 && isSetting(args[1]) && !isSetting(args[0]) {
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
		return "", nil, nil, usage.Errorf("no log is named, only the model %s", spec)
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

// How much garbage there may be, in percent, beside what is kept of logs that are judged as they are read,
// which is little, and of those that are kept as a whole.
const (
	gcReading = 200
	gcWhole   = 50
)

func (a *app) runValidate(ctx context.Context, args []string, f *validateFlags) error {
	if f.learn {
		return a.learn(args)
	}
	opt, err := f.options()
	if err != nil {
		return err
	}
	specName, keys, files, err := a.subject(args)
	if err != nil {
		return err
	}
	opt.Keep, opt.Stdin = specName != "" && !opt.Stays, a.in
	if !opt.Keep {
		defer debug.SetGCPercent(debug.SetGCPercent(gcReading))
		// The events have few pointers, so that looking for garbage more often costs little.
		opt.Whole = func() { debug.SetGCPercent(gcWhole) }
	}
	v := &report.Log{Program: &a.Set, Statistics: f.stats, Budget: opt.Explain.Hidden}
	var wanted []string
	if f.changed("property") && !opt.Stays {
		wanted = f.Properties
	}
	var failed error
	opt.Model = func(h logs.Header) (m *validate.Model, err error) {
		if v.Subject, failed = a.modelOf(specName, keys, wanted, h); v.Subject == nil || failed != nil {
			return nil, failed
		}
		return &validate.Model{Name: v.Subject.Spec.Name, Instance: v.Subject.Instance}, nil
	}
	a.status.Store("reading " + printable.Plural(len(files), "log"))
	v.Report, err = validate.Run(ctx, files, opt)
	var full *logs.MemoryError
	switch {
	case errors.As(err, &full):
		a.code = exitUnknown
		printable.Fprintf(a.diag, "%s: %v (--memory); undecided\n", a.Name, err)
		return nil
	case failed != nil:
		return failed
	case err != nil:
		return badInput(err)
	}
	a.verdict = string(v.Verdict())
	if a.code = codeOf(v.Verdict()); a.code == exitUnknown {
		a.code = cmp.Or(term.Interrupted(ctx), exitUnknown)
	}
	if err := writeExplanation(v, f.trace); err != nil {
		return err
	}
	v.Again = func() *logs.History {
		opt.Keep = true
		again, err := logs.Read(files, opt.Options)
		if err != nil {
			return nil
		}
		return again.History()
	}
	return a.write(f.format, v)
}

// codeOf is the exit code of a verdict on a log.
func codeOf(verdict explain.Verdict) int {
	return map[explain.Verdict]int{explain.Accepted: exitHolds, explain.Rejected: exitViolated,
		explain.Undecided: exitUnknown}[verdict]
}

// writeExplanation writes the run of the model that explains the log, or as much of it as can be explained,
// to a file; "": nowhere.
func writeExplanation(v *report.Log, file string) error {
	if file == "" {
		return nil
	}
	if v.Explanation == nil {
		return usage.Errorf("--trace=%s: only with a model is there a run that explains a log", file)
	}
	run, err := v.Run()
	if err != nil {
		return err
	}
	return writeTraces(file, []*report.Shown{{Run: run}})
}

// modelOf returns the model of a log: the one that was named, or the one in the log's header; nil: there is none. It
// has to have the wanted properties.
func (a *app) modelOf(name string, keys, wanted []string, header logs.Header) (*models.Subject, error) {
	wrap := func(err error) error { return err }
	if name == "" {
		name, keys = header.Spec, strings.Fields(header.Args)
		wrap = func(err error) error {
			return badInput(errors.New("the header of the log: " + err.Error()))
		}
	}
	if name == "" {
		return nil, nil
	}
	of, err := a.Instance(name, keys)
	if err != nil {
		return nil, wrap(err)
	}
	_, err = named(wanted, of.Space.Properties())
	return of, err
}

// maxK is the largest number of units.
const maxK = 1 << 20

// parseBounds reads the numbers of units: 3, or disk=2, or both and more, with commas between.
func parseBounds(text string) (map[string]int, error) {
	bounds := map[string]int{}
	if text == "" {
		return bounds, nil
	}
	for _, part := range strings.Split(text, ",") {
		at := strings.LastIndexByte(part, '=')
		k, err := strconv.Atoi(part[at+1:])
		if err != nil || k < 1 || k > maxK {
			return nil, usage.Errorf("--k=%s: allowed are numbers from 1 to %d and NAME=number, with "+
				"commas between", text, maxK)
		}
		bounds[part[:max(at, 0)]] = k
	}
	return bounds, nil
}
