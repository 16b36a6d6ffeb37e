package store

import "slices"

// An Expansion is a task: the states in files of the frontier are judged, and their successors written as
// runs of candidates.
type Expansion struct {
	Model  string   `json:"model"` // digest
	Level  int      `json:"level"` // of the states; 0: there are none, the initial states are to be written
	Shards int      `json:"shards"`
	Inputs []string `json:"inputs"` // files of states
	// Output is the folder of the runs. Their names are other ones whenever the task is done.
	Output string `json:"output"`
	// JudgeOnly: no successors are wanted.
	JudgeOnly bool `json:"judge-only,omitempty"`
}

// Expanded is the result of an Expansion.
type Expanded struct {
	States int64      `json:"states"` // that were read
	Runs   []ShardRun `json:"runs"`
	Counts Counts     `json:"counts"`
	Finds  []Find     `json:"finds"`
}

// A ShardRun is a run of candidates of one shard.
type ShardRun struct {
	Shard int `json:"shard"`
	Run
}

// A Find is the first state or step, in the order of codes, at which a property has to be reported.
type Find struct {
	Property int  `json:"property"`       // index
	Goal     bool `json:"goal,omitempty"` // the property asks for such a state, so that nothing is violated
	Level    int  `json:"level"`          // of the state; 0: no state, and Beyond is an initial state
	State    Code `json:"state"`
	// the end of the step from the state that is reported; nil: it is the state
	Beyond *Code `json:"beyond,omitempty"`
}

// length returns how many states the run to the find has.
func (f *Find) length() int {
	if f.Beyond != nil {
		return f.Level + 1
	}
	return f.Level
}

// before reports whether the find comes before another one of the same property: a state that is
// judged before its level is expanded comes before the end of a step from that level.
func (f *Find) before(g *Find) bool {
	if f.length() != g.length() {
		return f.length() < g.length()
	}
	if f.Level != g.Level {
		return f.Level < g.Level
	}
	return compare(f.State, g.State) < 0
}

// Counts are what was counted when states were expanded, as in a report.
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
	// Unchanged are the variables that never changed, and Unused says that no unit was in use, if Covered.
	Covered   bool     `json:"covered,omitempty"`
	Unchanged []string `json:"unchanged,omitempty"`
	Unused    bool     `json:"unused,omitempty"`
	// Broken has the properties of quiet states that have an Idle and fail in some state, quiet or not.
	Broken uint64 `json:"broken,omitempty"`
}

// Add adds what was counted in another task.
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
		c.Covered, c.Unchanged, c.Unused = true, d.Unchanged, d.Unused
	default:
		c.Unused = c.Unused && d.Unused
		c.Unchanged = slices.DeleteFunc(slices.Clone(c.Unchanged), func(name string) bool {
			return !slices.Contains(d.Unchanged, name)
		})
	}
}

// addTo adds numbers to others; either side may be empty.
func addTo(to *[]int64, more []int64) {
	*to = append(*to, make([]int64, max(0, len(more)-len(*to)))...)
	for i, x := range more {
		(*to)[i] += x
	}
}
