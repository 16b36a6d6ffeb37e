package store

import (
	"cmp"
	"slices"

	"github.com/atmostk/atmostk/model/movers"
)

// An Expansion is a task: it judges the states in files of the frontier, and writes their successors as runs
// of candidates.
type Expansion struct {
	Model  string   `json:"model"` // digest
	Level  int      `json:"level"` // of the states; 0: no states, the task writes the initial states
	Shards int      `json:"shards"`
	Inputs []string `json:"inputs"` // files of states
	// Output is the folder of the runs. Their names differ each time that the task is done.
	Output string `json:"output"`
	// JudgeOnly: the task only judges the states and writes no successors.
	JudgeOnly bool `json:"judge-only,omitempty"`
	// Movers and Memos are those of the Search.
	Movers *movers.Movers `json:"movers,omitempty"`
	Memos  []Run          `json:"memos,omitempty"`
	// Ends are files that the tasks of the level kept. If it is not nil, the task reads no states: it joins
	// these files, judges what they hold, and so ends the level.
	Ends []Run `json:"ends,omitempty"`
}

// Expanded is the result of an Expansion.
type Expanded struct {
	States int64      `json:"states"` // number of states read
	Runs   []ShardRun `json:"runs"`
	Counts Counts     `json:"counts"`
	Finds  []Find     `json:"finds"`
	// Memos is a file with what the process kept in the level. The task that ends the level returns the files
	// of this and all levels before.
	Memos []Run `json:"memos,omitempty"`
	// Again, if not nil: a receipt does not commute, and the search begins again with these.
	Again *movers.Movers `json:"again,omitempty"`
}

// A ShardRun is a run of candidates of one shard.
type ShardRun struct {
	Shard int `json:"shard"`
	Run
}

// A Find is the first state or step, in the order of codes, at which a property has to be reported.
type Find struct {
	Property int  `json:"property"`       // index
	Goal     bool `json:"goal,omitempty"` // the property is a goal, so the find is no violation
	Level    int  `json:"level"`          // of the state; 0: no state, and Beyond is an initial state
	State    Code `json:"state"`
	// Beyond is the end of the reported step from the state; nil: the state is reported.
	Beyond *Code `json:"beyond,omitempty"`
}

// length returns the number of states of the run to the find.
func (f *Find) length() int {
	if f.Beyond != nil {
		return f.Level + 1
	}
	return f.Level
}

// before reports whether the find has a shorter run than another one of the same property. With equal
// lengths the order is by level, so that the end of a step comes before a state, and then by code.
func (f *Find) before(g *Find) bool {
	return cmp.Or(f.length()-g.length(), f.Level-g.Level, Compare(f.State, g.State)) < 0
}

// Counts are the counts of expanded states, as in a report.
type Counts struct {
	Expanded   int64   `json:"expanded"` // states
	Generated  int64   `json:"generated"`
	Outside    int64   `json:"outside"`
	Beyond     int64   `json:"beyond"`
	Pruned     int64   `json:"pruned"`
	Stuck      int64   `json:"stuck"`
	StuckDepth int     `json:"stuck-depth,omitempty"`
	Quiet      int64   `json:"quiet"`
	Fired      []int64 `json:"fired"`      // per action
	Properties []int64 `json:"properties"` // per property
	// If Covered: Unchanged are the variables that never changed; Unmet are properties, each with a premise
	// that was never met; Unused means that no unit was in use.
	Covered   bool     `json:"covered,omitempty"`
	Unchanged []string `json:"unchanged,omitempty"`
	Unmet     []string `json:"unmet,omitempty"`
	Unused    bool     `json:"unused,omitempty"`
	// Broken has the properties of quiet states that have an Idle and fail in some state, quiet or not.
	Broken uint64 `json:"broken,omitempty"`
}

// Add adds the counts of another task.
func (c *Counts) Add(d *Counts) {
	c.Expanded += d.Expanded
	c.Generated += d.Generated
	c.Outside += d.Outside
	c.Beyond += d.Beyond
	c.Pruned += d.Pruned
	c.Stuck += d.Stuck
	c.Quiet += d.Quiet
	c.Broken |= d.Broken
	if c.StuckDepth == 0 || d.StuckDepth > 0 && d.StuckDepth < c.StuckDepth {
		c.StuckDepth = d.StuckDepth
	}
	addTo(&c.Fired, d.Fired)
	addTo(&c.Properties, d.Properties)
	switch {
	case !d.Covered:
	case !c.Covered:
		c.Covered, c.Unchanged, c.Unmet, c.Unused = true, d.Unchanged, d.Unmet, d.Unused
	default:
		c.Unchanged, c.Unmet = common(c.Unchanged, d.Unchanged), common(c.Unmet, d.Unmet)
		c.Unused = c.Unused && d.Unused
	}
}

// common returns what is in both lists.
func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(x string) bool { return !slices.Contains(b, x) })
}

// addTo adds numbers to others; either side may be empty.
func addTo(to *[]int64, more []int64) {
	*to = append(*to, make([]int64, max(0, len(more)-len(*to)))...)
	for i, x := range more {
		(*to)[i] += x
	}
}
