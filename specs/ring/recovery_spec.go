package ring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
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
	Params: recoveryParams, Build: buildRecovery, Paper: heading,
	References: []model.Reference{
		{Args: "scheme=0 n=2", States: 24, Depth: 8, From: contract},
		{Args: "scheme=0 n=3", States: 108, Depth: 12, From: contract},
		{Args: "scheme=0 n=4", States: 432, Depth: 16, From: contract},
		{Args: "scheme=0 n=2 coordinator-off=no", States: 14, Depth: 6, From: contract},
		{Args: "scheme=1 n=2 f=1", States: 4_145, Depth: 45, From: contract},
		{Args: "scheme=1 n=2 f=1 token-time=token", States: 4_513, Depth: 37, From: contract},
		{Args: "scheme=2 n=3 f=1 repair=full", States: 1_401, Depth: 23, From: contract},
		{Args: "scheme=2 n=3 f=1 list=auto", States: 324, Depth: 13, From: contract},
	},
}

var recoveryParams = []param.Param{
	{Name: "n", Doc: "number of processes, p1..pn", Default: "3", Type: sizes},
	{
		Name: "scheme",
		Doc: "0: no crashes; 1: crashed processes recover, the ring waits; 2: the ring closes " +
			"without them; " +
			"3: and takes in spare and recovered ones",
		Default: "2", Type: param.OneOf("0", "1", "2", "3"),
	},
	{
		Name: "f", Doc: "at most so many crashes in a run; none in scheme 0", Default: "0",
		Type: param.IntRange(0, 15),
	},
	{Name: "crashable", Doc: "who may crash; default: all", Type: param.Processes},
	{
		Name:    "breaks",
		Doc:     "at most so many channels break in a run though nobody crashes; none in scheme 0",
		Default: "0", Type: param.IntRange(0, 255),
	},
	{
		Name: "lasting",
		Doc: "yes: a channel that breaks, see breaks, never opens again to the process that " +
			"it led to",
		Default: "no", Type: param.OneOf("no", "yes"),
	},
	{Name: "rounds", Doc: "how often each process requests", Default: "1", Type: param.PerProcess(0, 15)},
	{
		Name: "start", Doc: "warm: the ring is up and the token under way; cold: all channels are closed",
		Default: "warm", Type: param.OneOf("warm", "cold"),
	},
	{
		Name: "release",
		Doc: "what a release sends when a clear is pending. rectified, as printed: the clear alone; code: " +
			"the token, then the clear; prose: the coordinator the clear alone, others both",
		Default: "rectified", Type: param.OneOf("rectified", "code", "prose"),
	},
	{
		Name:    "coordinator-off",
		Doc:     "whether the coordinator's MrkME goes OFF when its new token returns; no is as printed",
		Default: "yes", Type: param.OneOf("yes", "no"),
	},
	{
		Name: "after-election",
		Doc: "keep: a process is RELEASED after an election only if it was in INIT; reset, as " +
			"printed: every " +
			"process",
		Default: "keep", Type: param.OneOf("keep", "reset"),
	},
	{
		Name:    "token-time",
		Doc:     "whether a release sends the process's own time, or that of the token with which it entered",
		Default: "own", Type: param.OneOf("own", "token"),
	},
	{
		Name: "list",
		Doc: "how a process knows whom to try next, in scheme 2: static: from the start; " +
			"auto: collected by " +
			"RUP, as printed; auto-no-self: the same, but the initiator does not add itself; " +
			"literal: static, " +
			"but set by the assignment that is printed for AutoList",
		Default: "static", Type: param.OneOf("static", "auto", "auto-no-self", "literal"),
	},
	{
		Name:    "guard",
		Doc:     "whether, with AutoList, the ring has to be UP for a neighbour to be replaced (printed)",
		Default: "printed", Type: param.OneOf("printed", "none"),
	},
	{
		Name: "min-k", Doc: "ids that the list must have for a neighbour to be replaced: MIN_K", Default: "1",
		Type: param.IntRange(0, 16),
	},
	{
		Name: "max-err", Doc: "MAX_CEH_ERR: how often the channel cannot be opened before the neighbour is " +
			"replaced, or in scheme 1 given up; 0: once, and in scheme 1 there is no limit",
		Default: "0", Type: param.IntRange(0, 15),
	},
	{
		Name:    "spare",
		Doc:     "scheme 3: processes besides the ring's n that may come up and join it, behind pn",
		Default: "0", Type: param.IntRange(0, 4),
	},
	{
		Name: "recovered", Doc: "scheme 3: whether crashed processes may come up again and join the ring",
		Default: "on", Type: param.OneOf("on", "off"),
	},
	{
		Name: "insert",
		Doc: "scheme 3: where a newcomer goes in the list of the process whose neighbour it comes before, " +
			"which is not in that list",
		Default: "front", Type: param.OneOf("front", "back"),
	},
	{
		Name: "head",
		Doc: "scheme 3: whether the head of the list that becomes the neighbour is popped (PopFront) or " +
			"stays there (Front)",
		Default: "pop", Type: param.OneOf("pop", "front"),
	},
	{
		Name: "rup-start",
		Doc: "scheme 3: who starts RUP, by an event OnStart that is defined nowhere, when an " +
			"inj passes: all " +
			"processes, or none. The one that turns to the newcomer does in any case, when its channel opens",
		Default: "all", Type: param.OneOf("all", "none"),
	},
	{
		Name: "repair", Doc: "repairs of ours, joined by +: none, participant, orphan, drop, drop2, epoch, " +
			"remember, count, or full for participant+orphan+drop+epoch; in scheme 3 also requeue; see the " +
			"package's comment",
		Default: "none", Type: repairType,
	},
	{
		Name:    "variant",
		Doc:     "repaired: with every repair but drop2, which is a part of drop, and guard=none",
		Default: "printed", Type: param.OneOf("printed", "repaired"),
	},
	fairnessParam,
}

