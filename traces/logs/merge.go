package logs

import (
	"errors"
	"io"
	"iter"
	"os"
)

// A head is the next event of a file that is read beside others.
type head struct {
	s    *source
	e    *entry
	err  error
	next func() (*head, bool)
	stop func()
}

// errStopped ends the reading of a file of which no more is wanted.
var errStopped = errors.New("no more is wanted")

// maxMerged is the number of files that are read side by side.
const maxMerged = 512

// readAll reads files together, the earlier events first as far as each file has them in order. More than
// maxMerged files, and those all of whose events are kept, are read one after the other.
func (rd *collector) readAll(files []string) error {
	if len(files) == 1 || len(files) > maxMerged || rd.sink == nil {
		for _, name := range files {
			if err := rd.file(name); err != nil {
				return err
			}
		}
		return nil
	}
	rd.oneByOne = len(files) > maxAhead
	rd.buffer = min(maxBuffer, max(minBuffer, allBuffers/len(files)))
	var heads queue[*head]
	defer func() {
		for i := range heads {
			heads[i].of.stop()
		}
	}()
	for _, name := range files {
		next, stop := iter.Pull(rd.pull(name))
		h, more := next()
		switch {
		case more && h.err != nil:
			stop()
			return h.err
		case more:
			h.next, h.stop = next, stop
			heads.push(queued[*head]{h.e.begin, int64(h.s.index), h})
		}
	}
	for len(heads) > 0 {
		h := heads[0].of
		if err := rd.take(h.s, h.e); err != nil {
			return err
		}
		after, more := h.next()
		switch {
		case more && after.err != nil:
			return after.err
		case more:
			h.s, h.e = after.s, after.e
			heads[0].at = h.e.begin
			heads.down()
		default:
			heads.pop()
		}
	}
	return nil
}

// pull reads the events of a file, one by one.
func (rd *collector) pull(name string) iter.Seq[*head] {
	return func(yield func(*head) bool) {
		h := &head{}
		rd.merge = func(s *source, e *entry) error {
			h.s, h.e = s, e
			if !yield(h) {
				return errStopped
			}
			return nil
		}
		if err := rd.file(name); err != nil && !errors.Is(err, errStopped) {
			yield(&head{err: err})
		}
	}
}

// A spool keeps what was read of an input that cannot be read twice, in a file that has no name.
type spool struct {
	in   io.Reader
	file *os.File
	from io.Reader
}

func newSpool(in io.Reader) (*spool, error) {
	file, err := os.CreateTemp("", "atmostk-")
	if err != nil {
		return nil, err
	}
	sp := &spool{in: in, file: file, from: io.TeeReader(in, file)}
	_ = os.Remove(file.Name()) // some systems only do so when it is closed
	return sp, nil
}

// Read reads what has been read before, and then the rest.
func (sp *spool) Read(b []byte) (int, error) { return sp.from.Read(b) }

// rewind begins again.
func (sp *spool) rewind() error {
	if _, err := sp.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sp.from = io.MultiReader(sp.file, io.TeeReader(sp.in, sp.file))
	return nil
}

func (sp *spool) close() {
	_ = sp.file.Close() // nothing of it is wanted any more
	_ = os.Remove(sp.file.Name())
}

// rewind begins an input again, if it is a spool.
func rewind(in io.Reader) error {
	if sp, ok := in.(*spool); ok {
		return sp.rewind()
	}
	return nil
}
