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
	mapped  []string // entries of a mapping
	learn   bool
	k       string
	order   string
	skew    time.Duration
	skewSet bool
	ending  string
	nested  bool
	again   bool // the lock is reentrant
	leases  bool

	resource string
	strict   bool
	stats    bool
	format   string
	trace    string

	staysOnly bool
	timeout   time.Duration
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
far as the logs have them. Lines may be missing only as far as --budget and --tail say.

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
% validate --watch app.log --mapping zap --map 'acquire=lock acquired' --map 'release=lock released'
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
	flags.StringArrayVar(&f.mapped, "map", nil, "an entry of a mapping, as KEY=VALUE; may be given several "+
		"times. acquire=, release= and stay= are the text of events by which units are acquired and "+
		"released, or of lines that are a whole stay; only= and skip= the text of lines that are read or "+
		"left out, each between slashes a regular expression; line= is a regular expression of lines, with groups such as "+
		"time, node, event, resource, units, seq")
	flags.StringVar(&f.k, "k", "",
		"so many units may be in use at once, such as 3, or of some resources 1,disk=2,net=8; "+
			"default: the model's units, or 1 without a model")
	flags.StringVar(&f.resource, "resource", "", `field that names the lock or resource, beside "resource": `+
		"each is judged for itself; - takes all for one")
	flags.DurationVar(&f.skew, "skew", 0,
		"take time stamps for an order; they are at most so far from true time, such as 5ms, or 0s")
	flags.StringVar(&f.order, "order", "known", "what orders the events of different nodes: "+
		"known (clocks, messages, intervals, with --skew time stamps), lines (the lines of the one file, "+
		"whatever the times)")
	flags.StringVar(&f.ending, "open", "auto",
		`stays without a release: possibly (to the node's last event, possibly for ever), held (for ever), free (to the last event), auto (a crash that is logged frees units if there is a model; else possibly)`)
	flags.BoolVar(&f.nested, "nested", false, "a node that acquires twice holds the units of both")
	flags.BoolVar(&f.again, "reentrant", false,
		"a node that acquires twice goes on with its stay, until it has released as often")
	flags.BoolVar(&f.leases, "leases", false, "a stay ends with its lease (lease_lasts, lease_ends, or an "+
		"event expire), whatever its node does then; "+
		"without it a lease ends only what is never released")
}

// declareExplain declares the flags of the second pass.
func declareExplain(flags *pflag.FlagSet, f *validateFlags) {
	flags.BoolVar(&f.staysOnly, "stays-only", false,
		"ask nothing of the model, only how many units were in use")
	flags.IntVar(&f.explain.budget, "budget", 0, "so many steps of the run may be missing from the logs")
	flags.IntVar(&f.explain.tail, "tail", -1, "so many steps of each node may be missing after its last "+
		"line; default: 1 if a log ends in the middle of a line, else 0")
	flags.IntVar(&f.explain.repair, "repair", 2,
		"up to so many missing lines are looked for that would explain logs that are rejected")
	flags.StringSliceVar(&f.explain.properties, "property", validate.Limits,
		"properties of the model that have to hold in the run that explains the logs, separated by commas; "+
			"of the default ones each model has one. Others that do not hold are told")
	flags.BoolVar(&f.explain.ignoreUnknown, "ignore-unknown", false,
		"leave out events that are no actions of the model")
	flags.BoolVar(&f.explain.partialSent, "partial-sent", false,
		"lines need not name all the messages that they send")
	flags.Int64Var(&f.explain.maxStates, "max-states", 0,
		"give up after so many states of the search; 0: no limit")
	flags.StringVar(&f.explain.memory, "memory", "", "give up reading or searching before taking more "+
		"memory, such as 64M or 8G; default: four fifths of what is available")
	flags.DurationVar(&f.timeout, "timeout", time.Minute,
		"give up the search for an explanation after this time; 0: no limit")
}

// options turns flags into options of the judgement.
func (f *validateFlags) options() (opt validate.Options, err error) {
	opt.Strict, opt.Stays, opt.Resource = f.strict, f.staysOnly, f.resource
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
	case !slices.Contains(logs.Endings, f.ending):
		return opt, usage.Errorf("--open=%s: allowed are %s", f.ending, strings.Join(logs.Endings, ", "))
	case f.nested && f.again:
		return opt, usage.Errorf("--nested and --reentrant: what a node acquires twice either adds up or " +
			"goes on, not both")
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
	opt.Mapping, err = f.readMapping()
	return opt, err
}

// reading says what stays are.
func (f *validateFlags) reading() logs.Reading {
	return logs.Reading{
		Ending: logs.Ending(slices.Index(logs.Endings, f.ending)), Nested: f.nested, Reentrant: f.again,
		Leases: f.leases,
	}
}

// readMapping reads the mapping and puts what the command line says on top of it; nil: there is none.
func (f *validateFlags) readMapping() (*logs.Mapping, error) {
	m := &logs.Mapping{}
	_, err := os.Stat(f.mapping)
	switch {
	case f.mapping == "":
	case err != nil && slices.Contains(logs.Presets(), f.mapping):
		m.Preset = f.mapping
	case err != nil:
		return nil, usage.Errorf("--mapping: %v; presets are %s", err, strings.Join(logs.Presets(), ", "))
	default:
		file, err := os.Open(f.mapping)
		if err != nil {
			return nil, usage.Errorf("--mapping: %v", err)
		}
		defer func() { _ = file.Close() }() // it was only read
		if m, err = logs.ReadMapping(file); err != nil {
			return nil, inputError{&logs.InputError{Place: logs.Place{File: f.mapping}, Why: usage.Textf("%v",
				err)}}
		}
	}
	if f.mapping == "" && f.mapped == nil {
		return nil, nil
	}
	var lines []string
	for _, entry := range f.mapped {
		key, value, _ := strings.Cut(entry, "=")
		switch key {
		case "line":
			lines = append(lines, value)
		case "only":
			m.Only = append(m.Only, value)
		case "skip":
			m.Skip = append(m.Skip, value)
		case "acquire", "release", "stay":
			if m.Events == nil {
				m.Events = map[string]string{}
			}
			m.Events[value] = key
		default:
			return nil,
				usage.Errorf("--map=%s: allowed are acquire=, release=, stay=, only=, skip= and line=",
					entry)
		}
	}
	if lines != nil {
		m.Line = lines
	}
	if err := m.Prepare(); err != nil {
		return nil, usage.Errorf("%v", err)
	}
	return m, nil
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
	gcWhole   = 25
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
	opt.Keep, opt.Stdin = specName != "" && !f.staysOnly, a.in
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
	switch f.format {
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
	if f.explain.given && !f.staysOnly {
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
