package coterie

import (
	"math/big"

	"github.com/atmostk/atmostk/model"
)

// Availability returns the exact probability that the nodes that are up contain h
// disjoint quorums, when node i is up with probability up[i], independently of the
// others (section 1 speaks of h=1).
func (f Family) Availability(up []*big.Rat, h int) *big.Rat {
	most := f.Pack()
	mask := model.Set(len(most) - 1)
	one := big.NewRat(1, 1)
	var sum func(node int, set model.Set, p *big.Rat) *big.Rat
	sum = func(node int, set model.Set, p *big.Rat) *big.Rat {
		switch {
		case p.Sign() == 0:
			return p
		case int(most[set&mask]) >= h: // whatever the other nodes are
			return p
		case node == len(up):
			return new(big.Rat)
		}
		without := new(big.Rat).Mul(p, new(big.Rat).Sub(one, up[node]))
		with := new(big.Rat).Mul(p, up[node])
		a := sum(node+1, set, without)
		b := sum(node+1, set.With(model.Proc(node)), with)
		return new(big.Rat).Add(a, b)
	}
	return sum(0, 0, one)
}
