package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// computed answers the rows of claims.yaml that name a computation: a name of its own, or that of the claim
// with the number of the row.
var computed = map[string]func() papers.Finding{
	"a-logarithmic-number-of-tests 2": func() papers.Finding { return sent(false) },
	"examples-of-section-51 1":        func() papers.Finding { return neighborhoodIs(0, 1, 4) },
	"examples-of-section-51 2":        func() papers.Finding { return neighborhoodIs(0, 1, 1) },
	"fewestTests":                     fewestTests,
	"figure-4 1":                      figure4.Follow,
	"figure-5 1":                      figure5.Follow,
	"hypercube":                       hypercube,
	"leaves":                          leaves,
	"logarithmic-message-complexity-of-the-broadcast 1": func() papers.Finding { return sent(true) },
	"logarithmic-message-complexity-of-the-broadcast 5": func() papers.Finding { return sent(false) },
	"logarithmic-properties-in-spite-of-failures 1": func() papers.Finding {
		return underFaults(8, func(f linkFigures) int { return max(f.own, f.apart) - 3 },
			linkFigures.String)
	},
	"logarithmic-properties-in-spite-of-failures 2": func() papers.Finding {
		return underFaults(8, func(f linkFigures) int { return f.most - 3 }, linkFigures.String)
	},
	"logRounds":         logRounds,
	"number-of-tests 1": func() papers.Finding { return testsPerCycle(8) },
	"number-of-tests 2": func() papers.Finding { return testsPerCycle(16) },
	"ownCluster":        ownCluster,
	"pictures":          pictures,
	"symmetric":         symmetric,
	"trees":             trees,
}
