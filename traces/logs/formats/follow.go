package formats

import (
	"errors"
	"io"
	"os"
)

// Following reads a file that grows, and ends when another one has its name or it was emptied.
type Following struct {
	Name string
	file *os.File
	at   int64
	Rest func() bool // waits; false: no more is wanted
}

// Read reads the bytes at hand, and waits until there are some.
func (f *Following) Read(b []byte) (int, error) {
	for {
		if f.file == nil {
			if file, err := os.Open(f.Name); err == nil {
				f.file = file
			}
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

// replaced reports whether the file is another one now, or shorter than what was read.
func (f *Following) replaced() bool {
	now, err := os.Stat(f.Name)
	if err != nil {
		return false // moved away, and not there again yet: its writer may still write into it
	}
	was, err := f.file.Stat()
	return err == nil && (!os.SameFile(now, was) || now.Size() < f.at)
}

// Pausing reads from an input in the background, so that others are read while it has nothing.
type Pausing struct {
	In     io.Reader
	Rest   func() bool
	chunks chan []byte
	chunk  []byte
}

// Read reads the bytes at hand, and waits until there are some.
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
