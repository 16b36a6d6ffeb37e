package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/usage"
)

// A Search is the state of a search after a finished level. Together with the files that it names it is
// sufficient to resume the search.
type Search struct {
	Format int    `json:"format"`
	Model  string `json:"model"` // digest of the model, its parameters and properties
	// About is saved for the resumption: explore.Store.About.
	About  json.RawMessage `json:"about,omitempty"`
	Shards int             `json:"shards"` // a power of two
	Levels []int64         `json:"levels"` // states per level
	// Frontier has the states of the last level, which are not expanded yet: a file for each shard that has
	// such states.
	Frontier []Run   `json:"frontier"`
	Visited  [][]Run `json:"visited"` // per shard: the codes of the states of all levels
	// Memos have what the proof of a reduction needs, a file for each level: see WriteMemos.
	Memos []Run `json:"memos,omitempty"`
	// Attempt counts how often it began again, and Movers are those with which it did.
	Attempt int            `json:"attempt,omitempty"`
	Movers  *movers.Movers `json:"movers,omitempty"`
	Counts  Counts         `json:"counts"`
	// Judged, if not nil: the states of the frontier were judged, and these are the counts without them.
	Judged  *Counts `json:"judged,omitempty"`
	Finds   []Find  `json:"finds"`
	Seconds float64 `json:"seconds"` // spent so far
	Sum     string  `json:"sum"`     // checksum of the other fields: see encoded
}

// SearchFile is the name of the file in which a Search is saved.
const SearchFile = "search.json"

// NewSearch returns a search that has not visited a state yet.
func NewSearch(model string, shards int) *Search {
	return &Search{Format: format, Model: model, Shards: shards, Visited: make([][]Run, shards)}
}

// Load reads a search. The error is fs.ErrNotExist without one.
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
		return nil, usage.Errorf("%s has format %d, this program reads format %d", SearchFile, s.Format,
			format)
	}
	if again, err := s.encoded(); err != nil || !bytes.Equal(again, b) {
		return nil, &DamagedError{SearchFile, "it is not as it was written"}
	}
	return s, nil
}

// encoded returns the content of the file, with a checksum, which detects a damaged digit of a count.
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

// Save writes the search. It replaces a saved one, unless that has gone further: a paused process saves late.
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
	_, err = f.Write(b)
	if file, is := f.(interface{ Sync() error }); is && err == nil { // before it replaces the saved one
		err = file.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", SearchFile, err)
	}
	if is, err := Load(files); err == nil && is.Model == s.Model &&
		cmp.Or(is.number(is.Level())-s.number(s.Level()), len(s.Frontier)-len(is.Frontier)) > 0 {
		return nil
	}
	return f.Commit()
}

// Level returns the level of the frontier. Initial states have level 1; 0: no level yet.
func (s *Search) Level() int { return len(s.Levels) }

// Exhausted reports whether no state is left to expand.
func (s *Search) Exhausted() bool { return s.Level() > 0 && s.Frontier == nil }

// States returns the number of states visited.
func (s *Search) States() (n int64) {
	for _, level := range s.Levels {
		n += level
	}
	return n
}

// Bytes returns the size of the files that the search names, in bytes.
func (s *Search) Bytes() int64 { return bytesOf(s.runs()) }

// runs returns all files. The names end in their kinds.
func (s *Search) runs() []Run {
	return slices.Concat(append([][]Run{s.Frontier, s.Memos}, s.Visited...)...)
}

// Names returns the names of all files.
func (s *Search) Names() []string { return names(s.runs()) }

// Limits end a search early. The zero value ends it at the first violation only.
type Limits struct {
	KeepGoing bool  `json:"keep-going,omitempty"` // a violation does not end it
	MaxStates int64 `json:"max-states,omitempty"` // at the end of the level that reaches it; 0: no limit
	MaxDepth  int   `json:"max-depth,omitempty"`  // the states of this level are not expanded; 0: no limit
	Finds     int   `json:"finds,omitempty"`      // at the end of the level with this many; 0: no limit
}

// plan returns the tasks of the level, at most most; before the first level it returns the task of the
// initial states.
func (l Limits) plan(s *Search, most int) (tasks []Expansion) {
	all := Expansion{Model: s.Model, Level: s.Level(), Shards: s.Shards, Output: s.candidates(),
		JudgeOnly: l.last(s) != "", Movers: s.Movers, Memos: s.Memos}
	if s.Level() == 0 {
		return []Expansion{all}
	}
	n := min(most, len(s.Frontier))
	for i := range n {
		t := all
		t.Inputs = names(s.Frontier[i*len(s.Frontier)/n : (i+1)*len(s.Frontier)/n])
		tasks = append(tasks, t)
	}
	return tasks
}

