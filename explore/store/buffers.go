package store

import (
	"bufio"
	"sync"
)

// buffers are what it takes to read or to write a file. A merge opens some dozens of files, so that to have
// them made and collected for each would cost as much as what is done with them.
type buffers struct {
	r     *bufio.Reader
	w     *bufio.Writer
	b     []byte   // a frame
	flat  []byte   // what is compressed of it
	high  []uint64 // of the codes of a block
	batch Batch    // a block
}

const fileBuffer = 1 << 17

var (
	reading = sync.Pool{New: func() any { return &buffers{r: bufio.NewReaderSize(nil, fileBuffer)} }}
	writing = sync.Pool{New: func() any { return &buffers{w: bufio.NewWriterSize(nil, fileBuffer)} }}
)
