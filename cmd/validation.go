//go:build !js

package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/validate"
)

// validation is the judgement of a log, as the verbs print it.
type validation struct {
	*validate.Report
	program *Program // that judges
	flags   *validateFlags
	files   []string // that were read

	// The model that the log is a run of; nil: none is known.
	spec *model.Spec
	args *model.Args
}

func (v *validation) code() int { return codeOf(v.Verdict()) }

// codeOf is the exit code of a verdict on a log.
func codeOf(verdict explain.Verdict) int {
	return map[explain.Verdict]int{explain.Accepted: exitHolds, explain.Rejected: exitViolated,
		explain.Undecided: exitUnknown}[verdict]
}

// A point is a finding as it is printed.
type point struct {
	rule   string // its kind, for programs
	level  string // error, warning or note
	text   string
	places []logs.Place

	overlap *logs.OverlapSet // the holdings it is about; nil: none
	details []string         // further lines, for people
}

// points lists what there is to say, the worst first.
func (v *validation) points() []point { return pointsOf(v.Findings()) }

func pointsOf(findings []validate.Finding) (ps []point) {
	for i := range findings {
		f := &findings[i]
		ps = append(ps, point{rule: f.Kind, level: string(f.Severity), text: f.Message.With(flagged),
			places: f.Places, overlap: f.Overlap, details: f.Details})
	}
	return ps
}

// caveats are what the log does not show.
func (v *validation) caveats() (texts []string) {
	for _, text := range v.Caveats() {
		texts = append(texts, text.With(flagged))
	}
	return texts
}

// checkProperties refuses names of properties that the model does not have.
func checkProperties(wanted []string, in model.Instance) error {
	var names []string
	for _, p := range in.Space.Properties() {
		names = append(names, p.Name)
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return noProperty(name, names)
		}
	}
	return nil
}

// explainFlags are the flags of the second pass, as given.
type explainFlags struct {
	missing       []string
	budget        int // and the next two are what missing says
	tail          int
	repair        int
	properties    []string
	given         bool // the properties
	ignoreUnknown bool
	partialSent   bool
	maxStates     int64
	memory        string
}

// options turns flags into options of the search.
func (f *explainFlags) options() (opt explain.Options, err error) {
	f.budget, f.tail, f.repair = 0, -1, 2
	for _, text := range f.missing {
		key, value, named := strings.Cut(text, "=")
		if !named {
			key, value = "", text
		}
		to := map[string]*int{"": &f.budget, "tail": &f.tail, "repair": &f.repair}[key]
		n, err := strconv.Atoi(value)
		if to == nil || err != nil {
			return opt, usage.Errorf("--budget=%s: allowed are N, tail=N and repair=N with whole numbers",
				text)
		}
		*to = n
	}
	if f.budget < 0 || f.repair < 0 || f.maxStates < 0 || f.tail < -1 {
		return opt, usage.Errorf("a limit below 0 makes no sense")
	}
	opt = explain.Options{Hidden: f.budget, Tail: f.tail, Repair: f.repair, PartialSent: f.partialSent,
		States: f.maxStates}
	if f.ignoreUnknown {
		opt.Ignore = []string{"*"}
	}
	opt.Memory, err = memoryLimit(f.memory)
	return opt, err
}
