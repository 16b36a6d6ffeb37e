package store

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/atmostk/atmostk/explore/kernel"
)

// A Run is a file of a search.
type Run struct {
	Name   string `json:"name"`
	First  int    `json:"first"` // levels of its states
	Last   int    `json:"last"`
	States int64  `json:"states"`
	Bytes  int64  `json:"bytes"`
}

// A Merging is a task: what runs of candidates of one shard have that was not visited is new.
type Merging struct {
	Model      string   `json:"model"` // digest
	Level      int      `json:"level"` // of the candidates
	Shard      int      `json:"shard"`
	Descended  bool     `json:"descended,omitempty"` // the candidates know their founders: see Passed
	Candidates []string `json:"candidates"`          // files of states
	Visited    []string `json:"visited"`             // files of codes, all of this shard
	// The files to be written: the new states, and their codes. Where no state is new none is written.
	Frontier string `json:"frontier"`
	Codes    string `json:"codes"`
}

// Merged is what came of a Merging: the runs of the files written, without states if none was.
type Merged struct {
	Frontier Run `json:"frontier"`
	Codes    Run `json:"codes"`
}

// Merge does the task. Of equal candidates one is kept, with the least of their origins, and of
// their tags the one that leaves out most, so that it does not matter in how many runs they come. If
// ctx is done before, its cause is the error.
func Merge(ctx context.Context, files Files, t Merging) (m Merged, err error) {
	g := merger{files: files, task: t, scratch: scratches.Get().(*scratch)}
	defer g.close()
	for _, name := range t.Candidates {
		r, err := OpenStates(files, name, t.Model)
		if err != nil {
			return m, err
		}
		g.in = append(g.in, &source{StatesReader: r, numbers: make([][]uint32, r.Header.Parts)})
		if g.in[0].Header.Parts != r.Header.Parts || g.in[0].Words != r.Words || g.in[0].Bits != r.Bits {
			return m, r.damaged("its states have other parts or codes than those of " + t.Candidates[0])
		}
	}
	for _, name := range t.Visited {
		r, err := openCodes(files, name, t.Model)
		if err != nil {
			return m, err
		}
		g.visited = append(g.visited, r)
		if g.in[0].Bits != r.Bits {
			return m, r.damaged("its codes are shorter or longer than those of " + t.Candidates[0])
		}
	}
	for g.gather() {
		if err = errors.Join(context.Cause(ctx), g.step()); err != nil {
			return m, err
		}
	}
	if g.codes == nil {
		return m, nil
	}
	frontier, codes := g.frontier, g.codes
	g.frontier, g.codes = nil, nil
	if m.Frontier, err = frontier.Close(); err != nil {
		codes.f.Discard()
		return m, err
	}
	m.Codes = m.Frontier
	if err = codes.close(); err != nil {
		return m, err
	}
	m.Codes.Bytes = codes.size
	m.Frontier.Name, m.Codes.Name = t.Frontier, t.Codes
	return m, nil
}

// A merger does a Merging, some thousand candidates at a time: those up to the least code with which the
// block of a source ends.
type merger struct {
	files   Files
	task    Merging
	in      []*source
	visited []*codesReader
	*scratch
	frontier *States
	codes    *codesWriter
}

