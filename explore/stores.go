package explore

import (
	"crypto/rand"
	"encoding/json"
	"math"
	"time"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A StoreKind is a way to keep the visited states.
type StoreKind uint8

const (
	// Exact keeps them in memory, whole, each with a link to its parent.
	Exact StoreKind = iota
	// Compact keeps a code of each in memory, from which no proof follows, as two states may have the same.
	Compact
	// Disk keeps the codes of all and the states of two levels in files.
	Disk
)

// String names the kind as reports do.
func (k StoreKind) String() string { return [...]string{"exact", "compact", "disk"}[k] }

// A Store says where the visited states are kept. The zero value is the exact one.
type Store struct {
	Kind StoreKind
	// Dir is the directory of the search, which need not exist: that of the files of the Disk store, or where a
	// search in memory is written down, now and then, when it is interrupted and when memory does not
	// suffice; "": nowhere.
	Dir    string
	Resume bool            // the search that is there is gone on with
	About  json.RawMessage // kept with the search, for whoever resumes it
	// Of a search in memory: how often it is written down, 0: only when it is interrupted; and what is called,
	// if it is not nil, where that fails: the search goes on, and tries again.
	Every time.Duration
	Warn  func(why string) `json:"-"`
}

// compactBits is how many bits the codes of the Compact store have.
const compactBits = 64

// codeBits returns how many bits codes have that are compared; 0: states are.
func (k StoreKind) codeBits() int { return [...]int{0, compactBits, store.CodeBits}[k] }

// proves reports whether a search to the end visits all states, so that what it says of them is proved.
func (k StoreKind) proves() bool { return k != Compact }

// randomSeed returns a seed that nobody knows.
func randomSeed() (seed [32]byte) {
	_, _ = rand.Read(seed[:]) // which never fails
	return seed
}

// storeOption is the option by which a Store is asked for.
const storeOption = usage.Option("store")

// lacks reports whether the store does not keep what properties of a kind need.
func (k StoreKind) lacks(kind model.PropertyKind) bool {
	return k != Exact && (kind == model.Liveness || kind == model.Costs)
}

// Unfit says why properties of a kind cannot be judged with the store.
func (k StoreKind) Unfit(kind model.PropertyKind) usage.Text {
	return usage.Textf("a property of %v needs the graph of all states, which %s %v does not keep; "+
		"%s exact does", kind, storeOption, k, storeOption)
}

// omission bounds the probability that two of so many states have the same code of so many bits.
func omission(states int64, bits int) float64 {
	n := float64(states)
	return min(1, n*(n+1)/2*math.Pow(2, -float64(bits)))
}
