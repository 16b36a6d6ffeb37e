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
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A Job describes a search to the processes that work on it.
type Job struct {
	// Folder contains its files, and is its name.
	Folder string `json:"folder"`
	// Program is the name and version of the program, and Model the digest of model, parameters and
	// properties. A worker with another program or model refuses its tasks.
	Program string `json:"program"`
	Model   string `json:"model"`
	// Text is the digest of the files that the model was read from; "": it is built into the program.
	Text string `json:"text,omitempty"`
	// Args are the model and its parameters. Properties are indices; nil: the default properties.
	Args       []string        `json:"args"`
	Properties []int           `json:"properties,omitempty"`
	Reduce     model.Reduction `json:"reduce,omitzero"`
	Limits     store.Limits    `json:"limits"`
	Shards     int             `json:"shards"` // a power of two
	// Small is the largest number of states of a level that one worker does alone.
	Small int64 `json:"small"`
	// Lost is the silence after which a worker counts as lost, and another one gets its task; 0: DefaultLost.
	Lost time.Duration `json:"lost,omitempty"`
	// Owner is the first run of the workflow. Of two engines with a search in one folder, the later one owns
	// it.
	Owner string `json:"owner,omitempty"`
	// About is saved with the files.
	About json.RawMessage `json:"about,omitempty"`
}

// DefaultLost is the default of Job.Lost. A worker that counts as lost too soon does no harm: its task is
// done twice.
const DefaultLost = 20 * time.Second

func (j *Job) lost() time.Duration { return cmp.Or(j.Lost, DefaultLost) }

// The least numbers of states of a task. A smaller task would mostly wait for the engine and for files: one
// worker takes a tenth of a second or more to expand expansionStates, or to read mergeStates.
const (
	expansionStates = 30_000
	mergeStates     = 1_000_000
)

// tasks returns the number of tasks into which work on some states is divided.
func (j *Job) tasks(states, least int64) int {
	if j.Small == 0 { // in tests
		return j.Shards
	}
	return int(min(int64(j.Shards), 1+states/least))
}

// QueueOf returns the task queue of a version of a program. Workers of other versions get none of its tasks.
func QueueOf(program string) string {
	sum := sha256.Sum256([]byte(program))
	return "atmostk-" + hex.EncodeToString(sum[:6])
}

// The types of errors after which a task is not tried again.
const (
	refused = "refused" // the worker has another program or model
	damaged = "damaged" // a file is damaged or missing
	broken  = "broken"  // the program contradicts itself
)

// missingAttempts is the number of attempts of a task that lacks a file: a network file system may show a
// new file late.
const missingAttempts = 5

// final marks permanent errors, after which a task is not tried again. After other errors, such as a full
// disk or a bucket that does not answer, it is tried until it succeeds or the search is cancelled.
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
	case errors.Is(err, explore.ErrInternal):
		return temporal.NewNonRetryableApplicationError(err.Error(), broken, nil)
	}
	return err
}

// explained turns the error of a failed task into the error that this process would have met.
func explained(err error) error {
	var failure *temporal.ApplicationError
	if !errors.As(err, &failure) {
		return err
	}
	switch failure.Type() {
	case refused:
		return usage.Errorf("%s", failure.Message())
	case broken:
		return fmt.Errorf("%w: %s", explore.ErrInternal, failure.Message())
	case damaged:
		wrong := &store.DamagedError{}
		if err := failure.Details(&wrong.File, &wrong.What); err != nil {
			wrong.File, wrong.What = "the search", failure.Message()
		}
		return wrong
	}
	return err
}

// String names the search for people: the model and its parameters.
func (j *Job) String() string { return strings.Join(j.Args, " ") }
