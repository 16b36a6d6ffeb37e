package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
)

// A Search is how far a search has come when a level is finished: with the files that it names, that is all
// there is to know of it.
type Search struct {
	Format int    `json:"format"`
	Model  string `json:"model"` // digest of the model, its parameters and properties
	// About is kept for the resumption.
	About  json.RawMessage `json:"about,omitempty"`
	Shards int             `json:"shards"` // a power of two
	Levels []int64         `json:"levels"` // states per level
	// Frontier has the states of the last level, which are still to be expanded: a file for each shard that
	// has any.
	Frontier []Run   `json:"frontier"`
	Visited  [][]Run `json:"visited"` // per shard: the codes of the states of all levels
	Counts   Counts  `json:"counts"`
	Finds    []Find  `json:"finds"`
	Seconds  float64 `json:"seconds"` // spent so far
	Sum      string  `json:"sum"`     // of all the rest: see encoded
}

// SearchFile is the name of the file in which a Search is saved.
const SearchFile = "search.json"

// NewSearch returns a search in which nothing was visited yet.
func NewSearch(model string, shards int) *Search {
	return &Search{Format: format, Model: model, Shards: shards,
		Visited: make([][]Run, shards)}
}

// Load reads a search. It is fs.ErrNotExist without one.
func Load(files Files) (*Search, error) {
	f, err := files.Open(SearchFile)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	b, err := io.ReadAll(f)
	s := &Search{}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", SearchFile, err)
	case json.Unmarshal(b, s) != nil:
		return nil, &DamagedError{SearchFile, "it is no JSON object of a search"}
	case s.Format != format:
		return nil, fmt.Errorf("%s has format %d, this program reads format %d", SearchFile, s.Format, format)
	}
	if again, err := s.encoded(); err != nil || !bytes.Equal(again, b) {
		return nil, &DamagedError{SearchFile, "it is not as it was written"}
	}
	return s, nil
}

// encoded is what the file has, with a checksum: a count that has another digit would else be believed.
func (s *Search) encoded() ([]byte, error) {
	x := *s
	x.Sum = ""
	b, err := json.Marshal(&x)
	if err != nil {
		return nil, err
	}
	x.Sum = fmt.Sprintf("%08x", crc32.Checksum(b, castagnoli))
	b, err = json.MarshalIndent(&x, "", "\t")
	return append(b, '\n'), err
}

// Save writes the search in place of the one that is there.
func (s *Search) Save(files Files) error {
	b, err := s.encoded()
	if err != nil {
		return err
	}
	f, err := files.Create(SearchFile)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err = f.Write(b); err != nil {
		return fmt.Errorf("%s: %w", SearchFile, err)
	}
	return f.Commit()
}

// Level is the level of the frontier. The initial states' is 1; 0: there is no level yet.
func (s *Search) Level() int { return len(s.Levels) }

// Exhausted reports whether no state is left to be expanded.
func (s *Search) Exhausted() bool { return s.Level() > 0 && s.Frontier == nil }

// States is how many states were visited.
func (s *Search) States() (n int64) {
	for _, level := range s.Levels {
		n += level
	}
	return n
}

// Bytes is how many bytes of files the search names.
func (s *Search) Bytes() (n int64) {
	for _, r := range s.Frontier {
		n += r.Bytes
	}
	for _, r := range slices.Concat(s.Visited...) {
		n += r.Bytes
	}
	return n
}

// Limits end a search before no state is left. The zero value ends it at the first violation only.
type Limits struct {
	KeepGoing bool  `json:"keep-going,omitempty"` // a violation does not end it
	MaxStates int64 `json:"max-states,omitempty"` // at the end of the level that reaches it; 0: no limit
	MaxDepth  int   `json:"max-depth,omitempty"`  // the states of this level are not expanded; 0: no limit
}

// Over returns why a search that has come to its present level goes no further; "" if it does.
func (l Limits) Over(s *Search) string {
	if l.MaxStates > 0 && s.States() >= l.MaxStates {
		return fmt.Sprintf("stopped at the end of the level with the limit of %d states", l.MaxStates)
	}
	return ""
}

// Plan returns the tasks of the level, at most most: the task of the initial states, if there is no level
// yet.
func (l Limits) Plan(s *Search, most int) []Expansion {
	if s.Level() == 0 {
		return []Expansion{s.First()}
	}
	tasks := s.Expansions(most)
	for i := range tasks {
		tasks[i].JudgeOnly = l.MaxDepth > 0 && s.Level() >= l.MaxDepth
	}
	return tasks
}

// Stops returns why a search stops when the tasks of its level are done; "" if it goes on. When it stops what
// was counted and found is taken in: all states of the level were judged.
func (l Limits) Stops(s *Search, done []Expanded) (why string) {
	violates := func(f Find) bool { return !f.Goal }
	switch {
	case l.MaxDepth > 0 && s.Level() >= l.MaxDepth:
		why = fmt.Sprintf("stopped at the limit of %d levels", l.MaxDepth)
	case !l.KeepGoing && slices.ContainsFunc(done, func(x Expanded) bool {
		return slices.ContainsFunc(x.Finds,
			violates)
	}):
		why = "stopped at the first violation"
	default:
		return ""
	}
	for i := range done {
		s.Counts.Add(&done[i].Counts)
		s.Note(done[i].Finds)
	}
	return why
}

