package explore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/atmostk/atmostk/model"
)

// FuzzAgreesWithNaive compares the search with the naive explorer on models of all kinds,
// drawn by the fuzzer: go test -fuzz AgreesWithNaive ./explore.
func FuzzAgreesWithNaive(f *testing.F) {
	kinds := []func(t *testing.T, name string, r func() *rand.Rand){
		func(t *testing.T, name string, r func() *rand.Rand) {
			compare(t, name, func() model.Instance { return randomSystem(r()) })
		},
		func(t *testing.T, name string, r func() *rand.Rand) {
			compare(t, name, func() model.Instance { return randomComposition(r()) })
		},
		func(t *testing.T, name string, r func() *rand.Rand) {
			compare(t, name, func() model.Instance { return randomLinked(r()) })
		},
		func(t *testing.T, name string, r func() *rand.Rand) { clocksAgree(t, name, r()) },
		func(t *testing.T, name string, r func() *rand.Rand) {
			livenessAgrees(t, name, r(),
				map[string]int{})
		},
		func(t *testing.T, name string, r func() *rand.Rand) { costsAgree(t, name, r(), map[string]int{}) },
	}
	for kind := range kinds {
		f.Add(uint8(kind), uint64(kind), []byte{})
		f.Add(uint8(kind), uint64(0), []byte("every two bytes are a choice"))
	}
	f.Fuzz(func(t *testing.T, kind uint8, seed uint64, choices []byte) {
		kinds[int(kind)%len(kinds)](t, fmt.Sprintf("kind %d", kind), func() *rand.Rand {
			return rand.New(&chosen{choices, rand.NewPCG(seed, 8)})
		})
	})
}

// chosen is a source of random numbers of which a fuzzer chooses the first: what it varies
// a little makes a model that differs a little.
type chosen struct {
	choices []byte // two for each number
	rest    *rand.PCG
}

func (c *chosen) Uint64() uint64 {
	if len(c.choices) < 2 {
		return c.rest.Uint64()
	}
	x := uint64(c.choices[0]) | uint64(c.choices[1])<<8
	c.choices = c.choices[2:]
	return x * 0x0001_0001_0001_0001 // whichever bits are looked at
}
