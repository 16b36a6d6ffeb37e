package explore

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/atmostk/atmostk/explore/store"
)

// A Status is how far a search is that has its files in a directory.
type Status struct {
	About    json.RawMessage // what Store.About was when it was begun
	Finished bool            // no state is left to be expanded
	Violated bool            // something was found that is not the answer to a question
	States   int64
	Levels   []int64 // states per level
	Elapsed  time.Duration
	Disk     int64     // bytes of files
	Saved    time.Time // when it was as far as this
}

// StatusOf reads how far the search in a directory is. It is os.ErrNotExist without one.
func StatusOf(dir string) (*Status, error) {
	at, err := store.Load(store.Dir(dir))
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(dir, store.SearchFile))
	if err != nil {
		return nil, err
	}
	return &Status{
		About: at.About, Finished: at.Exhausted(), Violated: at.Violated(),
		States: at.States(), Levels: at.Levels, Disk: at.Bytes(), Saved: info.ModTime(),
		Elapsed: time.Duration(at.Seconds * float64(time.Second)),
	}, nil
}

// Rate is how many states were visited in a second.
func (s *Status) Rate() int64 { return int64(float64(s.States) / max(s.Elapsed.Seconds(), 1e-6)) }
