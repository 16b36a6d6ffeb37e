// Package contract has the promises of kinds of locks, which package occupancy judges.
package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Contract is what a kind of lock promises.
type Contract struct {
	Name    string
	Promise string // sentences in plain English
	rules   occupancy.Rules
	leases  bool // a holding ends with its lease
	single  bool // there is one unit
	kind    bool // it excludes the other kinds
}

// all has the contracts. Each demands rules.Held.
var all = []Contract{
	{Name: "mutex", single: true, kind: true, rules: occupancy.Rules{Once: true},
		Promise: "at most one node holds the lock; its holder is not granted it again, and nobody else " +
			"releases it"},
	{Name: "semaphore", kind: true,
		Promise: "at most k units are held, and a node releases only units that it holds"},
	{Name: "rwlock", kind: true, rules: occupancy.Rules{Shared: true},
		Promise: "readers share the lock, a writer is alone, and only holders release"},
	{Name: "leader", single: true, kind: true, rules: occupancy.Rules{Elects: true},
		Promise: "at most one node leads, from its election to its resignation; only the leader acts " +
			"(use), with the latest term (fence)"},
	{Name: "lease", leases: true, rules: occupancy.Rules{Once: true},
		Promise: "a holding ends with its lease: its node does not release, renew or use it later, and is " +
			"not granted it again before"},
	{Name: "lock-server", rules: occupancy.Rules{Answers: true, Once: true},
		Promise: "a request has one answer (acquire or refused), only units in use are refused, and only " +
			"holders release"},
}

// Names lists the names of the contracts.
func Names() []string { return printable.Each(all, func(c *Contract) string { return c.Name }) }

// Read returns the contracts of some names. Locks of different kinds exclude each other.
func Read(names []string) (cs []Contract, err error) {
	kind := ""
	for _, name := range names {
		at := slices.Index(Names(), name)
		switch {
		case at < 0:
			return nil, usage.Errorf("%s=%s: allowed are %s, and several with commas between",
				option, name, strings.Join(Names(), ", "))
		case all[at].kind && kind != "" && kind != name:
			return nil, usage.Errorf("%s=%s,%s: a lock is one of the two", option, kind, name)
		case all[at].kind:
			kind = name
		}
		cs = append(cs, all[at])
	}
	return cs, nil
}

const option = usage.Option("contract")

// Reading returns the reading of a log by contracts, whose resources have some units; "" stands for the
// other resources. Without contracts it returns the reading unchanged.
func Reading(cs []Contract, reading occupancy.Reading, units map[string]int) (occupancy.Reading, error) {
	for i := range cs {
		c := &cs[i]
		for _, resource := range slices.Sorted(maps.Keys(units)) {
			if k := units[resource]; c.single && k > 1 {
				return reading, usage.Errorf("%s=%s: it has one unit, but %s gives %d%s", option, c.Name,
					usage.Option("k"), k, strings.TrimSuffix(" to "+resource, " to "))
			}
		}
		r := &reading.Rules
		r.Held, reading.Leases = true, reading.Leases || c.leases
		r.Once = r.Once || c.rules.Once && !reading.Reentrant
		r.Elects = r.Elects || c.rules.Elects
		r.Answers = r.Answers || c.rules.Answers
		r.Shared = r.Shared || c.rules.Shared
	}
	reading.Once = reading.Once && !reading.Elects // a leader may be elected again
	return reading, nil
}

// String describes a contract.
func (c Contract) String() string { return fmt.Sprintf("contract %s: %s", c.Name, c.Promise) }
