package kernel

import (
	"fmt"
	"maps"
	"slices"

	atonce "github.com/atmostk/atmostk/model/movers"
	"github.com/atmostk/atmostk/model/protocol"
)

// Movers are messages that are received in the step after which they can be received, so that states in
// which they are under way are left out. That is right if the receipt commutes with all steps of its
// process until then (Lipton, Reduction, CACM 1975; Bokor et al., DSN 2011; Siegel, CAV 2019, for the
// proviso).
//
// The argument. Call a state normal if no mover can be received in it, and let t be the normal state after
// the receipt of the movers e1 .. ek that are under way in a reachable state s, in the order in which the
// search received them. Claim: for each step from s the search visits such a state of the state after it.
// Steps of other processes change neither the local state of the receiver nor take its messages; what they
// append, and what the receipt appends, stands in other channels or in a bag. So let p be the receiver, l
// its local state in s, and l0=l, l1, .., lk its local states before and after each receipt: the last one
// is the one in t. Let p take the step a from l. It is enabled in lk, if it commutes with ek, .., e1 at
// each li, and t is expanded whole, so the search knows the row of a at lk. Therefore it suffices to check,
// for each pair (li, e(i+1)), all rows that are known at l(i+1): the same step at li must have outcomes,
// with the same label and messages, after which the receipt leads to the outcomes at l(i+1). That adds the
// row of a at li, and the pair of the state after a and e(i+1); pairs and rows are added until nothing is
// new. If a is the receipt of some ej itself, it is a row at l(j-1), and is checked against those before it
// in the same way. A step after the receipt that was not enabled before it makes no difference. Runs of
// receipts at once that do not end are given up: so no state is normal only because others are postponed
// for ever.
//
// A crash of p takes the messages to p with it, so that a mover that sends nothing makes no difference to
// it. One that sends is received at once where p cannot crash any more. Where it can, and only invariants
// and goals of local states and units are asked (MayCrash), take the run in which p receives it just before
// the crash: what it sends is left under way for ever, in a bag or at the end of a channel whose sender is
// dead, and no handler sees that. That needs a mover that was itself sent by no receipt at once. Crashes of
// others, notices, losses and partitions are steps or rows like others; messages that a channel can lose or
// copy, or that cross a partition, are no movers.
//
// What the receipt changes is not observed: its process keeps its units, and all that is asked about its
// local state alone, in all pairs; properties of other parts are refused. No history notes it. States that
// are quiet or without successors are normal.

// A receipt says where a message is received at once in a local state.
const (
	notAtOnce uint32 = iota
	atOnce
	atOnceIdle // where the process has no step of its own
)

// maxPairs is the number of pairs after which it is taken that there is no end of them.
const maxPairs = 1 << 20

const (
	endlessAnswers = "messages received at once answer each other without end"
	endlessPairs   = "the local states with it under way have no end"
	otherEffects   = "its receipt does more than to receive and to send"
	differs        = "its receipt differs after "
	failsThere     = "a handler fails where it is under way"
	answersAnswers = "its receipt answers what a receipt at once may have sent, and its process may crash"
)

// movers checks the receipts at once of a space.
type movers struct {
	*atonce.Movers
	sp      *space
	procs   []lags
	pairs   int
	todo    []lagging
	lowered map[int]string // per action that is to be lowered at the end of the level: the obstacle
}

// A lag is a local state with a mover under way, which an action receives.
type lag struct {
	local, envelope uint32
	action          int
}

// lags are the lags of a process.
type lags struct {
	of   map[uint32][]lag // per local state after the receipt
	idle map[entry]bool   // in a local state and a context: the process stays idle, as was guessed
	seen int              // number of envelopes that were known when the level began
	// answers are envelopes that a receipt at once sends. The receipt at once of answered ones sends, where
	// the process may crash; the local state in them is 0.
	answers  map[uint32]bool
	answered map[lag]bool
}

// A lagging is a row that has to commute with the receipt of a mover.
type lagging struct {
	lag
	row entry // at the local state after the receipt
}

// openMovers prepares the check, if there are movers.
func (sp *space) openMovers() {
	m := sp.decl.Movers
	if m == nil || !m.Any() {
		return
	}
	m.Met = make([]bool, len(m.Levels))
	sp.movers = &movers{Movers: m, sp: sp, lowered: map[int]string{}}
	for range sp.procs {
		sp.movers.procs = append(sp.movers.procs, lags{of: map[uint32][]lag{}, idle: map[entry]bool{},
			answers: map[uint32]bool{}, answered: map[lag]bool{}})
	}
}

