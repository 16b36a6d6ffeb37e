package explore_test

const (
	stepTableFile = "explore/kernel/steptable.go"
	tablesTest    = "kernel.TestTablesGiveTheStepsOfTheModel"
	sleepTest     = "kernel.TestSleepingStepsLeaveOutNoState"
	stepperFile   = "explore/kernel/stepper.go"
	fillFile      = "explore/kernel/fill.go"
	inboxFile     = "explore/kernel/inboxes.go"
	tableFile     = "explore/kernel/sleeptag.go"
	moversFile    = "explore/kernel/movers.go"
	receiveFile   = "explore/kernel/receive.go"
	clocksFile    = "explore/kernel/clocks.go"
	expansionFile = "explore/expansion.go"
	judgingFile   = "explore/checker.go"
	visitedFile   = "explore/store/memory/table.go"
	queueFile     = "explore/store/memory/queue.go"
	fairFile      = "explore/live/fairgraph.go"
	graphFile     = "explore/stategraph/graph.go"
	costFile      = "explore/cost/graph.go"
	deliverFile   = "explore/live/delivery.go"
	fairsFile     = "explore/live/components.go"
	sccFile       = "explore/graph/components.go"
)

// mutants are listed by what the mistake is in.
var mutants = []mutant{
	// Steps that commute, kernel.SleepTag.
	{"steps of the process itself are left out", stepperFile, `p < c.came.proc()`, `p <= c.came.proc()`,
		"TestSleepTags"},
	{"any step is left out", stepperFile, `if known && e.flags&c.wakes == 0 {`, `if known {`,
		"TestAgreesWithNaive"},
	{"steps to what the constraint rejects are left out", stepperFile, `c.wakes = outside | crashes`,
		`c.wakes = crashes`, "TestAgreesWithNaive"},
	{"steps noted by the history commute", stepperFile, `c.wakes |= eventful`, `c.wakes |= 0`,
		"TestAgreesWithNaive"},
	{"tags forget the history", fillFile, `e.tag |= tagNoted`, ``, "TestAgreesWithNaive"},
	{"a message just sent counts as known", stepperFile, `known && d.from != sender && e.flags`,
		`known && e.flags`, "TestAgreesWithNaive"},
	{"a message just sent counts as known where the history looks", stepperFile,
		`tr.local, d.rest, known && d.from != sender) {
						return false`, `tr.local, d.rest, known) {
						return false`, "TestAgreesWithNaive"},
	{"a message just sent counts as known if there are several outcomes", stepperFile,
		`c.fireList(q, tr.local, d.rest, known && d.from != sender)`,
		`c.fireList(q, tr.local, d.rest, known)`, "TestAgreesWithNaive"},
	{"of several messages just sent the first counts as known", stepperFile,
		`known && c.came&tagMany == 0`, `known`, "TestAgreesWithNaive"},
	{"tags forget that there are several messages", fillFile, `e.tag |= tagMany`, ``, "TestAgreesWithNaive"},
	{"in bags, too, a message before another was sent before it", inboxFile, `keeps && slices.ContainsFunc(`,
		`(keeps || !keeps) && slices.ContainsFunc(`, "TestAgreesWithNaive"},
	{"in channels, too, any message may be the last", inboxFile,
		`return t.senders[later] == t.senders[envelopes[i]]`, `return t.senders[later] == protocol.MaxProcs`,
		"TestSleepTags"},
	{"steps that are left out are not judged", "explore/kernel/sleeptag.go", `return t & (0xff << tagUse)`,
		`return t`, "TestAgreesWithNaive"},
	{"under links steps commute", fillFile, `&& !sp.settles && !sp.Links`, `&& !sp.settles`,
		"TestLinkedAgreesWithNaive"},
	{"with clocks steps commute", fillFile, `&& !sp.settles && !sp.Links`, `&& !sp.Links`,
		"TestClocksAgreeWithNaive"},
	{"recoveries commute", fillFile, `!o.Crash && !o.Revives`, `!o.Crash`, "TestAgreesWithNaive"},
	{"a state after a recovery is not judged", fillFile, `e.tag = tagSuspect`, `e.tag = 0`,
		"TestUseIsJudgedAgainAfterRecovery"},
	{"of many processes steps commute, too", fillFile, ` && len(sp.procs) <= fewProcs`,
		` && len(sp.procs) > 0`, "TestManyProcesses"},
	{"many processes have as many units as few", "explore/kernel/machine.go", `mark(min(maxHeld, maxUse/n))`,
		`mark(max(maxHeld, maxUse/n))`, "TestManyProcesses"},
	{"faults commute", "explore/kernel/faultsteps.go", `c.fire(q, &e, q.local, rest, false)`,
		`c.fire(q, &e, q.local, rest, true)`, "TestAgreesWithNaive"},

	// Tables of what processes do, and their keys.
	{"the first cell of a row of deliveries is taken for the right one", stepperFile,
		`cell.key != d.envelope+1`, `cell.key == 0`, "TestAgreesWithNaive"},
	{"the first cell of a row of arrivals is taken for the right one", stepperFile,
		`after.key != sent.group+1`, `after.key == 0`, "TestAgreesWithNaive"},
	{"keys of rows lose their first half", "explore/kernel/rows.go", `c.key == key+1`,
		`uint16(c.key) == uint16(key+1)`, "kernel.TestRows"},
	{"lists are looked up by half of their numbers", "explore/kernel/rows.go", `4*len(list))`,
		`2*len(list))`, "TestAgreesWithNaive"},
	{"the table of idle steps forgets who is dead", "model/adapter.go", `	t.run.outcomes(`,
		`	if e == nil {
			s.Dead = 0
		}
		t.run.outcomes(`, "TestAgreesWithNaive"},
	{"the table of receipts forgets who is dead", "model/adapter.go", `	t.run.outcomes(`,
		`	if e != nil {
			s.Dead = 0
		}
		t.run.outcomes(`, "TestAgreesWithNaive"},
	{"who is dead is not noticed", stepperFile, `gone != c.dead || `, ``, "TestAgreesWithNaive"},
	{"fifo channels deliver anything", inboxFile, `!sp.deliverable(t, envelopes, i) || `, ``,
		"TestAgreesWithNaive"},
	{"a process that sends to itself loses what it has received", stepperFile, `			inbox = rest`,
		`			inbox = to.inbox`, "TestAgreesWithNaive"},
	{"the dead are sent to", inboxFile, `		if dead.Has(to) {
			continue
		}`, ``, "TestAgreesWithNaive"},
	{"histories do not change", stepperFile, `c.history.change(rec, h, c.past, c.then)`,
		`c.history.change(rec, h, c.past, c.past)`, "TestAgreesWithNaive"},
	{"what is impossible is possible", stepperFile,
		`c.then, c.excluded = r>>2, r&(excluded|impossible) != 0`,
		`c.then, c.excluded = r>>2, r&excluded != 0`, "TestAgreesWithNaive"},
	{"histories that guard prune", stepperFile, `r&excluded != 0 && !c.m.Guards`, `r&excluded != 0`,
		"TestLinkedAgreesWithNaive"},

	// What is counted, and what is enabled.
	{"pruned steps are not counted", stepperFile, `c.pruned++`, ``, "TestAgreesWithNaive"},
	{"pruned steps are not enabled", stepperFile, `c.flags |= e.flags
		c.pruned++`, `c.pruned++`, "TestAgreesWithNaive"},
	{"no step is ordinary", stepperFile, `c.flags |= e.flags | enabled
	c.b.Fired`, `c.flags |= enabled
	c.b.Fired`, "TestAgreesWithNaive"},
	{"no step that is left out is ordinary", stepperFile, `c.flags |= e.flags | enabled // as fire does`,
		`c.flags |= enabled // as fire does`, "TestAgreesWithNaive"},
	{"steps that are left out are not counted", stepperFile,
		`				c.b.Fired[uint8(e.label)] += c.count`, ``, "TestAgreesWithNaive"},
	{"steps are counted again where tables lack something", stepperFile, `c.fill, c.count = nil, -1`,
		`c.fill, c.count = nil, 0`, "TestAgreesWithNaive"},
	{"what the constraint rejects is visited", stepperFile, `e.flags&outside != 0 && !c.m.settles`,
		`e.flags&outside != 0 && c.m.settles`, "TestAgreesWithNaive"},
	{"with clocks the constraint rejects nothing", clocksFile, `if beyond || rejected {`, `if beyond {`,
		"TestClocksAgreeWithNaive"},
	{"steps beyond the bounds are not counted", clocksFile, `		c.beyond++`, ``,
		"TestClocksAgreeWithNaive"},
	{"a search with steps beyond the bounds is complete", "explore/loop.go",
		`r.Complete = s.counts.Beyond == 0 && s.opt.Store.Kind.proves()`, `r.Complete = s.opt.Store.Kind.proves()`,
		"TestClocksAgreeWithNaive"},
	{"a state of which all steps are pruned is a deadlock", judgingFile, `!e.Any && e.Pruned > 0`,
		`!e.Any && e.Pruned < 0`, "TestAgreesWithNaive"},
	{"only states without steps are quiet", judgingFile, `if e.Quiet() {`, `if e.Quiet() && !e.Any {`,
		"TestAgreesWithNaive"},
	{"steps to what is outside are not judged", judgingFile,
		`s.judgeStep(c, ch, v, out.LabelAt(at), t, s.checksPurity(ch, v))`, ``,
		"TestAgreesWithNaive"},
	{"states outside are not judged", judgingFile,
		`ch.add(c.Judge(t, s.asked), find{level: s.report.Depth, state: v, beyond: t})`, ``,
		"TestAgreesWithNaive"},
	{"steps of a system that change nothing are not judged", judgingFile, `		s.judgeStep(c, ch, v, l, v, check)`,
		`		_ = l`, "TestAgreesWithNaive"},
	{"all steps of systems are ordinary", "model/systemspace.go",
		`to.Ordinary || action.Kind == protocol.Ordinary`,
		`true`, "TestAgreesWithNaive"},

	// Judging by table.
	{"crashes are not looked at", stepperFile, `			tag |= tagSuspect`, ``, "TestAgreesWithNaive"},
	{"inboxes are not looked at", "model/judge.go", ` | parts.ofInboxes[inbox].broken`, ``, "TestAgreesWithNaive"},
	{"local states are not looked at", "model/judge.go", `parts.ofLocals[local].broken | `, ``,
		"TestAgreesWithNaive"},
	{"units in use are not looked at", tableFile,
		`used > protocol.MaxUnits || m.table.Found[used][live] != 0`, `used > protocol.MaxUnits`,
		"TestAgreesWithNaive"},
	{"a bad local state raises no alarm", "explore/kernel/parts.go", `if marked > sp.maxHeld {`,
		`if marked > broken|maxHeld {`, "TestAgreesWithNaive"},
	{"a bad inbox raises no alarm", "explore/kernel/parts.go", `		sp.markNeedsCheck(true)
	}
	sp.enterInbox`, `	}
	sp.enterInbox`, "TestAgreesWithNaive"},
	{"the dead count as live", stepperFile, `c.m.needsCheck[c.n-gone.Len()]`, `c.m.needsCheck[c.n]`,
		"TestAgreesWithNaive"},
	{"units are not given back", fillFile, `e.units = -sp.units(p, s.Local)`, `e.units = 0`,
		"TestAgreesWithNaive"},
	{"properties see who was dead in another state", "model/judge.go", `g.s, g.Dead = s, 0`,
		`g.s = s`, "TestAgreesWithNaive"},

	// Links and failing channels.
	{"links survive the crash of their end", stepperFile, `c.m.Links && e.flags&crashes != 0`,
		`!c.m.Links && e.flags&crashes != 0`, "TestLinkedAgreesWithNaive"},
	{"what is under way is not seen", stepperFile, `all.Merge(&q.procTables.inboxTraces[q.inbox])`, ``,
		"TestLinkedAgreesWithNaive"},
	{"numbers in use are not seen", stepperFile, `all.Merge(&q.procTables.localTraces[q.local])`, ``,
		"TestLinkedAgreesWithNaive"},
	{"nothing is cut off", inboxFile, `sp.scratch = append(sp.scratch, cutMark|uint32(from))`, ``,
		"TestLinkedAgreesWithNaive"},
	{"others are cut off", inboxFile, `t.senders[known] == protocol.Proc(`,
		`t.senders[known] != protocol.Proc(`, "TestLinkedAgreesWithNaive"},
	{"nobody comes up again", stepperFile, `c.m.Recovers && !c.revive(q)`, `!c.m.Recovers && !c.revive(q)`,
		"TestLinkedAgreesWithNaive"},
	{"who comes up is dead to himself", fillFile, `return s.Dead.Without(s.Proc)`, `return s.Dead`,
		"TestLinkedAgreesWithNaive"},
	{"who crashes while he comes up lives", fillFile, `case o.Crash: // perhaps`,
		`case o.Crash && !o.Revives: // perhaps`, "TestAgreesWithNaive"},
	{"times of the dead do not count", clocksFile, `; inbox != dead || c.m.Recovers`, `; inbox != dead`,
		"TestTimesOfTheDeadCount"},
	{"times of the dead stay behind", clocksFile, `inbox == dead && !c.m.Recovers`, `inbox == dead`,
		"TestTimesOfTheDeadCount"},
	{"crashes are not bounded", fillFile, `r.Crashes++`, ``, "TestLinkedAgreesWithNaive"},
	{"partitions let everything through", stepperFile, `list = g.inside[q.inbox]`, `_ = g.inside`,
		"TestAgreesWithNaive"},
	{"partitions let through what crosses", inboxFile, `!f.Crosses(`, `f.Crosses(`, "TestAgreesWithNaive"},
	{"partitions do not heal", "explore/kernel/parts.go", `r.Partition == protocol.Parted`,
		`r.Partition != protocol.Whole`, "TestAgreesWithNaive"},
	{"all channels fail", inboxFile, `return f.Concerns(t.senders[content[i]], p)`, `return true`,
		"TestAgreesWithNaive"},
	{"copies go to the end of the channel", fillFile, `slices.Insert(sp.scratch, i, m.b)`,
		`slices.Insert(sp.scratch, max(i, len(sp.scratch)), m.b)`, "TestAgreesWithNaive"},
	{"healing is no ordinary step", "explore/kernel/faultsteps.go", `		e.flags |= ordinary`, ``,
		"TestAgreesWithNaive"},

	// Hashes, layouts, the visited set and the queue.
	{"hashes forget what was there before", stepperFile, `h + (hash(new)-hash(old))*x.constant`,
		`h + hash(new)*x.constant`, "TestAgreesWithNaive"},
	{"hashes of states shifted in time forget inboxes", clocksFile,
		`		h = c.views[p].inboxSlot.exchange(`, `		c.views[p].inboxSlot.exchange(`,
		"TestClocksAgreeWithNaive"},
	{"hashes change with the layout", "explore/kernel/layout.go", `h += hash(x) * m.constant`,
		`h = hash(x) * m.constant`, "TestAgreesWithNaive"},
	{"numbers move to where they stood in the old layout", "explore/kernel/layout.go",
		`x << (m.toShift & 31)`, `x << (m.fromShift & 31)`, "TestAgreesWithNaive"},
	{"one number too many fits", "explore/kernel/parts.go", `numbers-1 <= int(`,
		`numbers-2 <= int(`, "TestAgreesWithNaive"},
	{"links lead elsewhere than to the parent", stepperFile, `Parent(uint64(c.sum))`,
		`Parent(uint64(c.sum) ^ 1<<40)`, "TestAgreesWithNaive"},
	{"links of systems lead elsewhere than to the parent", "explore/kernel/system.go",
		`= Parent(uint64(hashWords(v))), false`, `= Parent(uint64(hashWords(v))<<1), false`,
		"TestAgreesWithNaive"},
	{"links of systems with tables lead elsewhere than to the parent", stepTableFile,
		`c.parent = Parent(uint64(h))`, `c.parent = Parent(uint64(h)<<1)`, tablesTest},
	{"successors in a table's row with hashes that begin alike are taken for equal", stepTableFile,
		`drop := bit(differs == 0)`, `drop := bit(last != 0)`, tablesTest},
	{"a row changes the hash by something else", stepTableFile, `hashWords(x.Room) - hashWords(x.from)`,
		`hashWords(x.Room) - hashWords(x.from) + 1<<62`, tablesTest},
	{"steps of a row that change nothing are left out", stepTableFile, `range x.Loops {`,
		`range x.Loops[:0] {`, tablesTest},
	{"all steps in tables are ordinary", stepTableFile, `bit(x.Ordinary))`, `1)`, tablesTest},
	{"the constraint is not asked about steps in tables", stepTableFile, `c.constrained && drop == 0`,
		`c.b == b && c.constrained && drop == 0`, tablesTest},
	{"a row stays when its steps touch further bits", stepTableFile, `within = within && m&^t.mask[w] == 0`,
		`within = within || m&^t.mask[w] == 0`, tablesTest},
	{"a table's key lacks a word", stepTableFile, `parts = append(parts, p)`,
		`parts = append(parts[:0], p)`, tablesTest},
	{"instances that touch common bits sleep", stepTableFile,
		`ones(mask, c.sampled[j]) == ones(mask)+`, `ones(mask, c.sampled[j]) <= ones(mask)+`, sleepTest},
	{"instances sleep though their steps touch other bits than in the sample", stepTableFile,
		`last == from && sampled`, `last == from`, sleepTest},
	{"instances with several steps sleep, and count as one", stepTableFile, `last == from && sampled`,
		`n > from && sampled`, sleepTest},
	{"instances after the one that led to a state sleep", stepTableFile, `range c.sampled[:j] {`, `range c.touched {`,
		sleepTest},
	{"the tag of a repeat is of another state", stepTableFile, `max(*kept, tag&-SleepTag(drop))`,
		`max(*kept, tag)`, sleepTest},
	{"steps that sleep are not counted", stepTableFile, `fires &^= asleep; asleep != 0;`,
		`fires &^= asleep; fires != fires;`, sleepTest},
	{"a growing visited set forgets links", visitedFile, `copy(moved[width:], cell[old.width:])`,
		`moved[width] = RootLink`, "TestLargeAgreesWithNaive"},
	{"a growing visited set moves states to wrong places", visitedFile, `!t.put(moved, place) {`,
		`!t.put(moved, place>>1) {`, "TestLargeAgreesWithNaive"},
	{"a table that grows in place moves states in front of others that have not moved", visitedFile,
		`within && t.home(place) < b || `, ``, "memory.TestTable"},
	{"a table that grows in place keeps what it has moved", visitedFile, `			clear(old.cells[b:][:old.bucket])`,
		``, "memory.TestTable"},
	{"a growing visited set forgets its first bucket", visitedFile,
		`len(old.cells); b > 0;`, `len(old.cells); b > old.bucket;`, "TestAgreesWithNaive"},
	{"the last cell of a bucket is not looked at", visitedFile, ` | Same(b[12], first)<<4`, ``, "memory.TestTable"},
	{"states of one bucket are taken for equal", visitedFile, `if Equal(t.cells[at:at+t.width], v) {`,
		`if t.stride > 0 {`, "memory.TestTable"},
	{"states that are known go into the next level", queueFile,
		`length & -isNew`, `length & -(isNew | 1)`, "TestAgreesWithNaive"},
	{"full segments of the queue lack an entry", queueFile, `append(*segment, entries[:n]...), entries[n:]`,
		`append(*segment, entries[:n]...), entries[min(n+length, len(entries)):]`, "memory.TestQueue"},
	{"entries put back are not counted", queueFile, `entries...))
	q.Count += len(entries) / length`, `entries...))`, "memory.TestQueue"},
	{"what was read is read again in a new layout", queueFile,
		`		return q.segments[0][q.read:]`, `		return q.segments[0]`, "memory.TestQueue"},
	{"tags are lost in a new layout", queueFile, `			copy(entry[width:], s[old:])`, ``, "memory.TestQueue"},
	{"what was found is not translated to a new layout", "explore/room.go",
		`s.finds[i].state, s.finds[i].beyond = change(s.finds[i].state), change(s.finds[i].beyond)`,
		`_, _ = change, i`, "TestAgreesWithNaive"},
	{"siblings of one hash are taken for equal", "explore/chunk.go",
		`uint32(last>>32) == uint32(h) && j < at && memory.Equal(b.Words[at:at+b.Width], b.Words[j:])`,
		`last != 0 && j < at`, "TestAgreesWithNaive"},
	{"steps to what is outside and breaks a property are only counted", stepperFile,
		`!c.needsCheck.mark(tag).Suspect()`, `tag != 0`, "TestAgreesWithNaive"},
	{"steps to what is outside are not counted", stepperFile, `c.b.Unjudged += c.count`, ``,
		"TestTasksTwice"},
	{"steps to what is outside are only counted before they are annotated", "explore/loop.go",
		`!s.everyStep && !s.judgeAll`, `!s.judgeAll`, "TestWaitingAgreesWithNaive"},
	{"states for which tables were filled are not visited", expansionFile,
		`if err := s.lookUp(chunks); err != nil || s.report.Stopped != "" {`,
		`if err := s.lookUp(chunks[:len(chunks)-1]); err != nil || s.report.Stopped != "" {`,
		"TestAgreesWithNaive"},

	// The end of a search, and the workers.
	{"a last state is left", "explore/loop.go", `for s.now.Count > 0 || s.next.Count > 0 {`,
		`for s.now.Count > 0 || s.next.Count > 1 {`, "TestAgreesWithNaive"},
	{"states that wait are no gap", "explore/loop.go", `waiting != 0 || levels`, `levels`, "TestGap"},
	{"states that were not expanded are no gap", "explore/loop.go", ` || s.counts.Expanded != stored`, ``,
		"TestGap"},
	{"states that were not counted are no gap", "explore/loop.go", ` || s.report.States != stored`, ``,
		"TestGap"},
	{"states in no level are no gap", "explore/loop.go", `levels != stored || `, ``, "TestGap"},
	{"an initial state that is missing is no gap", "explore/loop.go", `Holds(b.At(i), b.Hash(i)) {
			return "an initial state is not stored"`, `Holds(b.At(i), b.Hash(i)) {
			continue`, "TestGap"},
	{"a compact search is complete", "explore/loop.go", `s.counts.Beyond == 0 && s.opt.Store.Kind.proves()`,
		`s.counts.Beyond == 0`, "TestStoresAgree"},
	{"a merge keeps what was visited", "explore/store/merge.go", `g.known[at] = true`, `g.known[at] = false`,
		"TestTasksTwice"},
	{"a merge keeps any origin", "explore/store/origin.go", `*origin = min(*origin, otherOrigin)`,
		``, "TestCandidates"},
	{"a sieve lets a code through", "explore/store/refs.go", `s.marks[mark/64] |= 1 << (mark % 64)`,
		`s.marks[mark/64] |= 1 << (mark % 63)`, "TestTasksTwice"},
	{"a merge forgets what shares a high half", "explore/store/merge.go", `if g.refs[at].Lo == c.Lo {`,
		`if g.refs[at].Lo != c.Lo {`, "TestTasksTwice"},
	{"what comes first is told, however long", "explore/store/task.go", `cmp.Or(f.length()-g.length(), `,
		`cmp.Or(`, "TestFinds"},

	// Candidates on disk, and the ranges of a level.
	{"a range is not taken up again", "explore/store/disk/partitions.go", `for i, name := range r.names {`,
		`for i, name := range r.names[1:] {`, "TestPartitions"},
	{"states lose their tags in ranges", "explore/store/disk/partitions.go", `= behind[0], behind[1]`,
		`= 0, behind[1]`, "TestCandidates"},
	{"states pass on their tags from ranges", "explore/store/disk/partitions.go", `= behind[0], behind[1]`,
		`= behind[0], behind[0]`, "TestPartitions"},
	{"after ranges the last batch is forgotten", "explore/store/disk/level.go", `			return err
		}
	}
	return l.expandBatch()`, `			return err
		}
		return nil
	}
	return l.expandBatch()`, "TestPartitions"},
	{"the last rows that were put aside are not written", "explore/store/table.go",
		`err := w.flush()
	if err != nil {`, `err := error(nil)
	if w.header.Kind != Words {
		err = w.flush()
	}
	if err != nil {`, "TestPartitions"},
	{"a candidate in the table keeps how it was reached first", "explore/store/disk/candidates.go",
		`how := t.Remembered(at)`, `how := append([]uint32(nil), t.Remembered(at)...)`, "TestCandidates"},
	{"the taken bit stays in the tag", "explore/store/disk/flush.go", `&^uint32(kernel.TakenTag)`, ``,
		"TestCandidates"},
	{"candidates of other workers are not written", "explore/store/disk/flush.go", `for w := range all {`,
		`for w := range all[:1] {`, "TestCandidates"},
	{"a compact set remembers other parents", "explore/store/compact/set.go", `links[cell[Width]] = true`,
		`links[cell[Width]+2] = true`, "TestStoresAgree"},
	{"representatives are told by numbers", "explore/kernel/symmetry.go",
		`if y.codes[slot][x] < y.codes[slot][least] {`, `if x < least {`, "TestSymmetryCountsOrbits"},
	{"a job ends before its tasks", "explore/pool.go", `defer p.wait(j)`, `defer j.others.Add(0)`, "TestPool"},
	{"a panic in a task is lost", "explore/pool.go", `if f := j.failed.Load(); f != nil {`,
		`if f := j.failed.Load(); f == nil && n < 0 {`, "TestPoolPanic"},

	// Liveness: fairness, components, messages, lassos.
	{"steps to what is outside are not enabled", graphFile, `add(back, Label{Note: note, Kind: Away})
	}
	for _, note := range b.Notes.Pruned`, `add(back, Label{Note: note, Kind: Loop})
	}
	for _, note := range b.Notes.Pruned`, "TestLivenessAgreesWithNaive"},
	{"steps that are pruned are not enabled", graphFile, `add(back, Label{Note: note, Kind: Away})
	}
	if !enabled.Any`, `add(back, Label{Note: note, Kind: Loop})
	}
	if !enabled.Any`, "TestDeliveryAgreesWithNaive"},
	{"a run may stay where all steps are pruned", graphFile, `!enabled.Any && len(b.Pruned) > begin.Pruned`,
		`!enabled.Any && len(b.Pruned) < begin.Pruned`, "TestDeliveryAgreesWithNaive"},
	{"strong conditions are never enabled", fairFile, `enabled&g.strong | `, ``,
		"TestLivenessAgreesWithNaive"},
	{"weak conditions are always enabled", fairFile, `(g.weak|g.receipt)&^enabled`, `g.receipt&^enabled`,
		"TestLivenessAgreesWithNaive"},
	{"components need not meet what is wanted", fairsFile, `f.wanted&^(nodes|steps) != 0`,
		`f.wanted&^(nodes|steps) == ^uint64(0)`, "TestLivenessAgreesWithNaive"},
	{"strong conditions are not looked at", fairsFile, `bad := nodes & f.g.strong &^ steps`,
		`bad := nodes & f.g.strong &^ steps & 0`, "TestLivenessAgreesWithNaive"},
	{"components that break a strong condition are given up", fairsFile, `if f.g.bits[n]&bad == 0 {`,
		`if f.g.bits[n]&bad == 0 && bad == 0 {`, "TestLivenessAgreesWithNaive"},
	{"steps out of a component count as inside", fairsFile, `if f.Same(f.g.To[e], n) {`,
		`if f.Number(f.g.To[e]) > 0 {`, "TestLivenessAgreesWithNaive"},
	{"depth-first search forgets what leads back", sccFile,
		`c.number[at.node] = min(c.number[at.node], c.number[m])`, `_ = m`, "TestLivenessAgreesWithNaive"},
	{"depth-first search forgets the members of a component", sccFile,
		`c.number[c.open[first-1]] >= at.place`, `c.number[c.open[first-1]] > at.place`,
		"TestLivenessAgreesWithNaive"},
	{"a run may stay where messages can be received", fairsFile, ` || f.g.bits[n]&f.g.receipt != 0`,
		` || f.g.bits[n] != f.g.receipt`, "TestDeliveryAgreesWithNaive"},
	{"a run may stay in any state", fairsFile, `idle && !f.g.Stuck.Has(n)`, `idle`,
		"TestDeliveryAgreesWithNaive"},
	{"messages have to be received though they were", deliverFile, `!a.received && (`, `(`,
		"TestDeliveryAgreesWithNaive"},
	{"messages that can always be received may wait", deliverFile, `(a.nodes == nodes || f.strict())`,
		`f.strict()`, "TestWaitingAgreesWithNaive"},
	{"messages that can be received at times may not wait", deliverFile, `(a.nodes == nodes || f.strict())`,
		`true`, "TestWaitingAgreesWithNaive"},
	{"components are not taken apart for a message", deliverFile, `if !slices.ContainsFunc(bad`,
		`if n > n && !slices.ContainsFunc(bad`, "TestWaitingAgreesWithNaive"},
	{"times move and their messages stay", deliverFile, `(!moves || !m.timed)`, `(!moves || m.timed)`,
		"TestMessagesThatMoveOn"},
	{"runs go on after they fulfil the property", "explore/live/lasso.go",
		`x < nodes || !g.has(x-nodes, lts.Fulfils)`, `x < nodes || nodes > 0`,
		"TestLivenessAgreesWithNaive"},
	{"cycles go anywhere", "explore/live/lasso.go", `r.Met(n+g.Nodes()) && !g.has(n, lts.OffCycle)`,
		`r.Met(n + g.Nodes())`, "TestLivenessAgreesWithNaive"},
	{"what has to be so at first may be so later", "explore/live/lasso.go", `		if !initially {
			meet(n, n)
		}`, `		meet(n, n)`, "TestLivenessAgreesWithNaive"},
	{"cycles need not visit anything", "explore/live/lasso.go", `g.weak|visits, usable`,
		`g.weak|visits&0, usable`, "TestLivenessAgreesWithNaive"},

	// Costs, and goals out of reach.
	{"the least is the latest", "explore/cost/paths.go", `c.least[n] == notCounted || least < c.least[n]`,
		`c.least[n] == notCounted`, "TestCosts"},
	{"the most is the first", "explore/cost/paths.go", `if most > c.most[n] {`,
		`if most > c.most[n] && c.most[n] == notCounted {`, "TestCosts"},
	{"cycles cost nothing", "explore/cost/paths.go", `g.follows(e) && g.weight(e) > 0 && c.Same`,
		`g.follows(e) && g.weight(e) < 0 && c.Same`, "TestEndless"},
	{"the step that opens costs nothing", costFile, `weight: g.weights[k]}`, `weight: 0 * g.weights[k]}`,
		"TestCosts"},
	{"the step that closes costs nothing", costFile, `g.To[e], g.weights[k], 1}`, `g.To[e], 0, 1}`,
		"TestCostOfTheEnd"},
	{"steps cost what they cost others", costFile, `int32(charges.To[process])`, `int32(charges.All)`,
		"TestCosts"},
	{"runs end anywhere", costFile, `if g.Quiet.Has(n) {`, `if n == n {`, "TestCosts"},
	{"costs are compared without the requests", "explore/cost/cost.go", `e.Count*f.Requests < f.Count*e.Requests`,
		`e.Count < f.Count`, "TestCosts"},
	{"more than no end is possible", "explore/cost/cost.go", `if e.Endless || f.Endless {`,
		`if e.Endless && f.Endless {`, "TestCostsOfSteps"},
	{"of two steps the cheaper is taken", "explore/cost/cost.go", `most.Longer = true`, `most.Longer = false`,
		"TestCostsOfSteps"},
	{"steps back to their state cost nothing", costFile, `|| g.weights[k] > 0)`, `|| g.weights[k] > 1<<20)`,
		"TestCostsOfSteps"},
	{"messages to the dead cost", fillFile, `; !dead.Has(s.To) {
			owners`, `; s != nil {
			owners`, "TestCosts"},
	{"steps out of the state space cost", costFile, `if x.Kind == stategraph.Away {`, `if x.Kind > stategraph.Away {`, "TestCosts"},
	{"the graph lacks steps", graphFile, `for i := begin.In / b.Stride; i < b.Len(); i++ {`,
		`for i := begin.In/b.Stride + 1; i < b.Len(); i++ {`, "TestOutOfReach"},
	{"predecessors are those of the next state", "explore/graph/graph.go",
		`return g.To[g.Begin[n]:g.Begin[n+1]]`, `return g.To[g.Begin[n+1]:g.Begin[min(n+2, g.Nodes())]]`,
		"TestOutOfReach"},
	{"edges are of one worker's numbering", graphFile, `x.Message)) * 0x9E3779B97F4A7C15
	r := &k.entries[h>>(64-labelCacheBits)]
	if r.number == 0 || r.label != x {`, `x.Message)) * 0x9E3779B97F4A7C15
	r := &k.entries[h>>(64-labelCacheBits)]
	if r.number == 0 {`, "TestCosts"},

	// Receipts at once.
	{"a receipt need not commute with steps of its process", moversFile, `func() { m.check(&next) }`,
		`func() {}`, "TestReceiptsThatDoNotCommute"},
	{"a receipt at once may change what is asked", moversFile, `; part != "" {`, `; part == "-" {`,
		"TestMoversChangeNoVerdict"},
	{"a receipt that sends is taken although its process may crash", receiveFile, ` && !r.m.movers.MayCrash`,
		` && false`, "TestMoversChangeNoVerdict"},
	{"a message that can be lost is received at once", moversFile, `f.Moves() && f.Concerns`,
		`false && f.Concerns`, "TestMoversChangeNoVerdict"},
	{"in a channel the order of messages does not matter", moversFile, `if fifo && m.meet(`,
		`if false && m.meet(`, "TestReceiptsThatDoNotCommute"},
	{"receipts at once do not count", stepperFile, `b.Fired[uint8(l.Action)]++`, `b.Fired[uint8(l.Action)] += 0`,
		"TestMoversChangeNoVerdict"},
}
