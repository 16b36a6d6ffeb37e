package formats

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

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
