package explore_test

const (
	stepperFile = "model/stepper.go"
	composeFile = "model/compose.go"
	tableFile   = "model/bytable.go"
	clocksFile  = "model/clocks.go"
	roundFile   = "explore/round.go"
	visitedFile = "explore/visited.go"
	queueFile   = "explore/frontier.go"
	fairFile    = "explore/fairgraph.go"
	sccFile     = "explore/components.go"
)

// mutants are listed by what the mistake is in.
var mutants = []mutant{
	// Steps that commute, model.Trail.
	{"steps of the process itself are left out", stepperFile, `p < c.came.proc()`, `p <= c.came.proc()`, "TestTrail"},
	{"any step is left out", stepperFile, `if known && e.flags&c.wakes == 0 {`, `if known {`, "TestAgreesWithNaive"},
	{"crashes commute", stepperFile, `c.wakes = outside | crashes`, `c.wakes = outside`, "TestAgreesWithNaive"},
	{"steps to what the constraint rejects are left out", stepperFile, `c.wakes = outside | crashes`, `c.wakes = crashes`, "TestAgreesWithNaive"},
	{"steps noted by the history commute", stepperFile, `c.wakes |= eventful`, `c.wakes |= 0`, "TestAgreesWithNaive"},
	{"trails forget the history", composeFile, `e.trail |= trailNoted`, ``, "TestAgreesWithNaive"},
	{"a message just sent counts as known", stepperFile, `known && d.from != sender && e.flags`, `known && e.flags`, "TestAgreesWithNaive"},
	{"a message just sent counts as known where the history looks", stepperFile,
		`mv.local, d.rest, known && d.from != sender) {
					return false`, `mv.local, d.rest, known) {
					return false`, "TestAgreesWithNaive"},
	{"a message just sent counts as known if there are several outcomes", stepperFile,
		`c.takeList(q, mv.local, d.rest, known && d.from != sender)`, `c.takeList(q, mv.local, d.rest, known)`, "TestAgreesWithNaive"},
	{"of several messages just sent the first counts as known", stepperFile,
		`known && c.came&trailMany == 0`, `known`, "TestAgreesWithNaive"},
	{"trails forget that there are several messages", composeFile, `e.trail |= trailMany`, ``, "TestAgreesWithNaive"},
	{"in a bag only the last message counts as new", composeFile, `sp.c.Network.Channel == FIFO && later.From == from`, `later.From == from`, "TestAgreesWithNaive"},
	{"steps that are left out are not judged", "model/space.go", `return t & (0xff << trailUse)`, `return t`, "TestAgreesWithNaive"},
	{"under links steps commute", composeFile, `!o.crash && !sp.settles && !sp.links`, `!o.crash && !sp.settles`, "TestLinkedAgreesWithNaive"},
	{"with clocks steps commute", composeFile, `!o.crash && !sp.settles && !sp.links`, `!o.crash && !sp.links`, "TestClocksAgreeWithNaive"},
	{"faults commute", "model/faultsteps.go", `c.take(q, &e, q.local, rest, false)`, `c.take(q, &e, q.local, rest, true)`, "TestAgreesWithNaive"},

	// Tables of what processes do, and their keys.
	{"the first cell of a row of deliveries is taken for the right one", stepperFile, `cell.key != d.letter+1`, `cell.key == 0`, "TestAgreesWithNaive"},
	{"the first cell of a row of arrivals is taken for the right one", stepperFile, `after.key != post.bundle+1`, `after.key == 0`, "TestAgreesWithNaive"},
	{"keys of memos lose their first half", "model/intern.go", `c.key == key`, `uint32(c.key) == uint32(key)`, "TestAgreesWithNaive"},
	{"lists are looked up by their first bytes", "model/intern.go", `binary.LittleEndian.AppendUint32(t.key, x)`, `append(t.key, byte(x))`, "TestAgreesWithNaive"},
	{"rows forget cells when they grow", "model/rows.go", `for _, c := range cells {`, `for _, c := range cells[1:] {`, "TestAgreesWithNaive"},
	{"the table of idle steps forgets who is dead", composeFile, `sp.run.idle(p, l, in)`, `sp.run.idle(p, l, setting{learns: learns})`, "TestAgreesWithNaive"},
	{"the table of receipts forgets who is dead", composeFile, `t.letters.values[letter-1], in)`, `t.letters.values[letter-1], setting{learns: learns})`, "TestAgreesWithNaive"},
	{"who is dead is not noticed", stepperFile, `gone != c.dead || `, ``, "TestAgreesWithNaive"},
	{"fifo channels deliver anything", composeFile, `!deliverable(sp.c.Network.Channel, content, i) || `, ``, "TestAgreesWithNaive"},
	{"a process that sends to itself loses what it has received", stepperFile, `			inbox = rest`, `			inbox = to.inbox`, "TestAgreesWithNaive"},
	{"the dead are sent to", composeFile, `		if dead.Has(to) {
			continue
		}`, ``, "TestAgreesWithNaive"},
	{"histories do not change", stepperFile, `c.history.change(rec, h, c.past, c.then)`, `c.history.change(rec, h, c.past, c.past)`, "TestAgreesWithNaive"},
	{"what is impossible is possible", stepperFile, `c.then, c.excluded = uint32(r>>2), r&(excluded|impossible) != 0`,
		`c.then, c.excluded = uint32(r>>2), r&excluded != 0`, "TestAgreesWithNaive"},
	{"histories that guard prune", stepperFile, `r&excluded != 0 && !c.m.guards`, `r&excluded != 0`, "TestLinkedAgreesWithNaive"},

	// What is counted, and what is enabled.
	{"pruned steps are not counted", stepperFile, `c.pruned++`, ``, "TestAgreesWithNaive"},
	{"pruned steps are not enabled", stepperFile, `c.flags |= e.flags
		c.pruned++`, `c.pruned++`, "TestAgreesWithNaive"},
	{"no step is ordinary", stepperFile, `c.flags |= e.flags | enabled
	c.b.Fired`, `c.flags |= enabled
	c.b.Fired`, "TestAgreesWithNaive"},
	{"no step that is left out is ordinary", stepperFile, `c.flags |= e.flags | enabled // as take does`, `c.flags |= enabled // as take does`, "TestTrail"},
	{"steps that are left out are not counted", stepperFile, `				c.b.Fired[uint8(e.label)] += c.count`, ``, "TestAgreesWithNaive"},
	{"steps are counted again where tables lack something", stepperFile, `c.count = -1 //`, `c.count = 0 //`, "TestAgreesWithNaive"},
	{"what the constraint rejects is visited", stepperFile, `e.flags&outside != 0 && !c.m.settles`, `e.flags&outside != 0 && c.m.settles`, "TestAgreesWithNaive"},
	{"with clocks the constraint rejects nothing", clocksFile, `if beyond || rejected {`, `if beyond {`, "TestClocksAgreeWithNaive"},
	{"steps beyond the bounds are not counted", clocksFile, `		c.beyond++`, ``, "TestClocksAgreeWithNaive"},
	{"a search with steps beyond the bounds is complete", "explore/search.go", `s.report.Complete = s.report.Beyond == 0`, `s.report.Complete = true`, "TestClocksAgreeWithNaive"},
	{"a state of which all steps are pruned is a deadlock", roundFile, `!e.Any && e.Pruned > 0`, `!e.Any && e.Pruned < 0`, "TestAgreesWithNaive"},
	{"only states without steps are quiet", roundFile, `if e.Quiet() {`, `if e.Quiet() && !e.Any {`, "TestAgreesWithNaive"},
	{"steps to what is outside are not judged", roundFile, `u.add(c.JudgeStep(v, out.LabelAt(at), t, s.asked), s.report.Depth, v, t)`, ``, "TestAgreesWithNaive"},
	{"states outside are not judged", roundFile, `u.add(c.Judge(t, s.asked), s.report.Depth, v, t)`, ``, "TestAgreesWithNaive"},
	{"steps of a system that change nothing are not judged", roundFile, `u.add(c.JudgeStep(v, l, v, s.asked), s.report.Depth, v, v)`, `_ = l`, "TestAgreesWithNaive"},
	{"all steps of systems are ordinary", "model/system.go", `e.Ordinary || action.Kind == Ordinary`, `true`, "TestAgreesWithNaive"},

	// Judging by table.
	{"crashes are not looked at", stepperFile, `			trail |= trailSuspect`, ``, "TestAgreesWithNaive"},
	{"inboxes are not looked at", tableFile, ` || g.inboxMarks[inbox]`, ``, "TestAgreesWithNaive"},
	{"local states are not looked at", tableFile, ` || m&broken != 0`, ``, "TestAgreesWithNaive"},
	{"units in use are not looked at", tableFile, `used > maxUnits || t.found[used][live] != 0`, `used > maxUnits`, "TestAgreesWithNaive"},
	{"a bad local state raises no alarm", tableFile, `if m > maxHeld {`, `if m > broken|maxHeld {`, "TestAgreesWithNaive"},
	{"a bad inbox raises no alarm", tableFile, `	if bad {
		sp.raise(&sp.byTable, true)
	}`, ``, "TestAgreesWithNaive"},
	{"the dead count as live", stepperFile, `c.m.alarms[c.n-gone.Len()]`, `c.m.alarms[c.n]`, "TestAgreesWithNaive"},
	{"units are not given back", composeFile, `e.units = -sp.procs[p].units(sp.from)`, `e.units = 0`, "TestAgreesWithNaive"},
	{"who crashes goes on using", composeFile, `	if !o.crash {
		e.units +=`, `	{
		e.units +=`, "TestAgreesWithNaive"},
	{"properties see who was dead in another state", "model/cursor.go", `	g.Dead = 0
`, ``, "TestAgreesWithNaive"},

	// Links and failing channels.
	{"links survive the crash of their end", stepperFile, `c.m.links && e.flags&crashes != 0`, `!c.m.links && e.flags&crashes != 0`, "TestLinkedAgreesWithNaive"},
	{"what is under way is not seen", stepperFile, `all.merge(&q.gears.inboxTraces[q.inbox])`, ``, "TestLinkedAgreesWithNaive"},
	{"numbers in use are not seen", stepperFile, `all.merge(&q.gears.localTraces[q.local])`, ``, "TestLinkedAgreesWithNaive"},
	{"nothing is cut off", composeFile, `sp.scratch = append(sp.scratch, cutMark|uint32(from))`, ``, "TestLinkedAgreesWithNaive"},
	{"others are cut off", composeFile, `.From == Proc(letter&^cutMark)`, `.From != Proc(letter&^cutMark)`, "TestLinkedAgreesWithNaive"},
	{"nobody comes up again", stepperFile, `c.m.revives && !c.revive(q)`, `!c.m.revives && !c.revive(q)`, "TestLinkedAgreesWithNaive"},
	{"who comes up is dead to himself", composeFile, `dead = dead.Without(p)`, ``, "TestLinkedAgreesWithNaive"},
	{"crashes are not bounded", composeFile, `h.record.crashes++`, ``, "TestLinkedAgreesWithNaive"},
	{"partitions let everything through", stepperFile, `list = g.inside[q.inbox]`, `_ = g.inside`, "TestAgreesWithNaive"},
	{"partitions let through what crosses", composeFile, `!f.crosses(`, `f.crosses(`, "TestAgreesWithNaive"},
	{"partitions do not heal", composeFile, `h.record.partition == split`, `h.record.partition != whole`, "TestAgreesWithNaive"},
	{"all channels fail", composeFile, `return f.concerns(content[i].From, p)`, `return true`, "TestAgreesWithNaive"},
	{"copies go to the end of the channel", composeFile, `slices.Insert(sp.scratch, i, uint32(m.b))`, `append(sp.scratch[:len(sp.scratch):len(sp.scratch)], uint32(m.b))`, "TestAgreesWithNaive"},
	{"healing is no ordinary step", "model/faultsteps.go", `		e.flags |= ordinary`, ``, "TestAgreesWithNaive"},
}
