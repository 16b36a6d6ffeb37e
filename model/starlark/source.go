package starfile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// A Source is the text of a model: of its file, and of the files that this one loads or implements, by
// their paths with slashes from the folder of the first. Which files there are does not depend on
// parameters: load stands at the top level only, and for implements see readsOnly. A Source makes the model
// on another machine.
type Source map[string]string

// ReadSource reads the file of a model, and the files that it loads.
func ReadSource(path string) (Source, error) {
	b, err := execute(path, os.ReadFile, &model.Spec{Name: path}, nil)
	if err != nil {
		return nil, err
	}
	return b.text(), nil
}

// Load reads the model, as [Load] reads it from the file at path; no file is read.
func (s Source) Load(path string) (*model.Spec, error) {
	return loadWith(path, func(file string) ([]byte, error) {
		text, ok := s[inSource(path, file)]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	})
}

// Digest identifies the text: 32 hexadecimal digits.
func (s Source) Digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(h, "%q %q\n", name, s[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// text is the text that was executed.
func (b *builder) text() Source {
	s := Source{}
	for _, files := range []map[string][]byte{b.sources, b.beside} {
		for file, text := range files {
			s[inSource(b.path, file)] = string(text)
		}
	}
	return s
}

// inSource is the name in a Source of a file that the file at path loads, or of that file itself.
func inSource(path, file string) string {
	name, err := filepath.Rel(filepath.Dir(path), file)
	if err != nil {
		name = file // never: a file is loaded from the folder of the first, or below
	}
	return filepath.ToSlash(name)
}
