package ring

import (
	"github.com/atmostk/atmostk/model/papers"
)

// computed answers the rows of claims.yaml that name a computation: a name of its own, or that of the claim
// with the number of the row.
var computed = map[string]func() papers.Finding{
	"closesWithFewer":           closesWithFewer,
	"figure-3 1":                figure3.Follow,
	"figure-3 2":                figure3Consecutive.Follow,
	"incompleteList":            incompleteList,
	"listsOfSix":                listsOfSix,
	"rangeReached":              rangeReached,
	"the-rectified-onrelease 1": of(neededInHeld, "n=2 f=1 release=code"),
	"the-rectified-onrelease 2": of(neededInHeld, "n=3 f=1 release=code"),
	"the-rectified-onrelease 3": of(neededInHeld, "n=3 f=1 rounds=2 release=code"),
	"the-rectified-onrelease 4": of(neededInHeld, "n=4 f=1 release=code"),
	"the-rectified-onrelease 5": of(neededInHeld, "n=3 f=1 release=prose"),
	"what-to-implement 1":       of(recoveryMessages, "n=2 f=1 rounds=0 variant=repaired"),
	"what-to-implement 2":       of(recoveryMessages, "n=2 f=1 rounds=0"),
	"what-to-implement 3":       of(recoveryMessages, "n=3 f=1 rounds=0 variant=repaired"),
	"what-to-implement 4":       of(recoveryMessages, "n=3 f=1 rounds=0"),
	"what-to-implement 5":       of(recoveryMessages, "n=3 f=1 rounds=1 variant=repaired"),
	"what-to-implement 6":       of(recoveryMessages, "n=3 f=1 rounds=1"),
	"what-to-implement 7":       of(recoveryMessages, "n=4 f=1 rounds=0 variant=repaired"),
	"what-to-implement 8":       of(recoveryMessages, "n=4 f=1 rounds=0"),
}
