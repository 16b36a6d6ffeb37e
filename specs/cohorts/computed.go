package cohorts

import (
	"github.com/atmostk/atmostk/model/papers"
)

// computed answers the rows of claims.yaml that name a computation: a name of its own, or that of the claim
// with the number of the row.
var computed = map[string]func() papers.Finding{
	"a-candidate-for-the-highest-availability 1": judgeSets(mostNodes, lessAvailable(dominating), several),
	"a-candidate-for-the-highest-availability 2": judgeSets(12, undivided, single),
	"a-candidate-for-the-highest-availability 3": judgeSets(mostNodes, lessAvailable(majorities)),
	"baldoni":                             baldoni,
	"cohorts-coteries-are-k-coteries 1":   judgeSets(mostNodes, notCoterie),
	"cohorts-coteries-are-nondominated 1": judgeSets(mostNodes, dominated),
	"cohorts-coteries-are-nondominated 2": judgeSets(mostNodes, dominated, several),
	"cohorts-coteries-are-nondominated 3": judgeSets(2*mostNodes, notExtended, several),
	"cohorts-coteries-are-nondominated 4": judgeSets(mostNodes, dominated, single),
	"cohorts-coteries-are-nondominated 5": judgeSets(12, undivided, single),
	"cubes":                               cubes,
	"cyclic":                              cyclic,
	"figure-1-finds-the-quorums 1":        judgeSets(mostNodes, misses),
	"figure-1-finds-the-quorums 2":        judgeSets(mostNodes, notedWrongly),
	"nineQuorums":                         nineQuorums,
	"printedCube":                         printedCube,
	"the-range-of-the-primary-cohorts 1":  func() papers.Finding { return cohortsIn(-1) },
	"the-range-of-the-primary-cohorts 2":  func() papers.Finding { return cohortsIn(1) },
	"uniform":                             uniform,
}
