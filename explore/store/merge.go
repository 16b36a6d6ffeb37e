package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A Run is a file of a search.
type Run struct {
	Name   string `json:"name"`
	First  int    `json:"first"` // levels of its states
	Last   int    `json:"last"`
	States int64  `json:"states"`
	Bytes  int64  `json:"bytes"`
}

func names(runs []Run) (all []string) {
	for _, r := range runs {
		all = append(all, r.Name)
	}
	return all
}

func bytesOf(runs []Run) (n int64) {
	for _, r := range runs {
		n += r.Bytes
	}
	return n
}

// A Merging is a task: it finds the new states among the candidates of one shard. Without a Frontier the
// candidates are runs of visited codes, and the task makes one run of them.
type Merging struct {
	Model      string   `json:"model"` // digest
	Level      int      `json:"level"` // of the candidates
	Shard      int      `json:"shard"`
	Candidates []string `json:"candidates"` // files of states, or of codes
	Visited    []string `json:"visited"`    // files of codes, all of this shard
	// Frontier and Codes are the files to write, for the new states and for their codes. If no state is
	// new, the task writes neither.
	Frontier string `json:"frontier,omitempty"`
	Codes    string `json:"codes"`
}

// Merged is the result of a Merging: the runs of the written files, with 0 states for a file that was not
// written.
type Merged struct {
	Frontier Run `json:"frontier"`
	Codes    Run `json:"codes"`
}

// Merge does the task. Of equal candidates it keeps one, with the least origin and the tag that leaves out
// the most steps, so that the number of runs does not matter. If ctx ends first, the error is its cause.
func Merge(ctx context.Context, files Files, t Merging) (m Merged, err error) {
	g := merger{files: files, task: t, scratch: scratches.Get().(*scratch)}
	defer g.close()
	kind := States
	if t.Frontier == "" {
		kind = Codes
	}
	if g.in, err = openAll(files, t.Model, kind, t.Candidates); err != nil {
		return m, err
	}
	for _, r := range g.in {
		if g.in[0].Header.Columns != r.Header.Columns || g.in[0].Words != r.Words {
			return m, r.Damaged("its states do not have the same parts as in " + t.Candidates[0])
		}
		g.numbers = append(g.numbers, make([][]uint32, r.Header.Columns))
	}
	if g.visited, err = openAll(files, t.Model, Codes, t.Visited); err != nil {
		return m, err
	}
	for g.refs = gather(g.in, g.refs[:0]); len(g.refs) > 0; g.refs = gather(g.in, g.refs[:0]) {
		if err = errors.Join(context.Cause(ctx), g.step()); err != nil {
			return m, err
		}
	}
	if g.codes != nil && g.frontier != nil {
		m.Frontier, err = g.frontier.Close()
	}
	if g.codes != nil && err == nil {
		m.Codes, err = g.codes.Close()
	}
	return m, err
}

