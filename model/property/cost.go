package property

import "github.com/atmostk/atmostk/model/codec"

// A Bound limits the number of messages of a part of a run.
type Bound struct {
	// Opens and Closes name actions. For each process the messages charged to it count from a step that
	// opens, the last of several, to the next one that closes, both included. Without them all messages of
	// whole runs count, up to a quiet state. A step that leaves the constraint is not part of a run.
	Opens, Closes []string
	// Least and Most are the limits, for whole runs per request served. A
	// Most of 0 is no limit.
	Least, Most int
}

// Whole reports whether the bound is about whole runs.
func (b *Bound) Whole() bool { return len(b.Opens) == 0 }

// Allows reports whether count messages for a number of requests are within the limits.
func (b *Bound) Allows(count, requests int) bool {
	return count >= b.Least*requests && (b.Most == 0 || count <= b.Most*requests)
}

// A Cost is a bound with a function of states.
type Cost[S any] struct {
	Bound
	// Served returns the number of requests that were served in a run that ends in s; 0: the
	// bound is not about such a run. For bounds on whole runs only.
	Served func(s *S) int
}

func (j *Judges) served(s codec.Value, i int) int { return j.Props[i].Cost.Served(s) }
