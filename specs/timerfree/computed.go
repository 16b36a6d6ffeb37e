package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// computed answers the rows of claims.yaml that name a computation: a name of its own, or that of the claim
// with the number of the row.
var computed = map[string]func() papers.Finding{
	"a-grid-of-clusters-keeps-rp 1": func() papers.Finding { return grids(1, 7) },
	"a-grid-of-clusters-keeps-rp 2": func() papers.Finding { return grids(2, 8) },
	"a-ring-keeps-rp 1":             func() papers.Finding { return rings(5, 7, 2) },
	"a-ring-keeps-rp 2":             func() papers.Finding { return rings(5, 5, 1) },
	"a-ring-keeps-rp 3":             func() papers.Finding { return rings(4, 4, 2) },
	"satisfiable":                   satisfiable,
}
