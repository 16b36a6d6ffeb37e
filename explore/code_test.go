package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/specs/files"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/ring"
)

// TestCodes: the states that a search visits have the codes of those that the naive explorer
// does, which finds them in another order and has no numbers: with all steps looked up or not.
func TestCodes(t *testing.T) {
	for seed := range seeds(10, 200) {
		for name, fresh := range map[string]func() model.Instance{
			"system": func() model.Instance { return randomSystem(rand.New(rand.NewPCG(seed, 11))) },
			"composition": func() model.Instance {
				return randomComposition(rand.New(rand.NewPCG(seed, 11)))
			},
			"links": func() model.Instance { return randomLinked(rand.New(rand.NewPCG(seed, 11))) },
			"clocks": func() model.Instance {
				return model.Compose(randomClocked(rand.New(rand.NewPCG(seed, 11))))
			},
		} {
			in := fresh()
			g, ok := number(in.Plain, 1000)
			if !ok {
				continue
			}
			want := map[protocol.Code]bool{}
			for _, s := range g.states {
				want[s.Code()] = true
			}
			if len(want) != len(g.states) {
				t.Fatalf("%s %d: %d states have %d codes", name, seed, len(g.states), len(want))
			}
			for _, asked := range [][]int{{}, nil} {
				same(t, fmt.Sprintf("%s %d", name, seed), explore.Codes(in, explore.Options{KeepGoing: true,
					Properties: asked}), want)
			}
		}
	}
}

func same(t *testing.T, name string, got, want map[protocol.Code]bool) {
	t.Helper()
	for c := range got {
		if !want[c] {
			t.Fatalf("%s: the search has visited %v, the naive explorer has not", name, c)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d codes, naively %d", name, len(got), len(want))
	}
}

var twoPhase = files.Spec("2pc")

// TestCodesAreKept: the codes of all states of some instances, added up, are those that other
// binaries have computed, on other machines.
func TestCodesAreKept(t *testing.T) {
	for _, row := range []struct {
		spec       *model.Spec
		args, want string
	}{
		{&twoPhase, "n=3", "620f3e91677114eb29d2862db69ddc8b"},
		{&lamport.Spec, "n=2 max-clock=3", "f15bed9013844c05fb3a630ded657296"},
		{&raymond.Spec, "n=2 k=1 rounds=2,2", "f0a07ff31ce2f270e6c3795d0999cd4b"},
		{&raymond.Spec, "n=2 k=1 rounds=2,1 channel=fifo crashes=1 losses=1",
			"85c8c2a0c7f10aa27daf41b713c4fafb"},
		{&ring.Recovery, "scheme=2 n=3 f=1 list=auto", "85780a3b6dc120040813e51442a99cb1"},
	} {
		in, _, err := row.spec.Instantiate(strings.Fields(row.args))
		if err != nil {
			t.Fatal(err)
		}
		r, err := explore.Run(context.Background(), in, explore.Options{KeepGoing: true, Properties: []int{}})
		if err != nil {
			t.Fatal(err)
		}
		var hi, lo uint64
		codes := explore.Codes(in, explore.Options{KeepGoing: true, Properties: []int{}})
		for c := range codes {
			hi, lo = hi^c.Hi, lo^c.Lo
		}
		if int64(len(codes)) != r.States {
			t.Errorf("%s %s: %d states have %d codes", row.spec.Name, row.args, r.States, len(codes))
		}
		if got := (protocol.Code{Hi: hi, Lo: lo}).String(); got != row.want {
			t.Errorf("%s %s: the codes add up to %s, want %s", row.spec.Name, row.args, got, row.want)
		}
	}
}
