package formats

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// What files of some kinds begin with.
var (
	gzipMagic    = []byte{0x1f, 0x8b}
	zstdMagic    = []byte{0x28, 0xb5, 0x2f, 0xfd}
	littleEndian = []byte{0xff, 0xfe} // UTF-16
	bigEndian    = []byte{0xfe, 0xff}
)

// maxWindow is how far back a zstd file may refer to itself, in bytes: as far as zstd --long does.
const maxWindow = 128 << 20

// A decoder gives the text of a file that may be compressed by gzip or zstd, or be in UTF-16.
// A compressed file that ends in the middle ends there: cut is true then.
type decoder struct {
	text  io.Reader
	close func()
	cut   bool
}

// TextOf reads the first bytes of a file that may be compressed, or in UTF-16, as text.
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
	start, _ := in.Peek(len(zstdMagic)) // what cannot be read shows later
	switch {
	case bytes.HasPrefix(start, gzipMagic):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("begins like a file of gzip: %w", err)
		}
		d.text = z
	case bytes.HasPrefix(start, zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("begins like a file of zstd: %w", err)
		}
		d.text, d.close = z, z.Close
	}
	if d.text != io.Reader(in) {
		in = bufio.NewReaderSize(&uncut{d.text, &d.cut}, buffer)
		d.text = in
	}
	if start, _ = in.Peek(2); bytes.Equal(start, littleEndian) || bytes.Equal(start, bigEndian) {
		order := map[byte]binary.ByteOrder{littleEndian[0]: binary.LittleEndian,
			bigEndian[0]: binary.BigEndian}
		_, _ = in.Discard(2) // it was there
		d.text = &wideReader{in: in, order: order[start[0]]}
	}
	return d, nil
}

// An uncut reader ends where a compressed file was cut off, and says so.
type uncut struct {
	in  io.Reader
	cut *bool
}

func (u *uncut) Read(b []byte) (int, error) {
	n, err := u.in.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		*u.cut = true
		err = io.EOF
	}
	return n, err
}

// A wideReader turns UTF-16 into UTF-8. Invalid pairs become U+FFFD.
type wideReader struct {
	in    *bufio.Reader
	order binary.ByteOrder
}

func (w *wideReader) Read(b []byte) (n int, err error) {
	for n+utf8.UTFMax <= len(b) {
		var unit [2]byte
		_, err := io.ReadFull(w.in, unit[:])
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return n + utf8.EncodeRune(b[n:], utf8.RuneError), nil
		case err != nil && n > 0:
			return n, nil // it shows again
		case err != nil:
			return 0, err
		}
		r := rune(w.order.Uint16(unit[:]))
		if utf16.IsSurrogate(r) {
			pair, _ := w.in.Peek(2) // fewer: half of a pair is no text
			if len(pair) < 2 {
				r = utf8.RuneError
			} else if r = utf16.DecodeRune(r, rune(w.order.Uint16(pair))); r != utf8.RuneError {
				_, _ = w.in.Discard(2) // it is there
			}
		}
		n += utf8.EncodeRune(b[n:], r)
	}
	return n, nil
}
