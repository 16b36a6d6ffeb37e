package formats

import (
	"errors"
	"io"
	"os"
)

// Following reads a file that grows. It ends when another file takes its name, or when it was truncated.
type Following struct {
	Name string
	file *os.File
	at   int64
	Rest func() bool // waits for more; false: stop reading
}

// Read reads the bytes available, and waits if there are none.
func (f *Following) Read(b []byte) (int, error) {
	for {
		if f.file == nil {
			f.file, _ = os.Open(f.Name) // nil: it does not exist yet
		}
		if f.file != nil {
			n, err := f.file.Read(b)
			if f.at += int64(n); n > 0 || err != nil && !errors.Is(err, io.EOF) {
				return n, err
			}
			if f.replaced() {
				_ = f.file.Close() // it was only read
				return 0, io.EOF
			}
		}
		if !f.Rest() {
			return 0, io.EOF
		}
	}
}

// replaced reports whether the name belongs to another file now, or the file is shorter than the bytes read.
func (f *Following) replaced() bool {
	now, err := os.Stat(f.Name)
	if err != nil {
		return false // moved away and not yet replaced: its writer may still append
	}
	was, err := f.file.Stat()
	return err == nil && (!os.SameFile(now, was) || now.Size() < f.at)
}

// Pausing reads an input in the background, so that other logs are read while it has no data.
type Pausing struct {
	In     io.Reader
	Rest   func() bool
	chunks chan []byte
	chunk  []byte
}

// Read reads the bytes available, and waits if there are none.
func (p *Pausing) Read(b []byte) (int, error) {
	if p.chunks == nil {
		p.chunks = make(chan []byte, 16)
		go p.copy()
	}
	for len(p.chunk) == 0 {
		select {
		case chunk, more := <-p.chunks:
			if !more {
				return 0, io.EOF
			}
			p.chunk = chunk
		default:
			if !p.Rest() {
				return 0, io.EOF
			}
		}
	}
	n := copy(b, p.chunk)
	p.chunk = p.chunk[n:]
	return n, nil
}

func (p *Pausing) copy() {
	defer close(p.chunks)
	for {
		b := make([]byte, maxBuffer)
		n, err := p.In.Read(b)
		if n > 0 {
			p.chunks <- b[:n]
		}
		if err != nil {
			return
		}
	}
}