func buildRecovery(a *model.Args) (model.Instance, error) {
	r, err := newRecovery(a)
	if err != nil {
		return model.Instance{}, err
	}
	return links(a, r.recovery()), nil
}

// maxElastic is how many processes scheme 3 may have for each to have its fairness conditions.
const maxElastic = 7

// full are the repairs that repair=full stands for.
const full = "participant+orphan+drop+epoch"

// all are the repairs of variant=repaired.
const all = full + "+remember+count+requeue"

var repairType = param.SumOf(
	"none", "participant", "orphan", "drop", "drop2", "epoch", "remember", "count", "requeue", "full")

func newRecovery(a *model.Args) (*ring, error) {
	r := &ring{
		members: a.Int("n"), n: a.Int("n"), scheme: a.Int("scheme"), crashes: a.Int("f"),
		warm:         a.Is("start", "warm"),
		release:      releaseReading(a.String("release")),
		staysOn:      a.Is("coordinator-off", "no"),
		resets:       a.Is("after-election", "reset"),
		sendsEntered: a.Is("token-time", "token"),
		list:         listReading(a.String("list")),
		unguarded:    a.Is("guard", "none"),
		minK:         a.Int("min-k"),
		recovered:    a.Is("recovered", "on"),
		insertsBack:  a.Is("insert", "back"),
		headStays:    a.Is("head", "front"),
		startsRUP:    a.Is("rup-start", "all"),
	}
	if r.scheme == 3 {
		if r.n += a.Int("spare"); r.n > maxElastic {
			return nil, a.Reject("spare", a.String("spare"), fmt.Sprintf(
				"in scheme 3 there are at most %d processes, those of the ring and spares", maxElastic))
		}
	}
	var err error
	if r.repairs, err = chosenRepairs(a); err != nil {
		return nil, err
	}
	r.unguarded = r.unguarded || a.Is("variant", "repaired")
	if r.maxErr = a.Int("max-err"); r.maxErr == 0 && r.scheme != 1 {
		r.maxErr = 1
	}
	if err = r.failures(a); err != nil {
		return nil, err
	}
	r.rounds, err = a.PerProcess("rounds", r.n)
	return r, err
}

// failures reads what may fail.
func (r *ring) failures(a *model.Args) (err error) {
	if r.crashable, err = a.Processes("crashable", r.n, 1); err != nil {
		return err
	}
	if !a.Given("crashable") {
		r.crashable = model.All(r.n)
	}
	if r.breaks = a.Int("breaks"); r.breaks > 0 && r.scheme == 0 {
		return a.Reject("breaks", a.String("breaks"), "in scheme 0 nothing fails, so allowed is 0")
	}
	if r.lasting = a.Is("lasting", "yes"); r.lasting && r.breaks == 0 {
		return a.Reject("lasting", "yes", "no channel breaks without breaks=1 or more")
	}
	return nil
}

// chosenRepairs reads repair and variant.
func chosenRepairs(a *model.Args) (repairs, error) {
	chosen := a.String("repair")
	if a.Is("variant", "repaired") {
		for key, printed := range map[string]string{"coordinator-off": "no", "after-election": "reset"} {
			if a.Is(key, printed) {
				return repairs{}, a.Reject(key, printed, "variant=repaired has the other reading")
			}
		}
		if chosen != "none" {
			return repairs{}, a.Reject("repair", chosen,
				"variant=repaired has all repairs, so allowed is none")
		}
		chosen = all
	}
	names := strings.Split(strings.ReplaceAll(chosen, "full", full), "+")
	has := func(name string) bool { return slices.Contains(names, name) }
	if has("none") && len(names) > 1 {
		return repairs{}, a.Reject("repair", chosen, "allowed: none alone, or repairs joined by +")
	}
	return repairs{
		participant: has("participant"), orphan: has("orphan"), drop: has("drop"), drop2: has("drop2"),
		epoch: has("epoch"), remember: has("remember"), count: has("count"), requeue: has("requeue"),
	}, nil
}
