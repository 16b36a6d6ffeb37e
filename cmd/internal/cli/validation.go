//go:build !js

package cli

import (
	"slices"

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
	budget        int
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
