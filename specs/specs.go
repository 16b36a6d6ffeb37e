// Package specs is the list of all models: one folder or file each, and one line here.
package specs

import (
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs/cohorts"
	"github.com/atmostk/atmostk/specs/files"
	"github.com/atmostk/atmostk/specs/lamport"
	"github.com/atmostk/atmostk/specs/raymond"
	"github.com/atmostk/atmostk/specs/references"
	"github.com/atmostk/atmostk/specs/ring"
	"github.com/atmostk/atmostk/specs/timerfree"
	"github.com/atmostk/atmostk/specs/vcube"
)

// All are the models, in the order in which they are listed to users.
var All = references.With([]model.Spec{
	raymond.Spec,
	raymond.BAS,
	timerfree.Spec,
	cohorts.Cohorts,
	cohorts.Jiang2002,
	cohorts.Raynal,
	cohorts.Arbiter,
	vcube.Tree,
	vcube.Broadcast,
	vcube.KMutex,
	vcube.Stack,
	vcube.Rounds,
	ring.Election,
	ring.Basic,
	ring.Recovery,
	files.Spec("2pc"),
	lamport.Spec,
	files.Spec("die-hard"),
	files.Spec("bounded-buffer"),
	files.Spec("chang-roberts"),
	files.Spec("ewd840"),
})