// last returns the reason that the states of the level are judged and not expanded, a sentence; "": they are
// expanded. What ends a search in memory ends it here: the states behind a violated step are judged, too.
func (l Limits) last(s *Search) string {
	switch {
	case s.Level() == 0:
		return ""
	case !l.KeepGoing && s.Violated():
		return atViolation
	case l.MaxStates > 0 && s.States() >= l.MaxStates:
		return AtLimit("the end of the level with the limit", l.MaxStates, "state")
	case l.MaxDepth > 0 && s.Level() >= l.MaxDepth:
		return AtLimit("the limit", int64(l.MaxDepth), "level")
	}
	return ""
}

const atViolation = "stopped at the first violation"

// candidates returns the folder with the candidates of the next level.
func (s *Search) candidates() string {
	return fmt.Sprintf("level-%06d/candidates", s.number(s.Level()+1))
}

// number stands for a level in names of files. A lost worker may still write files of an earlier attempt.
func (s *Search) number(level int) int { return level + 1_000_000*s.Attempt }

// again begins the search again, and returns the names of its files.
func (s *Search) again(with *movers.Movers) []string {
	is := *s
	*s = *NewSearch(s.Model, s.Shards)
	s.About, s.Movers, s.Attempt = is.About, with, is.Attempt+1
	return append(is.Names(), is.candidates())
}

// Tasks are the functions that do the tasks of a level, in one process or on many machines.
type Tasks struct {
	// Expand returns the reason that the search cannot go on, a sentence, in place of results; "": it can.
	Expand func([]Expansion) (done []Expanded, stopped string, err error)
	// Merge does tasks that are independent of each other.
	Merge func([]Merging) ([]Merged, error)
}

// ErrInternal is wrapped by errors that can only be a mistake in this program.
var ErrInternal = errors.New("internal error")

// AtLimit says why a search stopped: at (where) a number of levels or states.
func AtLimit(where string, n int64, unit string) string {
	if n > 1 {
		unit += "s"
	}
	return fmt.Sprintf("stopped at %s of %d %s", where, n, unit)
}

// Next goes on to the next level, with at most most expansions. If the search stops instead, stopped is the
// reason, a sentence. At a limit or a violation all states of the level were judged, and the search has its
// counts and finds; otherwise the search is unchanged. obsolete are the names of files and folders that are
// not needed any more after the search is saved.
func (l Limits) Next(s *Search, most int, do Tasks) (stopped string, obsolete []string, err error) {
	switch {
	case l.Finds > 0 && len(s.Finds) >= l.Finds:
		return "all was found", nil, nil
	case !l.KeepGoing && s.Violated() && s.Judged != nil: // it is resumed
		return atViolation, nil, nil
	}
	if s.Judged != nil { // they are judged again
		s.Counts, s.Judged = *s.Judged, nil
	}
	done, last, stopped, err := l.expand(s, most, do)
	if err != nil || stopped != "" {
		return stopped, nil, err
	}
	level, stopped, err := l.end(s, done, do)
	switch {
	case err != nil || stopped != "":
		return stopped, nil, err
	case level.Again != nil:
		return "", s.again(level.Again), nil
	}
	var merged []Merged
	mergings := s.mergings(done)
	if n := s.Level(); n > 0 && level.States != s.Levels[n-1] {
		return "", nil, fmt.Errorf("%w: level %d has %d states, and %d were read", ErrInternal, n,
			s.Levels[n-1], level.States)
	}
	if last == "" {
		if merged, err = do.Merge(mergings); err != nil {
			return "", nil, err
		}
	}
	if l.violated(done) && !slices.ContainsFunc(merged, func(m Merged) bool { return m.Codes.States > 0 }) {
		last = atViolation
	}
	if last != "" {
		s.Judged = &Counts{}
		s.Judged.Add(&s.Counts)
	}
	s.Counts.Add(&level.Counts)
	s.Note(level.Finds)
	if s.Memos = level.Memos; last != "" {
		return last, []string{s.candidates()}, nil
	}
	obsolete = s.advance(mergings, merged)
	compactings := s.compactings()
	if compactings == nil {
		return "", obsolete, nil
	}
	if merged, err = do.Merge(compactings); err != nil {
		return "", obsolete, err
	}
	for i, t := range compactings {
		s.replace(t, merged[i].Codes)
		obsolete = append(obsolete, t.Candidates...)
	}
	return "", obsolete, nil
}

// violated reports whether the results of tasks have a violation that ends the search.
func (l Limits) violated(done []Expanded) bool {
	return !l.KeepGoing && slices.ContainsFunc(done, func(x Expanded) bool {
		return (&Search{Finds: x.Finds}).Violated()
	})
}

// expand expands the level. last is the reason that it is the last one, and its states are only judged. As in
// memory, a violated state ends the search before its level is expanded, and a violated step after that.
func (l Limits) expand(s *Search, most int, do Tasks) (done []Expanded, last, stopped string, err error) {
	last = l.last(s)
	done, stopped, err = do.Expand(l.plan(s, most))
	if last != "" || s.Level() == 0 || !l.violated(done) {
		return done, last, stopped, err
	}
	only, stopped, err := do.Expand(Limits{MaxDepth: 1}.plan(s, most)) // at this limit states are only judged
	if l.violated(only) {
		done, last = only, atViolation
	}
	return done, last, stopped, err
}

