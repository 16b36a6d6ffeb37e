package explore

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/atmostk/atmostk/explore/store"
)

// A Status is the progress of a search whose files are in a directory, when it was last saved.
type Status struct {
	About    json.RawMessage // Store.About when the search was begun
	Finished bool            // no state is left to expand
	Violated bool            // a violation was found
	States   int64
	Levels   []int64 // states per level
	Elapsed  time.Duration
	Disk     int64     // bytes of files
	Saved    time.Time // time of the last save
}

// StatusOf reads the progress of the search in a directory. The error is os.ErrNotExist without a search.
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

// Rate returns the number of states visited per second.
func (s *Status) Rate() int64 { return int64(float64(s.States) / max(s.Elapsed.Seconds(), 1e-6)) }
