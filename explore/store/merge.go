package store

import (
	"context"
	"errors"
	"fmt"

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
	Candidates []string `json:"candidates"` // files of states
	Visited    []string `json:"visited"`    // files of codes, all of this shard
	// The files to be written: the new states, and their codes. Where no state is new none is written.
	Frontier string `json:"frontier"`
	Codes    string `json:"codes"`
}

// Merged is what came of a Merging: the runs of the files written, without states if none was.
type Merged struct {
	Frontier Run `json:"frontier"`
	Codes    Run `json:"codes"`
}

// Merge does the task. Of equal candidates one is kept, with the least of their parents, and of
// their tags the one that leaves out most, so that it does not matter in how many runs they come. If
// ctx is done before, its cause is the error.
func Merge(ctx context.Context, files Files, t Merging) (m Merged, err error) {
	g := merger{files: files, task: t}
	defer g.close()
	for _, name := range t.Candidates {
		r, err := OpenStates(files, name, t.Model)
		if err != nil {
			return m, err
		}
		g.in = append(g.in, &source{StatesReader: r, numbers: make([][]uint32, r.Header.Parts)})
		if g.in[0].Header.Parts != r.Header.Parts || g.in[0].Words != r.Words {
			return m, r.damaged("its states have other parts than those of " + t.Candidates[0])
		}
	}
	for _, name := range t.Visited {
		r, err := openCodes(files, name, t.Model)
		if err != nil {
			return m, err
		}
		g.visited = append(g.visited, r)
	}
	for err == nil && g.fill() > 0 {
		if err = context.Cause(ctx); err != nil {
			break
		}
		if err = errors.Join(g.err, g.sift()); err == nil {
			err = g.write()
		}
	}
	if err = errors.Join(err, g.err); err != nil || g.codes == nil {
		return m, err
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

// A merger does a Merging, some thousand candidates at a time.
type merger struct {
	files    Files
	task     Merging
	in       []*source
	visited  []*codesReader
	batch    []candidate
	parts    []uint32 // of the batch, those of each candidate behind those of another
	known    []bool   // per candidate of the batch: it was visited
	frontier *States
	codes    *codesWriter
	err      error
}

// A source is a file of candidates. numbers are, per part, 1 + the number in the file that is written of the
// component with a number here; 0: it was not needed yet.
type source struct {
	*StatesReader
	numbers [][]uint32
}

type candidate struct {
	code        Code
	parent, tag uint32
	from        *source
}

const mergeBatch = 1 << 14

// fill takes the least candidates of all files into the batch, each once, and returns how many.
func (g *merger) fill() int {
	g.batch, g.parts, g.known = g.batch[:0], g.parts[:0], g.known[:0]
	for len(g.batch) < mergeBatch && g.err == nil {
		var least *source
		for _, s := range g.in {
			if !s.ended && (least == nil || Compare(s.Codes[s.at], least.Codes[least.at]) < 0) {
				least = s
			}
		}
		if least == nil {
			break
		}
		c := candidate{least.Codes[least.at], least.Parents[least.at], least.Tags[least.at], least}
		for i := range least.Parts {
			g.parts = append(g.parts, least.Parts[i][least.at])
		}
		g.advance(least)
		for _, s := range g.in {
			for !s.ended && s.Codes[s.at] == c.code && g.err == nil {
				c.parent = min(c.parent, s.Parents[s.at])
				c.tag = uint32(kernel.SleepTag(c.tag).Over(kernel.SleepTag(s.Tags[s.at])))
				g.advance(s)
			}
		}
		g.batch, g.known = append(g.batch, c), append(g.known, false)
	}
	return len(g.batch)
}

func (g *merger) advance(s *source) {
	if err := s.next(); err != nil {
		g.err = err
	}
}

// sift marks the candidates of the batch that were visited.
func (g *merger) sift() error {
	last := g.batch[len(g.batch)-1].code
	for _, v := range g.visited {
		for i := 0; !v.ended && i < len(g.batch); {
			switch d := Compare(v.codes[v.at], g.batch[i].code); {
			case d > 0:
				i++
				continue
			case d == 0:
				g.known[i] = true
			}
			if err := v.next(); err != nil {
				return err
			}
		}
		for !v.ended && Compare(v.codes[v.at], last) <= 0 {
			if err := v.next(); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes the candidates of the batch that are new.
func (g *merger) write() error {
	for i := range g.batch {
		if g.known[i] {
			continue
		}
		if g.codes == nil {
			if err := g.create(); err != nil {
				return err
			}
		}
		c := &g.batch[i]
		n := len(c.from.Parts)
		parts := g.parts[i*n : (i+1)*n]
		if !c.from.Words {
			for k := range parts {
				parts[k] = g.renumber(c.from, k, parts[k])
			}
		}
		if err := g.frontier.Add(c.code, c.parent, c.tag, parts); err != nil {
			return fmt.Errorf("%s: %w", g.task.Frontier, err)
		}
		if err := g.codes.add(c.code, c.parent); err != nil {
			return fmt.Errorf("%s: %w", g.task.Codes, err)
		}
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
