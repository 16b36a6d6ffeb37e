package explore_test

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/ring"
)

// TestCodesOfHalves: a search visits states of the same codes when its tables hold the second half of
// them before, in which everything has other numbers.
func TestCodesOfHalves(t *testing.T) {
	instances := map[string]model.Instance{}
	for args, spec := range map[string]*model.Spec{
		"n=2 max-clock=3": &lamport.Spec, "n=2 k=1 rounds=2,1 channel=fifo crashes=1 losses=1": &raymond.Spec,
		"n=3 k=2 rounds=1,1,0 partition=1 heals=yes":                            &raymond.Spec,
		"scheme=2 n=3 f=1 list=auto":                                            &ring.Recovery,
		"n=2 k=1 rounds=inf max-owed=2 max-skew=2 max-in-flight=3 channel=fifo": &raymond.Spec,
	} {
		in, _, err := spec.Instantiate(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		instances[spec.Name+" "+args] = in
	}
	for name, in := range instances {
		opt := explore.Options{KeepGoing: true, Properties: []int{}}
		want := explore.Codes(in, opt)
		later, renumbered := explore.LaterHalfFirst(in, opt)
		if renumbered == 0 {
			t.Errorf("%s: everything was given the same numbers", name)
		}
		t.Logf("%s: %d states, %d numbers of parts differ", name, len(want), renumbered)
		same(t, name+", the later half first", later, want)
	}
}
