//go:build !js

package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/explain"
)

// codeOf is the exit code of a verdict on a log.
func codeOf(verdict explain.Verdict) int {
	return map[explain.Verdict]int{explain.Accepted: exitHolds, explain.Rejected: exitViolated,
		explain.Undecided: exitUnknown}[verdict]
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
	opt.Memory, err = term.MemoryLimit(f.memory)
	return opt, err
}
