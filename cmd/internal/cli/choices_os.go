//go:build !js

package cli

import (
	"slices"

	"github.com/atmostk/atmostk/explore/prove"
	"github.com/atmostk/atmostk/specs/gallery"
	"github.com/atmostk/atmostk/traces/logs/contract"
	"github.com/atmostk/atmostk/traces/logs/formats"
)

// machineChoices are the choices of the verbs that a program for browsers lacks.
var machineChoices = map[string][]string{
	"lint format": {"text", "json"}, "prove format": {"text", "json"}, "run format": {"text", "json"},
	"prove solver": append(slices.Clone(prove.Solvers), "both"),
	"show format":  {"text", "json"}, "show draw": {"text", "states"},
	"validate format":    {"text", "json", "sarif", "junit", "html"},
	"simulate scheduler": {"steps", "processes", "pct", "swarm", "crashes"},
	"validate order":     {"known", "lines"}, "validate assume": assumptions,
	"validate contract": contract.Names(),
	"validate from":     append([]string{"auto"}, formats.Formats...), "validate mapping": formats.Presets(),
	"new lang": {"star", "go"}, "new from": gallery.Names(),
}

// assumptions are the values of --assume: if a node acquires units that it already holds, they add up
// (nested) or nothing changes (reentrant); a holding interval ends with its lease, even if its node goes on
// (leases); how long an interval without a release lasts (open); no line is missing (complete); lines may
// omit messages that they send (partial-sent); events that are not actions of the model are left out
// (ignore-unknown); no run of the model has to explain the logs (no-model).
var assumptions = []string{"nested", "reentrant", "leases", "open=possibly", "open=held", "open=free",
	"complete", "partial-sent", "ignore-unknown", "no-model"}
