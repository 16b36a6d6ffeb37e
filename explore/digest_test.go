package explore_test

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/specs/vcube"
)

// TestDigest: instances that do the same for hundreds of states have other digests if their parameters
// differ. With the same ones a worker of a cluster went on with the instance that it had searched before, and
// left out 21 of 1,924,577 states.
func TestDigest(t *testing.T) {
	known := map[string]string{}
	for _, args := range []string{"rounds=2,1,0,0", "rounds=2,2,0,0", "rounds=2,2,1,0", "rounds=2,2,2,0"} {
		in, _, err := vcube.Stack.Instantiate(append(strings.Fields("n=4 k=2"), args))
		if err != nil {
			t.Fatal(err)
		}
		digest := explore.Digest(in, explore.Options{})
		if other := known[digest]; other != "" {
			t.Errorf("%s and %s have the same digest", args, other)
		}
		known[digest] = args
	}
}
