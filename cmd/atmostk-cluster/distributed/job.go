package distributed

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"go.temporal.io/sdk/temporal"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
)

// A Job is a search, as all who work on it are told of it.
type Job struct {
	// Folder has its files, and is its name.
	Folder string `json:"folder"`
	// Program is the name and version of the program, and Model the digest of model, parameters and what
	// is asked. Workers to whom either is another refuse its tasks.
	Program string `json:"program"`
	Model   string `json:"model"`
	// Args are the model and its parameters, Properties those asked by index; nil: those by default.
	Args       []string     `json:"args"`
	Properties []int        `json:"properties,omitempty"`
	Limits     store.Limits `json:"limits"`
	Shards     int          `json:"shards"` // a power of two
	// Small is how many states a level has at most that one worker does alone, with those after it.
	Small int64 `json:"small"`
	// Lost is after how long a worker that was not heard of is taken for lost, and its task given to
	// another; 0: DefaultLost.
	Lost time.Duration `json:"lost,omitempty"`
	// About is kept with the files.
	About json.RawMessage `json:"about,omitempty"`
}

// DefaultLost is after how long a worker is taken for lost by default. One that is lost too soon does no
// harm: its task is done twice.
const DefaultLost = 20 * time.Second

func (j *Job) lost() time.Duration { return cmp.Or(j.Lost, DefaultLost) }

// A task of fewer states than these would mostly be waiting for the engine and for files to be opened:
// expansionStates of the frontier are expanded by one in a tenth of a second or more, and mergeStates are
// read.
const (
	expansionStates = 30_000
	mergeStates     = 1_000_000
)

// tasks is into how many tasks work on so many states is divided.
func (j *Job) tasks(states, least int64) int {
	if j.Small == 0 { // a test, which wants many
		return j.Shards
	}
	return int(min(int64(j.Shards), 1+states/least))
}

// QueueOf is the task queue of a program of a version: workers of another get none of its tasks.
func QueueOf(program string) string {
	sum := sha256.Sum256([]byte(program))
	return "atmostk-" + hex.EncodeToString(sum[:6])
}

// The types of errors that are not to be tried again.
const (
	refused = "refused" // the worker has another program or model
	damaged = "damaged" // a file is not what was written, or is not there
	broken  = "broken"  // the program contradicts itself
)

// missingAttempts is how often a task is tried that lacks a file. A directory of a network file system
// may show a new file late.
const missingAttempts = 5

// final makes errors that will not go away ones after which a task is not tried again. What is left, as a
// disk that is full or a bucket that does not answer, is tried until it goes away or the search is
// cancelled.
func final(err error, attempt int32) error {
	var wrong *store.DamagedError
	var usage *usage.Error
	switch {
	case err == nil, errors.Is(err, syscall.ENOSPC):
		return err
	case errors.As(err, &wrong):
		return temporal.NewNonRetryableApplicationError(err.Error(), damaged, nil, wrong.File, wrong.What)
	case errors.Is(err, fs.ErrNotExist) && attempt >= missingAttempts:
		return temporal.NewNonRetryableApplicationError(err.Error(), damaged, nil, "the search", err.Error())
	case errors.As(err, &usage):
		return temporal.NewNonRetryableApplicationError(err.Error(), refused, nil)
	}
	return err
}

// explained is the error that a task was given up with, as this process would have met it.
func explained(err error) error {
	var told *temporal.ApplicationError
	if !errors.As(err, &told) {
		return err
	}
	switch told.Type() {
	case refused:
		return usage.Errorf("%s", told.Message())
	case broken:
		return fmt.Errorf("%w: %s", explore.ErrInternal, told.Message())
	case damaged:
		wrong := &store.DamagedError{}
		if err := told.Details(&wrong.File, &wrong.What); err != nil {
			wrong.File, wrong.What = "the search", told.Message()
		}
		return wrong
	}
	return err
}

// contradiction is the error that the program contradicts itself.
func contradiction(format string, args ...any) error {
	return temporal.NewNonRetryableApplicationError(fmt.Sprintf(format, args...), broken, nil)
}

// String names the search for a person.
func (j *Job) String() string { return strings.Join(j.Args, " ") }

// otherModel is the error of a worker whose model differs from that of the job.
func otherModel(j *Job) error {
	return usage.Errorf("the model %s of this worker is not the one of the search", j)
}
