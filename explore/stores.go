package explore

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"math"

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
	// Bits are those of a code: of the Compact store 64 or 128, 0: 64; of the Disk store one of store.Widths,
	// 0: store.DefaultBits, or in a search that is gone on with those that it was begun with.
	Bits int
	// Of the Disk store:
	Dir    string          // its directory, which need not exist
	Resume bool            // the search that is there is gone on with
	About  json.RawMessage // kept with the search, for whoever resumes it
	Shards int             // into how many the states are divided, a power of two; 0: 16

	founders int64 // of tests: store.Search.Founders; 0: as it is
	portion  int64 // of tests: states of a portion at most; 0: as many as there is room for
}

// bits returns how many bits codes have that are compared; 0: states are.
func (s Store) bits() int {
	switch s.Kind {
	case Disk:
		return cmp.Or(s.Bits, store.DefaultBits)
	case Compact:
		return cmp.Or(s.Bits, 64)
	}
	return 0
}

// proves reports whether a search to the end visits all states, so that what it says of them is proved.
func (s Store) proves() bool {
	return s.Kind == Exact || s.Kind == Disk && s.bits() >= store.ProvingBits
}

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
