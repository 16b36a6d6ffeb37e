package cohorts

import (
	"fmt"

	"github.com/atmostk/atmostk/model/papers"
)

// What section 4 says of the best and the worst case.

// cohortsIn asks of the structures whether C_m to C_(m-h+shift) are h cohorts.
func cohortsIn(shift int) papers.Finding {
	asked := 0
	for _, s := range structures(mostNodes) {
		m := len(s.Cohorts)
		for h := 1; h <= s.K; h++ {
			asked++
			if last := m - h + shift; m-last+1 != h || last < 1 {
				return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("m=%d, h=%d: C_%d to C_%d", m,
					h, m, last)}
			}
		}
	}
	return papers.Finding{Verdict: "holds", Detail: fmt.Sprintf("%d structures and h", asked)}
}
