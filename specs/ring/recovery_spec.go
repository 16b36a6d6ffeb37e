package ring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/specs/references"
)

// Recovery is the model ring-recovery: the chain CEH, RUP, E, MrkME, Mx1ME.
var Recovery = model.Spec{
	Name:    "ring-recovery",
	Picture: picture,
	Title:   "ring-based mutual exclusion with failure recovery",
	Source:  paper,
	Doc: "The chain of algorithms that opens the ring's channels, checks it, elects a coordinator and " +
		"replaces the token: without failures (scheme=0), waiting for crashed processes (1), going on " +
		"without them (2), and taking processes in (3).",
	Params: recoveryParams,
	Build: func(a *model.Args) (model.Instance, error) {
		return links(a, newRecovery(a).recovery()), nil
	},
	Paper:      heading,
	References: references.Of("ring-recovery"),
}

var recoveryParams = []param.Param{
	size,
	param.Choice("scheme", "0: no crashes; 1: crashed processes recover, the ring waits; 2: the ring "+
		"closes without them; 3: and takes in spare and recovered ones", "0", "1", "2", "3").Else("2"),
	param.Number("f", "the most crashes in a run; none in scheme 0", 0, 0, 15),
	{Name: "crashable", Doc: "the processes that may crash; default: all", Type: param.Processes},
	param.Number("breaks", "the most channels that break in a run without a crash; none in scheme 0",
		0, 0, 255),
	param.Choice("lasting", "yes: a channel that breaks, see breaks, never opens again to the process that "+
		"it led to", "no", "yes"),
	requests,
	param.Choice("start", "warm: the ring is up and the token under way; cold: all channels are closed",
		"warm", "cold"),
	param.Choice("release", "messages of a release when a clear is pending. rectified, as printed: the "+
		"clear alone; code: the token, then the clear; prose: the coordinator the clear alone, others both",
		"rectified", "code", "prose"),
	param.Choice("coordinator-off",
		"whether the coordinator's MrkME goes OFF when its new token returns; no is as printed", "yes", "no"),
	param.Choice("after-election", "keep: a process is RELEASED after an election only if it was in INIT; "+
		"reset, as printed: every process", "keep", "reset"),
	param.Choice("token-time",
		"whether a release sends the process's own time, or the time of the token with which it entered",
		"own", "token"),
	param.Choice("list", "how a process knows the next neighbour to try, in scheme 2: static: from the "+
		"start; auto: collected by RUP, as printed; auto-no-self: the same, but the initiator does not add "+
		"itself; literal: static, but set by the assignment that is printed for AutoList",
		"static", "auto", "auto-no-self", "literal"),
	param.Choice("guard", "whether, with AutoList, the ring has to be UP for a neighbour to be replaced "+
		"(printed)", "printed", "none"),
	param.Number("min-k", "ids that the list must have for a neighbour to be replaced: MIN_K", 1, 0, 16),
	param.Number("max-err", "MAX_CEH_ERR: how often the channel cannot be opened before the neighbour is "+
		"replaced, or in scheme 1 given up; 0: once, and in scheme 1 there is no limit", 0, 0, 15),
	param.Number("spare", "scheme 3: processes besides the ring's n that may come up and join it, behind pn",
		0, 0, 4),
	param.Choice("recovered", "scheme 3: whether crashed processes may come up again and join the ring",
		"on", "off"),
	param.Choice("insert", "scheme 3: where a newcomer goes in the list of the process whose neighbour it "+
		"comes before, which is not in that list", "front", "back"),
	param.Choice("head", "scheme 3: whether the head of the list that becomes the neighbour is popped "+
		"(PopFront) or stays there (Front)", "pop", "front"),
	param.Choice("rup-start", "scheme 3: which processes start RUP, by an event OnStart that is defined "+
		"nowhere, when an inj passes: all processes, or none. The one that turns to the newcomer does in "+
		"any case, when its channel opens", "all", "none"),
	{Name: "repair", Doc: "repairs of ours, joined by +: none, participant, orphan, drop, drop2, epoch, " +
		"remember, count, or full for participant+orphan+drop+epoch; in scheme 3 also requeue; see the " +
		"package's comment", Default: "none", Type: param.SumOf("none", "participant", "orphan", "drop",
		"drop2", "epoch", "remember", "count", "requeue", "full")},
	param.Choice("variant", "repaired: with every repair but drop2, which is a part of drop, and guard=none",
		"printed", "repaired"),
	fairnessParam,
}

// maxElastic is the largest number of processes in scheme 3 with which each has its fairness conditions.
const maxElastic = 7

// full are the repairs that repair=full stands for.
const full = "participant+orphan+drop+epoch"

// all are the repairs of variant=repaired.
const all = full + "+remember+count+requeue"

func newRecovery(a *model.Args) *ring {
	r := &ring{
		members: a.Int("n"), n: a.Int("n"), scheme: a.Int("scheme"), crashes: a.Int("f"),
		breaks: a.Int("breaks"), lasting: a.Is("lasting", "yes"),
		warm:         a.Is("start", "warm"),
		release:      a.String("release"),
		staysOn:      a.Is("coordinator-off", "no"),
		resets:       a.Is("after-election", "reset"),
		sendsEntered: a.Is("token-time", "token"),
		list:         a.String("list"),
		unguarded:    a.Is("guard", "none") || a.Is("variant", "repaired"),
		minK:         a.Int("min-k"),
		maxErr:       a.Int("max-err"),
		recovered:    a.Is("recovered", "on"),
		insertsBack:  a.Is("insert", "back"),
		headStays:    a.Is("head", "front"),
		startsRUP:    a.Is("rup-start", "all"),
		repairs:      chosenRepairs(a),
	}
	if r.scheme == 3 {
		r.n += a.Int("spare")
	}
	if r.maxErr == 0 && r.scheme != 1 {
		r.maxErr = 1
	}
	switch {
	case r.scheme == 3 && r.n > maxElastic:
		a.Reject("spare", fmt.Sprintf(
			"in scheme 3 there are at most %d processes, in the ring and spare", maxElastic))
	case r.breaks > 0 && r.scheme == 0:
		a.Reject("breaks", "in scheme 0 nothing fails, so allowed is 0")
	case r.lasting && r.breaks == 0:
		a.Reject("lasting", "no channel breaks without breaks=1 or more")
	}
	if r.crashable = a.Processes("crashable", r.n, 1); !a.Given("crashable") {
		r.crashable = model.All(r.n)
	}
	r.rounds = a.PerProcess("rounds", r.n)
	return r
}

// chosenRepairs reads repair and variant.
func chosenRepairs(a *model.Args) repairs {
	chosen := a.String("repair")
	if a.Is("variant", "repaired") {
		for key, printed := range map[string]string{"coordinator-off": "no", "after-election": "reset"} {
			if a.Is(key, printed) {
				a.Reject(key, "variant=repaired has the other reading")
			}
		}
		if chosen != "none" {
			a.Reject("repair", "variant=repaired has all repairs, so allowed is none")
		}
		chosen = all
	}
	names := strings.Split(strings.ReplaceAll(chosen, "full", full), "+")
	has := func(name string) bool { return slices.Contains(names, name) }
	if has("none") && len(names) > 1 {
		a.Reject("repair", "allowed: none alone, or repairs joined by +")
	}
	return repairs{
		participant: has("participant"), orphan: has("orphan"), drop: has("drop"), drop2: has("drop2"),
		epoch: has("epoch"), remember: has("remember"), count: has("count"), requeue: has("requeue"),
	}
}
