//go:build !js

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/atmostk/atmostk/cmd/internal/report"
	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/validate"
)

// validateFlags are the flags of validate, as given.
type validateFlags struct {
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
	skewSet bool
	ending  string
	nested  bool
	again   bool // the lock is reentrant
	leases  bool

	strict bool
	stats  bool
	format string
	trace  string

	noModel bool // nothing is asked of the model
	timeout time.Duration
	watchFlags
	explain explainFlags
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
			f.explain.given = c.Flags().Changed("property")
			f.skewSet = c.Flags().Changed("skew")
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
	flags.BoolVar(&f.strict, "strict", false,
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

// assumptions are the values of --assume: what a node acquires twice adds up (nested) or goes on (reentrant);
// a holding ends with its lease, whatever its node does then (leases); how long a holding without a release
// lasts (open); lines need not name all messages that they send (partial-sent); events that are no actions of
// the model are left out (ignore-unknown); nothing is asked of the model (no-model).
var assumptions = []string{"nested", "reentrant", "leases", "open=possibly", "open=held", "open=free",
	"partial-sent", "ignore-unknown", "no-model"}

// understand takes the values of --assume.
func (f *validateFlags) understand() error {
	f.ending = logs.Endings[logs.Auto]
	for _, a := range f.assume {
		is := map[string]*bool{"nested": &f.nested, "reentrant": &f.again, "leases": &f.leases,
			"partial-sent": &f.explain.partialSent, "ignore-unknown": &f.explain.ignoreUnknown,
			"no-model": &f.noModel}[a]
		ending, open := strings.CutPrefix(a, "open=")
		switch {
		case is != nil:
			*is = true
		case open && slices.Contains(logs.Endings, ending):
			f.ending = ending
		default:
			return usage.Errorf("--assume=%s: allowed are %s", a, strings.Join(assumptions, ", "))
		}
	}
	if f.nested && f.again {
		return usage.Errorf("--assume=nested,reentrant: what a node acquires twice either adds up or goes " +
			"on, not both")
	}
	return nil
}

// declareExplain declares the flags of the second pass.
func declareExplain(flags *pflag.FlagSet, f *validateFlags) {
	flags.StringSliceVar(&f.explain.missing, "budget", nil, "steps of the run that may be missing from the "+
		"logs: N in all, tail=N of each node after its last line (default: 1 if a log ends in the middle of "+
		"a line, else 0), and up to repair=N missing lines are looked for that would explain logs that are "+
		"rejected (default: 2)")
	flags.StringSliceVar(&f.explain.properties, "property", validate.Limits,
		"properties of the model that have to hold in the run that explains the logs, separated by commas; "+
			"of the default ones each model has one. Others that do not hold are told")
	flags.Int64Var(&f.explain.maxStates, "max-states", 0,
		"give up after so many states of the search; 0: no limit")
	flags.StringVar(&f.explain.memory, "memory", "", "give up reading or searching before taking more "+
		"memory, such as 64M or 8G; default: four fifths of what is available")
	flags.DurationVar(&f.timeout, "timeout", time.Minute,
		"give up the search for an explanation after this time; 0: no limit")
}

// options turns flags into options of the judgement.
func (f *validateFlags) options() (opt validate.Options, err error) {
	if err := f.understand(); err != nil {
		return opt, err
	}
	opt.Strict, opt.Stays = f.strict, f.noModel
	opt.Reading = f.reading()
	opt.Properties, opt.Timeout = f.explain.properties, f.timeout
	if opt.Explain, err = f.explain.options(); err != nil {
		return opt, err
	}
	opt.Memory = opt.Explain.Memory
	if opt.Units, err = parseBounds(f.k); err != nil {
		return opt, err
	}
	if f.from != "auto" {
		opt.Format = f.from
	}
	switch {
	case opt.Format != "" && !slices.Contains(logs.Formats, opt.Format):
		return opt, usage.Errorf("--from=%s: allowed are auto, %s", f.from, strings.Join(logs.Formats, ", "))
	case f.order != "known" && f.order != "lines":
		return opt, usage.Errorf("--order=%s: allowed are known, lines", f.order)
	case f.order == "lines" && f.skewSet:
		return opt, usage.Errorf("--order=lines and --skew: either lines or time stamps are the " +
			"order, not both")
	case !slices.Contains(validateFormats, f.format):
		return opt, usage.Errorf("--format=%s: allowed are %s", f.format, strings.Join(validateFormats, ", "))
	case f.timeout < 0:
		return opt, usage.Errorf("--timeout=%s: a limit below 0 makes no sense; 0 is no limit", f.timeout)
	case f.skew < 0:
		return opt, usage.Errorf("--skew=%s: allowed is 0s or more", f.skew)
	}
	opt.Lines = f.order == "lines"
	if f.skewSet {
		opt.Skew = &f.skew
	}
	opt.Mapping, opt.Resource, err = f.readMapping()
	return opt, err
}

// reading says what stays are.
func (f *validateFlags) reading() logs.Reading {
	return logs.Reading{
		Ending: logs.Ending(slices.Index(logs.Endings, f.ending)), Nested: f.nested, Reentrant: f.again,
		Leases: f.leases,
	}
}

// readMapping reads the mapping and puts what the command line says on top of it; nil: there is none. It
// returns the field that names resources as well.
func (f *validateFlags) readMapping() (m *logs.Mapping, resource string, err error) {
	m = &logs.Mapping{}
	_, missing := os.Stat(f.mapping)
	switch {
	case f.mapping == "":
	case missing != nil && slices.Contains(logs.Presets(), f.mapping):
		m.Preset = f.mapping
	case missing != nil:
		return nil, "", usage.Errorf("--mapping: %v; presets are %s", missing, strings.Join(logs.Presets(),
			", "))
	default:
		file, err := os.Open(f.mapping)
		if err != nil {
			return nil, "", usage.Errorf("--mapping: %v", err)
		}
		defer func() { _ = file.Close() }() // it was only read
		if m, err = logs.ReadMapping(file); err != nil {
			return nil, "", inputError{&logs.InputError{Place: logs.Place{File: f.mapping},
				Why: usage.Textf("%v", err)}}
		}
	}
	also := map[string][]string{"acquire": f.acquire, "release": f.release}
	for _, text := range f.also {
		key, value, _ := strings.Cut(text, "=")
		if value == "" || !slices.Contains([]string{"stay", "line", "only", "skip", "resource"}, key) {
			return nil, "", usage.Errorf("--map=%s: allowed are stay=, line=, only=, skip= and resource=",
				text)
		}
		also[key] = append(also[key], value)
	}
	if names := also["resource"]; len(names) > 0 {
		resource = names[len(names)-1]
		delete(also, "resource")
	}
	if f.mapping == "" && len(also["acquire"])+len(also["release"]) == 0 && len(also) == 2 {
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

// subject tells the model and its arguments from the files.
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
	if _, err := os.Stat(arg); err == nil {
		return false
	}
	return ok && key != "" && !strings.ContainsAny(key, `/\.`)
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
	opt.Keep, opt.Stdin = specName != "" && !f.noModel, a.in
	if !opt.Keep {
		defer debug.SetGCPercent(debug.SetGCPercent(gcReading))
		// The events have few pointers, so that looking for garbage more often costs little.
		opt.Whole = func() { debug.SetGCPercent(gcWhole) }
	}
	v := &report.Log{Program: &a.Set, Statistics: f.stats, Budget: f.explain.budget}
	var failed error
	opt.Model = func(h logs.Header) (m *validate.Model, err error) {
		m, err = a.modelOf(v, f, specName, keys, h)
		failed = err
		return m, err
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
		return inputError{err}
	}
	a.code, a.verdict = codeOf(v.Verdict()), string(v.Verdict())
	if code := term.Interrupted(ctx); code != 0 && a.code == exitUnknown {
		a.code = code
	}
	if f.trace != "" {
		if err := writeExplanation(v, f.trace); err != nil {
			return err
		}
	}
	v.Again = func() *logs.History {
		opt.Keep = true
		again, err := logs.Read(files, opt.Options)
		if err != nil {
			return nil
		}
		return again.History()
	}
	return a.writeLog(v, f.format)
}

// writeLog writes the report on logs in a form.
func (a *app) writeLog(v *report.Log, format string) error {
	switch format {
	case "json":
		return v.JSON(a.out)
	case "sarif":
		return v.Doc().SARIF(a.out)
	case "junit":
		return v.Doc().JUnit(a.out)
	case "html":
		return v.HTML(a.out)
	}
	return v.Text(a.out)
}

// writeExplanation writes the run of the model that explains the log, or as much of it as can be explained,
// to a file.
func writeExplanation(v *report.Log, file string) error {
	if v.Explanation == nil {
		return usage.Errorf("--trace=%s: only with a model is there a run that explains a log", file)
	}
	run, err := v.Run()
	if err != nil {
		return err
	}
	return writeTrace(file, run)
}

// modelOf finds out which model the log is of: the one that was named, else the one in the log's header.
func (a *app) modelOf(v *report.Log, f *validateFlags, name string, keys []string,
	header logs.Header) (*validate.Model, error) {
	wrap := func(err error) error { return err }
	if name == "" {
		name, keys = header.Spec, strings.Fields(header.Args)
		wrap = func(err error) error {
			return inputError{errors.New("the header of the log: " + err.Error())}
		}
	}
	if name == "" {
		return nil, nil
	}
	spec, in, values, err := a.Instance(name, keys)
	if err != nil {
		return nil, wrap(err)
	}
	v.Spec, v.Args = spec, values
	if f.explain.given && !f.noModel {
		if err := checkProperties(f.explain.properties, in); err != nil {
			return nil, err
		}
	}
	return &validate.Model{Name: spec.Name, Instance: in}, nil
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
		name, number := "", part
		if at := strings.LastIndexByte(part, '='); at >= 0 {
			name, number = part[:at], part[at+1:]
		}
		k, err := strconv.Atoi(number)
		if err != nil || k < 1 || k > maxK {
			return nil, usage.Errorf("--k=%s: allowed are numbers from 1 to %d and NAME=number, with "+
				"commas between", text, maxK)
		}
		bounds[name] = k
	}
	return bounds, nil
}
