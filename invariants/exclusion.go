package invariants

import (
	"fmt"
	"slices"

	"github.com/atmostk/atmostk/model"
)

// Exclusion has the claims about an algorithm of k-mutual exclusion, in which a process uses one unit at a
// time.
type Exclusion[L, M, H any] struct {
	K       int
	Rounds  []int // of each process: the number of its requests
	Network model.Network
	Waits   func(l *L) bool              // the process has requested a unit and has none yet
	Made    func(p model.Proc, l *L) int // the requests that the process has made
}

// Main are the properties at-most-k, no-starvation and requests-served, which source claims. The last is
// checked only on request where all rounds end.
func (x Exclusion[L, M, H]) Main(source string) []model.Property[model.Global[L, M, H]] {
	var claims Of[L, M, H]
	return []model.Property[model.Global[L, M, H]]{
		claims.AtMost(x.K).From(source).TrivialIf(Enough(x.K, x.Rounds, nil, x.Network)),
		claims.NoStarvation(x.Waits).From(source),
		claims.RequestsServed(len(x.Rounds), x.Waits).From(source).
			OnlyOnRequest(!slices.Contains(x.Rounds, model.Forever)).
			ExcusedBy(silent(x.Rounds, x.Network.Dead)),
	}
}

// Capacity are the questions can-reach-k and can-reach-min, with the source of each. The second is whether
// min(k, live) units can be in use at once, also from later states. These are, for every r up to the
// largest number of rounds that is not Forever, the states with at least k live processes that have at
// least r rounds left each.
func (x Exclusion[L, M, H]) Capacity(source, sourceMin string) []model.Property[model.Global[L, M, H]] {
	type global = model.Global[L, M, H]
	least := model.Property[global]{
		Name: "can-reach-min", Kind: model.Reachable, Source: sourceMin,
		Doc:   "as many units as processes are live, up to k, can be in use at once",
		OfUse: func(used, live int) bool { return used >= min(x.K, live) },
	}
	most, asking := 0, requesters(x.Rounds, x.Network)
	for _, n := range x.Rounds {
		if n != model.Forever {
			most = max(most, n)
		}
	}
	for r := range most + 1 {
		least.Origins = append(least.Origins, model.Origin[global]{
			Name: fmt.Sprintf("k live, %d rounds left", r),
			In: func(g *global) bool {
				for p := range model.Proc(g.N) {
					if g.Live(p) && x.Rounds[p]-x.Made(p, g.Local(p)) < r {
						return false
					}
				}
				return g.N-g.Dead.Len() >= x.K
			},
		})
	}
	all := For[global]{}.CanReach(x.K).From(source)
	if asking < x.K {
		all.Moot = fmt.Sprintf("%s, so k=%d units are never in use at once", onlySome(asking), x.K)
	}
	if live := len(x.Rounds) - x.Network.Crashes; asking < min(x.K, live) {
		least.Moot = fmt.Sprintf("%s, and at least %d are always live", onlySome(asking), live)
	}
	return []model.Property[global]{all, least}
}

// MessagesTotal bounds the messages of whole runs for each request. It judges runs in which nobody
// crashed and all requests were served.
func (x Exclusion[L, M, H]) MessagesTotal(least, most int) model.Property[model.Global[L, M, H]] {
	return MessagesTotal(least, most, func(g *model.Global[L, M, H]) (requests int) {
		if g.Dead != 0 || g.InUse() > 0 || g.Count(x.Waits) > 0 {
			return 0
		}
		for p := range model.Proc(g.N) {
			requests += x.Made(p, g.Local(p))
		}
		return requests
	})
}