// Expansions are the tasks of the level, at most most.
func (s *Search) Expansions(most int) (tasks []Expansion) {
	n := min(most, len(s.Frontier))
	for i := range n {
		t := Expansion{Model: s.Model, Level: s.Level(), Shards: s.Shards,
			Output: candidates(s.Level() + 1)}
		for _, r := range s.Frontier[i*len(s.Frontier)/n : (i+1)*len(s.Frontier)/n] {
			t.Inputs = append(t.Inputs, r.Name)
		}
		tasks = append(tasks, t)
	}
	return tasks
}

// candidates is the folder with the candidates of a level.
func candidates(level int) string { return fmt.Sprintf("level-%06d/candidates", level) }

// First is the task that writes the initial states.
func (s *Search) First() Expansion {
	return Expansion{Model: s.Model, Shards: s.Shards, Output: candidates(1)}
}

// Mergings are the tasks that make the next level of what the expansions of this one wrote.
func (s *Search) Mergings(done []Expanded) (tasks []Merging) {
	level := s.Level() + 1
	for shard := range s.Shards {
		t := Merging{
			Model: s.Model, Level: level, Shard: shard,
			Frontier: fmt.Sprintf("level-%06d/frontier-%03d.states", level, shard),
			Codes:    fmt.Sprintf("visited-%03d/level-%06d.codes", shard, level),
		}
		for _, e := range done {
			for _, r := range e.Runs {
				if r.Shard == shard {
					t.Candidates = append(t.Candidates, r.Name)
				}
			}
		}
		for _, r := range s.Visited[shard] {
			t.Visited = append(t.Visited, r.Name)
		}
		if t.Candidates != nil {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// Advance goes on to the next level, whose tasks are done. It returns the names of files and folders
// that are not needed any more once that is saved.
func (s *Search) Advance(done []Expanded, tasks []Merging, merged []Merged) (obsolete []string) {
	for _, r := range s.Frontier {
		obsolete = append(obsolete, r.Name)
	}
	obsolete = append(obsolete, candidates(s.Level()+1))
	for i := range done {
		s.Counts.Add(&done[i].Counts)
		s.Note(done[i].Finds)
	}
	var states int64
	s.Frontier = nil
	for i, m := range merged {
		if m.Codes.States > 0 {
			states += m.Codes.States
			s.Frontier = append(s.Frontier, m.Frontier)
			s.Visited[tasks[i].Shard] = append(s.Visited[tasks[i].Shard], m.Codes)
		}
	}
	if states > 0 {
		s.Levels = append(s.Levels, states)
	}
	return obsolete
}

// Note takes finds in: of each property the first is kept, in the order of lengths, levels and codes.
func (s *Search) Note(finds []Find) {
	for _, f := range finds {
		i := slices.IndexFunc(s.Finds, func(g Find) bool { return g.Property == f.Property })
		if i < 0 {
			s.Finds = append(s.Finds, f)
		} else if f.before(&s.Finds[i]) {
			s.Finds[i] = f
		}
	}
}

// Violated reports whether something was found that is not the answer to a question.
func (s *Search) Violated() bool {
	return slices.ContainsFunc(s.Finds, func(f Find) bool { return !f.Goal })
}

// mostRuns is how many runs of a shard are compared with candidates before some are made one.
const mostRuns = 24

// Compactings are the tasks that compact runs of shards that have many.
func (s *Search) Compactings() (tasks []Compacting) {
	for shard, runs := range s.Visited {
		if len(runs) <= mostRuns {
			continue
		}
		n, first, least := mostRuns/2, 0, int64(-1)
		for i := range len(runs) - n + 1 {
			bytes := int64(0)
			for _, r := range runs[i : i+n] {
				bytes += r.Bytes
			}
			if least < 0 || bytes < least {
				first, least = i, bytes
			}
		}
		t := Compacting{Model: s.Model, Shard: shard, Runs: slices.Clone(runs[first : first+n])}
		last := t.Runs[n-1].Last
		t.Output = fmt.Sprintf("visited-%03d/levels-%06d-%06d.codes", shard, t.Runs[0].First, last)
		tasks = append(tasks, t)
	}
	return tasks
}

// Replace puts what came of a Compacting in place of its runs, which it returns: once that is saved they are
// not needed.
func (s *Search) Replace(t Compacting, by Run) (obsolete []string) {
	runs := s.Visited[t.Shard]
	at := slices.IndexFunc(runs, func(r Run) bool { return r.Name == t.Runs[0].Name })
	s.Visited[t.Shard] = slices.Replace(slices.Clone(runs), at, at+len(t.Runs), by)
	for _, r := range t.Runs {
		obsolete = append(obsolete, r.Name)
	}
	return obsolete
}

// Missing reports whether an error says that there is no file.
func Missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