// A scratch is what a merger needs for the candidates at hand.
type scratch struct {
	refs   []Ref // Of is the source and At where it is in its block
	sorter Sorter
	sieve  sieve
	known  []bool // per candidate, in the order of their codes: it was visited
	fresh  Batch  // those that are new
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// A source is a file of candidates. numbers are, per part, 1 + the number in the file that is written of the
// component with a number here; 0: it was not needed yet.
type source struct {
	*StatesReader
	numbers [][]uint32
	at      int // the first state of the block that was not gathered yet
}

// gather takes up the next candidates, and reports whether there are any.
func (g *merger) gather() bool {
	var last *Code
	for _, s := range g.in {
		if s.ended {
			continue
		}
		if end := &s.Codes[len(s.Codes)-1]; last == nil || Less(*end, *last) {
			last = end
		}
	}
	g.refs = g.refs[:0]
	for i, s := range g.in {
		for ; !s.ended && s.at < len(s.Codes) && !Less(*last, s.Codes[s.at]); s.at++ {
			g.refs = append(g.refs, Ref{s.Codes[s.at], uint32(i), uint32(s.at)})
		}
	}
	return last != nil
}

// step writes those candidates that are new, and reads on.
func (g *merger) step() error {
	g.unite(g.sorter.Sort(g.refs))
	if err := g.sift(); err != nil {
		return err
	}
	if err := g.write(); err != nil {
		return err
	}
	for _, s := range g.in {
		if !s.ended && s.at == len(s.Codes) {
			if _, err := s.Block(); err != nil {
				return err
			}
			s.at = 0
		}
	}
	return nil
}

// unite makes one of equal candidates, where the first of them is.
func (g *merger) unite(sorted []Ref) {
	g.refs, g.known = g.refs[:0], g.known[:0]
	for i := range sorted {
		c := &sorted[i]
		if n := len(g.refs); n > 0 && g.refs[n-1].Code == c.Code {
			s, first := g.in[c.Of], &g.refs[n-1]
			origin, tag := &g.in[first.Of].Origins[first.At], &g.in[first.Of].Tags[first.At]
			*origin = min(*origin, s.Origins[c.At])
			*tag = uint32(kernel.SleepTag(*tag).Over(kernel.SleepTag(s.Tags[c.At])))
			continue
		}
		g.refs, g.known = append(g.refs, *c), append(g.known, false)
	}
}

// sift marks the candidates that were visited.
func (g *merger) sift() error {
	g.sieve.fill(g.refs)
	first, last := g.refs[0].Hi, g.refs[len(g.refs)-1].Code
	for _, v := range g.visited {
		for !v.ended {
			high := v.high[v.at:]
			i := 0
			for ; i < len(high) && high[i] < first; i++ { // those between this step and the one before
			}
			for ; i < len(high) && high[i] < last.Hi; i++ {
				if g.sieve.may(high[i]) {
					g.mark(v.code(v.at + i))
				}
			}
			for ; i < len(high) && !Less(last, v.code(v.at+i)); i++ {
				g.mark(v.code(v.at + i))
			}
			if v.at += i; v.at < len(v.high) {
				break
			}
			if err := v.block(); err != nil {
				return err
			}
		}
	}
	return nil
}

// mark marks the candidate that has a code, if there is one.
func (g *merger) mark(c Code) {
	at, n := g.sieve.find(c.Hi)
	for ; n > 0; at, n = at+1, n-1 {
		if g.refs[at].Lo == c.Lo {
			g.known[at] = true
		}
	}
}

// write writes the candidates that are new.
func (g *merger) write() error {
	b := &g.fresh
	b.Reset(g.in[0].Header.Parts)
	n := 0
	for i := range g.refs {
		if g.known[i] {
			continue
		}
		c := g.refs[i]
		g.refs[n] = c
		n++
		s := g.in[c.Of]
		origin := s.Origins[c.At]
		if g.task.Descended {
			origin = uint32(uint16(origin)) // the choice among parents is made
		}
		b.Codes, b.Origins = append(b.Codes, c.Code), append(b.Origins, origin)
		b.Tags = append(b.Tags, s.Tags[c.At])
	}
	if n == 0 {
		return nil
	}
	if g.codes == nil {
		if err := g.create(); err != nil {
			return err
		}
	}
	for k := range b.Parts {
		for _, c := range g.refs[:n] {
			s := g.in[c.Of]
			x := s.Parts[k][c.At]
			if !s.Words {
				x = g.renumber(s, k, x)
			}
			b.Parts[k] = append(b.Parts[k], x)
		}
	}
	if err := g.frontier.Add(b); err != nil {
		return fmt.Errorf("%s: %w", g.task.Frontier, err)
	}
	if err := g.codes.add(b.Codes, b.Origins); err != nil {
		return fmt.Errorf("%s: %w", g.task.Codes, err)
	}
	return nil
}

// renumber returns the number, in the file that is written, of a component of a source.
func (g *merger) renumber(s *source, part int, x uint32) uint32 {
	for len(s.numbers[part]) <= int(x) {
		s.numbers[part] = append(s.numbers[part], 0)
	}
	n := &s.numbers[part][x]
	if *n == 0 {
		*n = 1 + g.frontier.Number(part, s.Components[part][x])
	}
	return *n - 1
}

// create creates the files to be written.
func (g *merger) create() (err error) {
	h := g.in[0].Header
	h.Level, h.Shard = g.task.Level, g.task.Shard
	if g.frontier, err = CreateStates(g.files, g.task.Frontier, h); err != nil {
		return err
	}
	h.Parts, h.Words = 0, false
	g.codes, err = createCodes(g.files, g.task.Codes, h)
	return err
}

// close closes what was read, and gives up what was not written to the end.
func (g *merger) close() {
	scratches.Put(g.scratch)
	for _, s := range g.in {
		_ = s.Close() // nothing was written
	}
	for _, v := range g.visited {
		_ = v.Close() // likewise
	}
	if g.frontier != nil {
		g.frontier.Discard()
	}
	if g.codes != nil {
		g.codes.f.Discard()
	}
}
