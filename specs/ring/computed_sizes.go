package ring

import (
	"fmt"

	"github.com/atmostk/atmostk/model/papers"
)

// What the paper claims of the token, and of how far the ring may shrink.

// closesWithFewer asks for each n and k whether fewer than k survivors can close the ring: with gaps
// that add up to n, each of at most n-k+1, since a process that turns past g-1 dead ones needs a list of
// at least k ids when it takes the last, n-1-(g-2) of them.
func closesWithFewer() papers.Finding {
	first := ""
	for n := 1; n <= 64; n++ {
		for k := 1; k <= n; k++ {
			fewer := false
			for m := 1; m < k; m++ {
				fewer = fewer || m*(n-k+1) >= n
			}
			if fewer != (3 <= k && k < n) {
				return papers.Finding{Verdict: "holds",
					Detail: fmt.Sprintf("the argument is wrong: n=%d, k=%d", n, k)}
			}
			if fewer && first == "" {
				first = fmt.Sprintf("n=%d, k=%d", n, k)
			}
		}
	}
	return papers.Finding{
		Verdict: "violated", Detail: "for each k from 3 to n-1, first " + first + "; for no other",
	}
}

// rangeReached compares the largest n-k over 1 < k <= n with n-1.
func rangeReached() papers.Finding {
	for n := 2; n <= 64; n++ {
		most := 0
		for k := 2; k <= n; k++ {
			most = max(most, n-k)
		}
		if most != n-1 {
			return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("n=%d: at most %d", n, most)}
		}
	}
	return papers.Finding{Verdict: "holds"}
}
