// Package rows keeps data as files of JSON, a value in each line.
package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Write writes a file of values.
func Write[T any](file string, values []T) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}

// Read reads a file of values; none if there is no file.
func Read[T any](file string) (all []T, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for d := json.NewDecoder(bytes.NewReader(text)); err == nil && d.More(); {
		var v T
		if err = d.Decode(&v); err != nil {
			err = fmt.Errorf("%s, value %d: %w", file, len(all)+1, err)
		}
		all = append(all, v)
	}
	return all, err
}
