package explore_test

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/explore/store"
)

// inMemory are files of a search that are no files of the system. A system may take longer for a new file the
// more files were removed in the last seconds: half of the processor time of these tests.
type inMemory struct {
	mutex sync.Mutex
	files map[string][]byte
}

func newFiles() *inMemory { return &inMemory{files: map[string][]byte{}} }

func (m *inMemory) Create(name string) (store.File, error) {
	return &memoryFile{in: m, name: name}, nil
}

func (m *inMemory) Open(name string) (io.ReadCloser, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	b, ok := m.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

func (m *inMemory) Remove(name string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	maps.DeleteFunc(m.files, func(n string, _ []byte) bool {
		return n == name || strings.HasPrefix(n, name+"/")
	})
	return nil
}

// A memoryFile is written beside the files, and is one of them when it is committed.
type memoryFile struct {
	bytes.Buffer
	in   *inMemory
	name string
}

func (f *memoryFile) Commit() error {
	f.in.mutex.Lock()
	defer f.in.mutex.Unlock()
	f.in.files[f.name] = f.Bytes()
	return nil
}

func (f *memoryFile) Discard() {}
