package store

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/atmostk/atmostk/model/usage"
)

// A file is a list of frames. A frame has the length of its content and its checksum, four bytes each, little
// endian, and then the content. The first frame is the Header in JSON. The last one is empty: without it the
// file was truncated.

// A Header describes a file.
type Header struct {
	Kind   string `json:"kind"`   // one of the kinds
	Format int    `json:"format"` // of the file
	Model  string `json:"model"`  // digest of the model and its parameters
	Level  int    `json:"level"`  // of the states; initial states have level 1
	Shard  int    `json:"shard"`
	// Columns is the number of numbers in a row. Words: the parts of states are the words of a system, not
	// numbers of components.
	Columns int  `json:"columns"`
	Words   bool `json:"words,omitempty"`
}

func (h *Header) coded() bool { return h.Kind == States || h.Kind == Codes }

// numbered reports whether a column has numbers of components.
func (h *Header) numbered(column int) bool {
	return h.Kind == Memos || h.Kind == States && !h.Words && column >= FirstPart
}

// The kinds of files.
const (
	States = "states" // of a level
	Codes  = "codes"  // of visited states
	Words  = "words"  // states that are put aside for a while
	Memos  = "memos"  // what a search asked the model: see WriteMemos
)

// format is the current format. It changes whenever older files cannot be read any more.
const format = 9

// A DamagedError reports a file that is not as it was written.
type DamagedError struct{ File, What string }

// Error names the file.
func (e *DamagedError) Error() string { return fmt.Sprintf("%s is damaged: %s", e.File, e.What) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxFrame is a number of bytes that no frame reaches.
const maxFrame = 1 << 28

// buffers are the memory for reading or writing a file. A merge opens dozens of files: allocating and
// collecting buffers for each would cost as much as the merge.
type buffers struct {
	r     *bufio.Reader
	w     *bufio.Writer
	b     []byte   // a frame
	flat  []byte   // its compressed part
	high  []uint64 // of the codes of a block
	batch Batch    // a block
}

const fileBuffer = 1 << 17

var (
	reading = sync.Pool{New: func() any { return &buffers{r: bufio.NewReaderSize(nil, fileBuffer)} }}
	writing = sync.Pool{New: func() any { return &buffers{w: bufio.NewWriterSize(nil, fileBuffer)} }}
)

type frames struct {
	*buffers // till it is closed
	f        File
	size     int64
}

func create(files Files, name string, h Header) (*frames, error) {
	f, err := files.Create(name)
	if err != nil {
		return nil, err
	}
	w := &frames{buffers: writing.Get().(*buffers), f: f}
	w.w.Reset(f)
	h.Format = format
	b, err := json.Marshal(h)
	if err == nil {
		err = w.frame(b)
	}
	if err != nil {
		w.f.Discard()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

func (w *frames) frame(b []byte) error {
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(b)))
	binary.LittleEndian.PutUint32(head[4:], crc32.Checksum(b, castagnoli))
	if _, err := w.w.Write(head[:]); err != nil {
		return err
	}
	w.size += int64(len(head) + len(b))
	_, err := w.w.Write(b)
	return err
}

func (w *frames) close() error {
	if err := cmp.Or(w.frame(nil), w.w.Flush()); err != nil {
		w.f.Discard()
		return err
	}
	w.w.Reset(nil)
	writing.Put(w.buffers)
	w.buffers = nil
	return w.f.Commit()
}

type framed struct {
	*buffers // till it is closed
	Header
	name string
	f    io.ReadCloser
	n    int   // frames read
	size int64 // bytes read
}

// open opens a file, which has to be of the kind and of the model. "" is any model.
func open(files Files, name, kind, model string) (*framed, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	r := &framed{buffers: reading.Get().(*buffers), name: name, f: f}
	r.r.Reset(f)
	b, err := r.frame()
	switch {
	case err != nil:
	case json.Unmarshal(b, &r.Header) != nil || r.Kind != kind:
		err = r.Damaged("it is no file of " + kind)
	case r.Format != format:
		err = usage.Errorf("%s has format %d, this program reads format %d", name, r.Format, format)
	case model != "" && r.Model != model:
		err = usage.Errorf("%s belongs to another model, or to other parameters", name)
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return r, nil
}

// Damaged returns the error that the file is not as it was written.
func (r *framed) Damaged(what string) error { return &DamagedError{r.name, what} }

// frame returns the next frame, valid until the next call; nil, without an error, at the end.
func (r *framed) frame() ([]byte, error) {
	var head [8]byte
	if err := r.full(head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxFrame {
		return nil, r.Damaged(fmt.Sprintf("the length of block %d is impossible", r.n))
	}
	if int(n) > cap(r.b) {
		r.b = make([]byte, n+n/4)
	}
	r.b = r.b[:n]
	if err := r.full(r.b); err != nil {
		return nil, err
	}
	if crc32.Checksum(r.b, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
		return nil, r.Damaged(fmt.Sprintf("the checksum of block %d is wrong", r.n))
	}
	r.n++
	if n == 0 {
		return nil, nil
	}
	return r.b, nil
}

func (r *framed) full(b []byte) error {
	n, err := io.ReadFull(r.r, b)
	r.size += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.Damaged(fmt.Sprintf("it ends within block %d", r.n))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	return nil
}

// Close closes the file. Data read from it is not valid any more.
func (r *framed) Close() error {
	if r.buffers != nil {
		r.r.Reset(nil)
		reading.Put(r.buffers)
		r.buffers = nil
	}
	return r.f.Close()
}