// openAll opens files of a kind. The caller closes the returned files, also after an error.
func openAll(files Files, model, kind string, names []string) (all []*Reader, err error) {
	for _, name := range names {
		r, err := Open(files, name, kind, model)
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

// A merger does a Merging, a few thousand candidates at a time: up to the least code at the end of a current
// block of the files of candidates.
type merger struct {
	files   Files
	task    Merging
	in      []*Reader
	visited []*Reader
	// numbers maps a file of candidates, a column and the number of a component in it to 1 + its number in
	// the Frontier; 0: no number yet.
	numbers [][][]uint32
	*scratch
	frontier *Writer
	codes    *Writer
}

// A scratch is the memory of a merger for the current candidates.
type scratch struct {
	refs   []Ref // Of is the index of the file of candidates, At the row in its block
	sorter Sorter
	sieve  sieve
	known  []bool // per candidate, in the order of codes: it was visited before
	fresh  Batch  // the new ones
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// step writes the new candidates among refs, and reads the next block of each file whose block is used up.
func (g *merger) step() error {
	g.unite(g.sorter.Sort(g.refs))
	if err := g.sift(); err != nil {
		return err
	}
	if err := g.write(); err != nil {
		return err
	}
	for _, r := range g.in {
		if r.Rows > 0 && r.taken == r.Rows {
			if err := r.block(); err != nil {
				return err
			}
		}
	}
	return nil
}

// unite keeps the first of equal candidates, united with the others. Runs of visited codes have none.
func (g *merger) unite(sorted []Ref) {
	g.refs, g.known = g.refs[:0], g.known[:0]
	for i := range sorted {
		c := &sorted[i]
		if n := len(g.refs); n > 0 && g.refs[n-1].Code == c.Code && g.task.Frontier != "" {
			s, first := g.in[c.Of], &g.refs[n-1]
			kept := g.in[first.Of].Columns
			Unite(&kept[ColumnOrigin][first.At], &kept[ColumnTag][first.At], s.Columns[ColumnOrigin][c.At],
				s.Columns[ColumnTag][c.At])
			continue
		}
		g.refs, g.known = append(g.refs, *c), append(g.known, false)
	}
}

// sift marks the candidates that were visited before.
func (g *merger) sift() error {
	g.sieve.fill(g.refs)
	first, last := g.refs[0].Hi, g.refs[len(g.refs)-1].Code
	for _, v := range g.visited {
		for v.Rows > 0 {
			high := v.high[v.taken:]
			i := 0
			for ; i < len(high) && high[i] < first; i++ { // codes between the last step and this one
			}
			for ; i < len(high) && high[i] < last.Hi; i++ {
				if g.sieve.may(high[i]) {
					g.mark(v.Code(v.taken + i))
				}
			}
			for ; i < len(high) && !less(last, v.Code(v.taken+i)); i++ {
				g.mark(v.Code(v.taken + i))
			}
			if v.taken += i; v.taken < v.Rows {
				break
			}
			if err := v.block(); err != nil {
				return err
			}
		}
	}
	return nil
}

// mark marks the candidate with a code, if one has it.
func (g *merger) mark(c Code) {
	at, n := g.sieve.find(c.Hi)
	for ; n > 0; at, n = at+1, n-1 {
		if g.refs[at].Lo == c.Lo {
			g.known[at] = true
		}
	}
}

func (g *merger) write() error {
	b := &g.fresh
	b.Reset(g.in[0].Header.Columns)
	n := 0
	for i, c := range g.refs {
		if !g.known[i] {
			g.refs[n] = c
			n++
			b.Codes = append(b.Codes, c.Code)
		}
	}
	if n == 0 {
		return nil
	}
	if g.codes == nil {
		if err := g.create(); err != nil {
			return err
		}
	}
	for k := range b.Columns {
		for _, c := range g.refs[:n] {
			s := g.in[c.Of]
			x := s.Columns[k][c.At]
			if s.numbered(k) {
				component := func() []byte { return s.Components[k][x] }
				x = g.frontier.Renumber(k, &g.numbers[c.Of][k], x, component)
			}
			b.Columns[k] = append(b.Columns[k], x)
		}
	}
	if g.frontier != nil {
		if err := g.frontier.Add(b); err != nil {
			return fmt.Errorf("%s: %w", g.task.Frontier, err)
		}
	}
	if err := g.codes.Add(&Batch{b.Codes, b.Columns[:ColumnOrigin+1]}); err != nil {
		return fmt.Errorf("%s: %w", g.task.Codes, err)
	}
	return nil
}

func (g *merger) create() (err error) {
	h := g.in[0].Header
	h.Level, h.Shard = g.task.Level, g.task.Shard
	if g.task.Frontier != "" {
		if g.frontier, err = Create(g.files, g.task.Frontier, h); err != nil {
			return err
		}
	}
	h.Kind, h.Columns, h.Words = Codes, 1, false
	g.codes, err = Create(g.files, g.task.Codes, h)
	return err
}

// close closes the files that were read, and discards files that were not written to the end.
func (g *merger) close() {
	scratches.Put(g.scratch)
	for _, r := range slices.Concat(g.in, g.visited) {
		_ = r.Close() // nothing was written
	}
	for _, w := range []*Writer{g.frontier, g.codes} {
		if w != nil {
			w.Discard()
		}
	}
}