// EndLevel lowers what was disproved, and keeps the messages that were known when the level began: what is
// decided in a level depends on the levels before it, and not on the order in which states are expanded. The
// guess where processes stay idle is better in the next search, which knows more messages, so its level is
// lowered only after several.
func (sp *space) EndLevel() (disproved bool) {
	m := sp.movers
	if m == nil {
		return false
	}
	for p := range m.procs {
		for x := range m.procs[p].answered {
			if m.procs[p].answers[x.envelope] {
				m.lower(x.action, answersAnswers)
			}
		}
	}
	if disproved = len(m.lowered) > 0; disproved {
		m.Seen = nil
	}
	for _, action := range slices.Sorted(maps.Keys(m.lowered)) {
		if m.Levels[action].Idle() && m.Guesses < maxGuesses {
			m.Guesses++
		} else {
			m.Lower(action, m.lowered[action])
		}
	}
	for p := range m.procs {
		t, l := &sp.procs[p], &m.procs[p]
		for i := 0; disproved && i < l.seen; i++ {
			m.Seen = append(m.Seen, atonce.Message{To: uint16(p), From: uint16(t.senders[i]),
				Bytes: []byte(t.envelopes.values[i][1:])})
		}
		l.seen = len(t.senders)
	}
	return disproved
}

// lower has an action lowered at the end of the level. Of several obstacles the first in order counts.
func (m *movers) lower(action int, obstacle string) {
	if first, lowered := m.lowered[action]; !lowered || obstacle < first {
		m.lowered[action] = obstacle
	}
}

// lowerOf has the action of a receipt lowered.
func (m *movers) lowerOf(receipt entry, obstacle string) {
	receipt.kind = memoEntry
	for tr := range m.sp.all(m.sp.row(receipt)) {
		m.lower(m.action(tr), obstacle)
		break
	}
}

// maxAhead is the number of local states in which staysIdle looks for steps, and maxGuesses the number of
// searches that begin again because its guess was wrong.
const (
	maxAhead   = 64
	maxGuesses = 12
)

// staysIdle guesses whether the process has no step of its own any more: not in the local state of x, and not
// after any of the messages to it that were known when the level began.
func (m *movers) staysIdle(x entry) bool {
	a := ahead{sp: m.sp, proc: x.proc, locals: []uint32{x.a}}
	if m.Fails(func() {
		for i := 0; i < len(a.locals) && len(a.locals) <= maxAhead; i++ {
			key := protocol.MemoKey{Proc: x.proc, Local: a.locals[i], Context: x.in}
			a.own = true
			m.sp.protocol.Steps(key, &a)
			a.own = false
			for e := 0; e < m.procs[x.proc].seen && len(a.locals) <= maxAhead; e++ {
				key.Message = uint32(e) + 1
				m.sp.protocol.Steps(key, &a)
			}
		}
	}) {
		a.acts = true
	}
	idle := !a.acts && len(a.locals) <= maxAhead
	m.procs[x.proc].idle[entry{a: x.a, in: x.in}] = idle
	return idle
}

// ahead takes the outcomes of a process that staysIdle asks about.
type ahead struct {
	sp     *space
	proc   protocol.Proc
	locals []uint32
	own    bool // it is asked about steps of its own
	acts   bool // it has one
}

func (a *ahead) Add(o *protocol.Outcome) {
	switch {
	case o.Crash:
	case a.own:
		a.acts = true
	default:
		if l := a.sp.after(a.proc, o); !slices.Contains(a.locals, l) {
			a.locals = append(a.locals, l)
		}
	}
}

// row returns the transitions of a memo key.
func (sp *space) row(x entry) transition {
	memos := sp.memos(x.proc, x.in)
	at := memos.at(x.a)
	if x.b == 0 {
		if at.idle.kind == 0 {
			sp.fillMemo(x)
		}
		return memos.at(x.a).idle
	}
	cell := memos.cells.probe(at.receiving, x.b-1)
	if cell == nil {
		sp.fillMemo(x)
		cell = memos.cells.probe(memos.at(x.a).receiving, x.b-1)
	}
	return cell.value
}

// decide returns the receipt of an envelope in a local state.
func (m *movers) decide(x entry) uint32 {
	sp := m.sp
	t, f := &sp.procs[x.proc], &sp.Faults
	from := t.senders[x.b]
	if f.Moves() && f.Concerns(from, x.proc) || f.Split != 0 && f.Crosses(from, x.proc) {
		return notAtOnce
	}
	x.kind, x.b = memoEntry, x.b+1
	for tr := range sp.all(sp.row(x)) {
		level, idle := m.Levels[m.action(tr)], entry{a: x.a, in: x.in}
		guess, known := m.procs[x.proc].idle[idle]
		where := atOnce
		switch {
		case level.Everywhere():
		case level.Idle() && (known && guess || !known && m.staysIdle(x)):
			where = atOnceIdle
		default:
			return notAtOnce
		}
		m.Met[m.action(tr)] = true
		m.add(x)
		return where
	}
	return notAtOnce // it is not enabled here
}