// end adds up the results of the tasks of a level, and has one process join and judge what they kept.
func (l Limits) end(s *Search, done []Expanded, do Tasks) (all Expanded, stopped string, err error) {
	task := l.plan(s, 1)
	for i := range done {
		all.States += done[i].States
		all.Counts.Add(&done[i].Counts)
		all.Finds, all.Again = append(all.Finds, done[i].Finds...), cmp.Or(all.Again, done[i].Again)
		task[0].Ends = append(task[0].Ends, done[i].Memos...)
	}
	if all.Memos = s.Memos; task[0].Ends == nil || all.Again != nil {
		return all, "", nil
	}
	if done, stopped, err = do.Expand(task); err == nil && stopped == "" {
		all.Memos, all.Again = done[0].Memos, done[0].Again
	}
	return all, stopped, err
}

// mergings returns the tasks that make the next level from the runs that the expansions of this level wrote.
func (s *Search) mergings(done []Expanded) (tasks []Merging) {
	level := s.Level() + 1
	for shard := range s.Shards {
		t := Merging{
			Model: s.Model, Level: level, Shard: shard,
			Frontier: fmt.Sprintf("level-%06d/frontier-%03d.states", s.number(level), shard),
			Codes:    fmt.Sprintf("visited-%03d/level-%06d.codes", shard, s.number(level)),
			Visited:  names(s.Visited[shard]),
		}
		for _, e := range done {
			for _, r := range e.Runs {
				if r.Shard == shard {
					t.Candidates = append(t.Candidates, r.Name)
				}
			}
		}
		if t.Candidates != nil {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// advance makes the merged states the frontier, and returns the names of the files and folders of the level
// before.
func (s *Search) advance(tasks []Merging, merged []Merged) (obsolete []string) {
	obsolete = append(names(s.Frontier), s.candidates())
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

// Note adds finds. It keeps one per property: the first in the order of lengths, levels and codes.
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

// Violated reports whether a violation was found: a find of a property that is not a goal.
func (s *Search) Violated() bool {
	return slices.ContainsFunc(s.Finds, func(f Find) bool { return !f.Goal })
}

// mostRuns is the largest number of runs of a shard that are compared with candidates: see compactings.
const mostRuns = 24

// compactings returns a task for each shard with more than mostRuns runs, which merges half of mostRuns into
// one: the neighbours with the fewest bytes.
func (s *Search) compactings() (tasks []Merging) {
	for shard, runs := range s.Visited {
		if len(runs) <= mostRuns {
			continue
		}
		n, first, least := mostRuns/2, 0, int64(-1)
		for i := range len(runs) - n + 1 {
			if bytes := bytesOf(runs[i : i+n]); least < 0 || bytes < least {
				first, least = i, bytes
			}
		}
		runs = runs[first : first+n]
		name := fmt.Sprintf("visited-%03d/levels-%06d-%06d.codes", shard, s.number(runs[0].First),
			s.number(runs[n-1].Last))
		tasks = append(tasks, Merging{Model: s.Model, Level: runs[0].First, Shard: shard,
			Candidates: names(runs), Codes: name})
	}
	return tasks
}

// replace puts the result of a compacting in place of its candidates.
func (s *Search) replace(t Merging, by Run) {
	runs, n := s.Visited[t.Shard], len(t.Candidates)
	at := slices.IndexFunc(runs, func(r Run) bool { return r.Name == t.Candidates[0] })
	by.Last = runs[at+n-1].Last
	s.Visited[t.Shard] = slices.Replace(slices.Clone(runs), at, at+n, by)
}

// Missing reports whether an error is about a file that does not exist.
func Missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Verify reads all files of a search once, and returns a *DamagedError for a file that is not as it was
// written, even if the search would not read the damaged part again. each calls do for every number below n,
// possibly in parallel. So is read called, with the bytes read since its last call. If ctx ends first, the
// error is its cause.
func (s *Search) Verify(ctx context.Context, files Files, each func(n int, do func(i int)),
	read func(bytes int)) error {
	all := s.runs()
	errs := make([]error, len(all))
	each(len(all), func(i int) {
		errs[i] = s.verify(ctx, files, all[i], path.Ext(all[i].Name)[1:], read)
	})
	return cmp.Or(errs...)
}

func (s *Search) verify(ctx context.Context, files Files, r Run, kind string, read func(bytes int)) error {
	f, err := open(files, r.Name, kind, s.Model)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	for b := []byte{}; b != nil && err == nil; read(len(b)) {
		if b, err = f.frame(); err == nil {
			err = context.Cause(ctx)
		}
	}
	if err == nil && f.size != r.Bytes {
		err = f.Damaged("its length is not as it was written")
	}
	return err
}
