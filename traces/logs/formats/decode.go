package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// First bytes that identify compressed files and UTF-16.
var (
	gzipMagic    = []byte{0x1f, 0x8b}
	zstdMagic    = []byte{0x28, 0xb5, 0x2f, 0xfd}
	littleEndian = []byte{0xff, 0xfe} // UTF-16
	bigEndian    = []byte{0xfe, 0xff}
)

// maxWindow is the largest window of a zstd file, in bytes: the one of zstd --long.
const maxWindow = 128 << 20

// A decoder reads the text of a file that may be compressed by gzip or zstd, or encoded in UTF-16. A
// compressed file that was cut off ends there without an error, and cut is true.
type decoder struct {
	text  io.Reader
	close func()
	cut   bool
}

// TextOf returns at most the first bytes of a file as text; the file may be compressed or UTF-16.
func TextOf(r io.Reader, most int64) ([]byte, error) {
	d, err := newDecoder(r, maxBuffer)
	if err != nil {
		return nil, err
	}
	defer d.close()
	return io.ReadAll(io.LimitReader(d.text, most))
}

func newDecoder(r io.Reader, buffer int) (*decoder, error) {
	in := bufio.NewReaderSize(r, buffer)
	d := &decoder{text: in, close: func() {}}
	start, _ := in.Peek(len(zstdMagic)) // a later read returns the error
	switch {
	case bytes.HasPrefix(start, gzipMagic):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("not a valid gzip file: %w", err)
		}
		d.text = z
	case bytes.HasPrefix(start, zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("not a valid zstd file: %w", err)
		}
		d.text, d.close = z, z.Close
	}
	if d.text != io.Reader(in) {
		in = bufio.NewReaderSize(&cutReader{d.text, &d.cut}, buffer)
		d.text = in
	}
	if start, _ = in.Peek(2); bytes.Equal(start, littleEndian) || bytes.Equal(start, bigEndian) {
		d.text = unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(in)
	}
	return d, nil
}

// A cutReader turns the error of a compressed file that was cut off into the end of the file.
type cutReader struct {
	in  io.Reader
	cut *bool
}

func (u *cutReader) Read(b []byte) (int, error) {
	n, err := u.in.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		*u.cut = true
		err = io.EOF
	}
	return n, err
}

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