func (m *movers) effect(tr transition) *effect { return &m.sp.effects.values[tr.kind.effect()] }
func (m *movers) action(tr transition) int     { return int(protocol.LabelOf(m.effect(tr).label).Action) }

// receipt returns the only outcome of the receipt x that does not crash; false: several, or not one.
func (m *movers) receipt(x entry) (only transition, ok bool) {
	n := 0
	for tr := range m.sp.all(m.sp.row(x)) {
		if m.effect(tr).flags&crashes == 0 {
			only, n = tr, n+1
		}
	}
	return only, n == 1
}

// add takes in the pair of a local state and the mover under way of the receipt x.
func (m *movers) add(x entry) {
	l := &m.procs[x.proc]
	tr, one := m.receipt(x)
	if !one {
		m.lowerOf(x, otherEffects)
		return
	}
	action := m.action(tr)
	m.note(x, m.effect(tr), action)
	pair := lag{x.a, x.b - 1, action}
	if slices.Contains(l.of[tr.local], pair) {
		return
	}
	if m.pairs++; m.pairs > maxPairs {
		m.lower(action, endlessPairs)
		return
	}
	if m.effect(tr).flags != ordinary {
		m.lower(action, otherEffects)
		return
	}
	if part := m.sp.protocol.Distinguished(x.proc, x.a, tr.local); part != "" {
		m.lower(action, "it changes what "+part+" reads")
		return
	}
	l.of[tr.local] = append(l.of[tr.local], pair)
	for _, i := range m.sp.procs[x.proc].merging(tr.local).memos {
		m.todo = append(m.todo, lagging{pair, m.sp.kept[i]})
	}
}

// note notes what the receipt x at once by an action sends, with an effect.
func (m *movers) note(x entry, e *effect, action int) {
	for _, s := range m.sp.sendings[e.firstSending:][:e.sendings] {
		for _, envelope := range m.sp.procs[s.to].groups.at(s.group) {
			m.procs[s.to].answers[envelope] = true
		}
	}
	if e.sendings > 0 && m.mayCrash(x) {
		m.procs[x.proc].answered[lag{envelope: x.b - 1, action: action}] = true
	}
}

// mayCrash reports whether the process of a memo key may crash there.
func (m *movers) mayCrash(x entry) bool {
	x.b = 0
	for tr := range m.sp.all(m.sp.row(x)) {
		if m.effect(tr).flags&crashes != 0 {
			return true
		}
	}
	return false
}

func (sp *space) CheckMovers() {
	for m := sp.movers; m != nil && len(m.todo) > 0; {
		next := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		if m.Fails(func() { m.check(&next) }) {
			m.lower(next.action, failsThere)
		}
	}
}

// check checks that a row commutes with the receipt of a mover.
func (m *movers) check(x *lagging) {
	sp, step, receipt := m.sp, x.row, x.row
	step.a, receipt.a, receipt.b = x.local, x.local, x.envelope+1
	senders, fifo := sp.procs[x.row.proc].senders, sp.Channel == protocol.FIFO
	if fifo && x.row.b > 0 && senders[x.row.b-1] == senders[x.envelope] {
		return // it is behind the mover
	}
	first, _ := m.receipt(receipt)
	for tr := range sp.all(sp.row(step)) {
		want := tr.local
		if m.effect(tr).flags&crashes == 0 {
			receipt.a = tr.local
			then, one := m.receipt(receipt)
			if !one || then.kind.effect() != first.kind.effect() {
				m.lower(x.action, differs+m.step(x, tr))
				return
			}
			want = then.local
			m.add(receipt)
		}
		if fifo && m.meet(m.effect(tr), m.effect(first)) || !m.has(sp.row(x.row), tr.kind.effect(), want) {
			m.lower(x.action, "its receipt does not commute with "+m.step(x, tr))
			return
		}
	}
}

// has reports whether transitions have one with an effect, to a local state.
func (m *movers) has(transitions transition, effect, local uint32) bool {
	for tr := range m.sp.all(transitions) {
		if tr.local == local && tr.kind.effect() == effect {
			return true
		}
	}
	return false
}

// meet reports whether two effects send to the same process.
func (m *movers) meet(a, b *effect) bool {
	return slices.ContainsFunc(m.sp.sendings[a.firstSending:][:a.sendings], func(s sending) bool {
		return slices.ContainsFunc(m.sp.sendings[b.firstSending:][:b.sendings], func(t sending) bool {
			return s.to == t.to
		})
	})
}

// step describes an outcome of a lagging row.
func (m *movers) step(x *lagging, tr transition) string {
	return fmt.Sprintf("%s of %s", m.Names[m.action(tr)], m.sp.decl.Names[x.row.proc])
}
