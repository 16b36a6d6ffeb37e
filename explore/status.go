package explore

import (
	"os"
	"path/filepath"
	"time"

	"github.com/atmostk/atmostk/explore/store"
)

// A Status is a search whose files are in a directory, as it was last saved.
type Status struct {
	*store.Search
	Saved time.Time
}

// StatusOf reads the search in a directory. The error is os.ErrNotExist without a search.
func StatusOf(dir string) (*Status, error) {
	at, err := store.Load(store.Dir(dir))
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(dir, store.SearchFile))
	if err != nil {
		return nil, err
	}
	return &Status{at, info.ModTime()}, nil
}
