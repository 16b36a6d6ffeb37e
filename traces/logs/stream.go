package logs

import (
	"errors"
	"slices"
)

// A Judging says what is asked of the logs of a run.
type Judging struct {
	// Units says how many units of each resource may be in use at once, when the header of the
	// logs is known.
	Units func(Header) (func(resource string) int, error)
	Reading
	// Whole, if it is not nil, is called before a log is read that has to be in memory as a whole.
	Whole func()
}

// Judge reads the logs of one run and judges how much of each resource was in use at once. It is
// Read and Log.Occupancies in one, and says the same; but the events are kept only if what they
// say needs all of them: vector clocks and messages, nodes with several stays at once, and
// lines that are further out of order than a window reaches. If the log contradicts itself there are
// no occupancies. A log without events has no order and no History if it was not kept.
func Judge(files []string, opt Options, how Judging) (*Log, []*Occupancy, error) {
	if err := usable(files, opt); err != nil {
		return nil, nil, err
	}
	if opt.Stdin != nil && slices.Contains(files, Stdin) {
		spool, err := newSpool(opt.Stdin)
		if err != nil {
			return nil, nil, err
		}
		defer spool.close()
		opt.Stdin = spool
	}
	var known *knowledge
	for range maxReadings {
		if opt.Keep || len(files) > maxMerged {
			break
		}
		st := &stream{opt: opt, how: how, known: known}
		l, uses, err := st.read(files)
		if err == nil || !errors.Is(err, errWhole) && !errors.Is(err, errAgain) {
			return l, uses, err
		}
		if err := rewind(opt.Stdin); err != nil {
			return nil, nil, err
		}
		if known = st.learnt; known == nil {
			break
		}
	}
	if how.Whole != nil {
		how.Whole()
	}
	l, err := Read(files, opt)
	if err != nil {
		return nil, nil, err
	}
	units, err := how.Units(l.Header)
	if err != nil || l.Contradictory() {
		return l, nil, err
	}
	uses := l.Occupancies(units, how.Reading)
	l.show()
	return l, uses, nil
}

// maxReadings is how often a log is read before it is read as a whole, and maxMerged the number
// of files that are read side by side.
const (
	maxReadings = 4
	maxMerged   = 512
)

// errWhole ends the reading of a log that has to be in memory as a whole, and errAgain that of one
// of which more has to be known beforehand.
var (
	errWhole = errors.New("the log has to be read as a whole")
	errAgain = errors.New("the log has to be read again")
)

// A stream judges events as they are read.
type stream struct {
	opt    Options
	how    Judging
	known  *knowledge
	learnt *knowledge // for another reading

	rd    *reader
	l     *Log
	f     *finder
	found findings // about stays
	units func(resource string) int
	live  bool        // the log has no end
	begun func(*use)  // if it is not nil, is told of each resource
	nodes []*streamed // by the numbers of the reader

	// delay holds the latest events until what those after them say of their times is known.
	delay   []delayed
	next    int
	uses    int // so many resources are used
	version int // counts what was learnt of resources
	missed  int // the version when lines were missing first; none
	at      Place
	spans   []record // of each file the latest begin of a stay that its line tells as a whole
}

// A delayed event waits until those after it in the order of its node are known.
type delayed struct {
	record
	before int // the place of the event before it of the same node; it may be gone
	serial int // how many events were before it
}

// delays is the number of events that wait.
var delays = 1 << 11

// A streamed node is one whose events are read.
type streamed struct {
	state   *nodeState
	counter counter
	stays   *nodeStays
	last    record // the event read last
	side    *side  // what orders it
	any     bool
	latest  int   // its place among those that wait
	serial  int   // and its number
	seen    int   // how many events were before its latest one
	end     int64 // that of the latest event that waits no more
	events  int32
	done    counted // up to there what was left out has been taken into account
}

// read reads all files.
func (st *stream) read(files []string) (*Log, []*Occupancy, error) {
	st.rd = newReader(st.opt)
	st.rd.sink = st.take
	st.f = &finder{Reading: st.how.Reading, found: &st.found}
	st.l = &Log{skewed: st.opt.Skew != nil}
	st.missed = none
	st.delay = make([]delayed, 0, delays)
	if err := st.rd.sideBySide(files); err != nil {
		return nil, nil, err
	}
	if st.rd.opt.Keep {
		return nil, nil, errWhole
	}
	return st.finish()
}

// ready prepares for the first event, when the header is known.
func (st *stream) ready() (err error) {
	if st.units, err = st.how.Units(st.rd.header0); err != nil {
		return err
	}
	st.l.Header = st.rd.header0
	st.f.frees = st.l.frees(st.how.Ending)
	if st.known == nil {
		return nil
	}
	for res, used := range st.known.used {
		if used {
			st.use(int32(res))
		}
	}
	copy(st.f.most, st.known.most)
	st.version = 0
	return nil
}

// use has what becomes of a resource at hand.
func (st *stream) use(res int32) {
	for len(st.f.uses) <= int(res) {
		st.f.uses, st.f.most = append(st.f.uses, nil), append(st.f.most, 1)
	}
	if st.f.uses[res] != nil {
		return
	}
	kinds := st.rd.kinds
	if int(res) >= len(kinds) {
		kinds = st.known.kinds
	}
	name := kinds[res]
	u := st.l.use(name, st.units(name), true, false)
	half := max(firstHalf/(st.uses+1), 16)
	st.uses++
	u.surely.half, u.maybe.half, u.granted.half, u.used.half = half, half, half, half
	if k := st.known; k != nil && int(res) < len(k.shared) && k.shared[res] {
		u.share()
	}
	if k := st.known; k != nil && int(res) < len(k.late) {
		u.surely.begin(k.late[res].surely)
		u.maybe.begin(k.late[res].maybe)
		u.granted.begin(k.late[res].granted)
		u.used.begin(k.late[res].used)
	}
	if st.begun != nil {
		st.begun(u)
	}
	st.f.uses[res] = u
	st.version++
}

// node is what is known of a node.
func (st *stream) node(number int32) *streamed {
	for len(st.nodes) <= int(number) {
		st.nodes = append(st.nodes, nil)
	}
	n := st.nodes[number]
	if n == nil {
		name := st.rd.names[number]
		n = &streamed{state: st.rd.state(name), counter: counter{name: name, found: &st.rd.found},
			stays: st.f.start(number, name), end: never}
		st.nodes[number] = n
	}
	return n
}

// take takes the next event of its node.
func (st *stream) take(r *record, x *side) error {
	if st.units == nil {
		if err := st.ready(); err != nil {
			return err
		}
	}
	st.at = Place{st.rd.files[r.file], int(r.line)}
	if r.is(spans) {
		return st.span(r)
	}
	n := st.node(r.node)
	if st.live {
		return st.follow(n, r)
	}
	if x != nil && (x.clock != nil || x.id != "") || n.any && r.file < n.last.file || st.rd.opt.Keep {
		return errWhole
	}
	if err := st.acquires(r); err != nil {
		return err
	}
	if err := st.count(n, r, x); err != nil {
		return err
	}
	if err := st.tighten(n, r); err != nil {
		return err
	}
	n.last, n.side, n.any = *r, x, true
	if err := st.roomNow(); err != nil {
		return err
	}
	return st.wait(n, r)
}

// acquires takes into account what an event of a lock acquires.
func (st *stream) acquires(r *record) error {
	if !r.role.ofLock() {
		return nil
	}
	fresh := int(r.res) >= len(st.f.uses) || st.f.uses[r.res] == nil
	st.use(r.res)
	u := st.f.uses[r.res]
	if r.is(reads) && !u.Shared {
		u.share()
		if !fresh && !st.live { // what was before is to be weighed anew
			st.learnt = st.knows()
			return errAgain
		}
	}
	u.weigh(r)
	if r.role == enters && r.units > st.f.most[r.res] {
		st.f.most[r.res] = r.units
		st.version++
	}
	return nil
}

// count looks at the node's own counts. If they decide on the order of several files, all events
// have to be known.
func (st *stream) count(n *streamed, r *record, x *side) error {
	state := n.state
	c := &n.counter
	c.files, c.left = st.rd.files, state.left
	var before *record
	if n.any {
		before = &n.last
	}
	if n.any && r.file != n.last.file && n.last.seq > 0 && r.seq > 0 && r.seq <= n.last.seq {
		return errWhole
	}
	c.next(before, r, n.side, x)
	if r.seq == 0 {
		return nil
	}
	if n.behind() {
		return errWhole
	}
	// What was left out up to here is of no more use.
	n.done = counted{c.life, uint64(r.seq)}
	done, _ := slices.BinarySearchFunc(state.left, n.done, counted.compare)
	state.left = append(state.left[:0], state.left[done:]...)
	return nil
}

// behind reports whether lines that are left out come behind those that they are before.
func (n *streamed) behind() bool {
	left := n.state.left
	return len(left) > 0 && (left[0].compare(n.done) <= 0 || !slices.IsSortedFunc(left, counted.compare))
}

// judge takes an event of whose time all is known.
func (st *stream) judge(r *record) error {
	n := st.nodes[r.node]
	n.end = r.end
	p := r.point(n.events)
	n.events++
	st.f.files = st.rd.files
	version := st.version
	n.stays.event(&p, r, st.rd.rights.at(r.right))
	if st.f.guessed && st.missed == none {
		st.missed = version
	}
	untimed := r.right != none && st.f.uses[r.res] != nil && st.f.uses[r.res].untimed
	if (st.f.overlap || st.f.back || untimed) && !st.live {
		return errWhole
	}
	return nil
}

// What a stay in memory takes, with the ends of what is certain and possible of it, and what a
// node takes, in bytes, beside what reading takes in any case.
const (
	readBytes = 4 << 20
	stayBytes = 512
	nodeBytes = 1024
)

// roomNow looks now and then whether there is memory for more events.
func (st *stream) roomNow() error {
	if st.rd.count%chunk > 1 {
		return nil
	}
	return st.room()
}

// room looks whether there is memory for more events.
func (st *stream) room() error {
	if st.opt.Memory == 0 {
		return nil
	}
	bytes := readBytes + int64(len(st.nodes))*nodeBytes
	for _, u := range st.f.uses {
		if u != nil {
			bytes += int64(u.surely.held()+u.maybe.held()) * stayBytes
		}
	}
	if bytes > st.opt.Memory {
		return &MemoryError{st.at, st.rd.count - 1, st.opt.Memory}
	}
	return nil
}

// finish ends the judgement when all is read.
func (st *stream) finish() (*Log, []*Occupancy, error) {
	if st.units == nil {
		if err := st.ready(); err != nil {
			return nil, nil, err
		}
	}
	for i := range st.delay {
		if err := st.judge(&st.delay[(st.next+i)%len(st.delay)].record); err != nil {
			return nil, nil, err
		}
	}
	if len(st.f.uses) == 0 {
		st.use(0)
	}
	st.framed()
	l := st.l
	st.f.complete = l.complete
	for _, n := range st.nodes {
		if n != nil && n.behind() {
			return nil, nil, errWhole
		}
		if n != nil {
			n.stays.end()
		}
	}
	if st.f.back || st.f.frees != l.frees(st.how.Ending) {
		return nil, nil, errWhole
	}
	if st.learn() {
		return nil, nil, errAgain
	}
	if l.Contradictory() {
		return l, nil, nil
	}
	return l, st.results(), nil
}

// framed gives the log, to which the uses refer, what was read but events.
func (st *stream) framed() {
	l := st.rd.frame()
	l.timed, l.bounds, l.number = true, st.l.bounds, st.rd.names
	*st.l = *l
	l = st.l
	used := make([]bool, max(len(st.rd.kinds), len(st.f.uses)))
	for res, u := range st.f.uses {
		used[res] = u != nil
	}
	st.rd.nameResources(l, used)
	l.Findings = st.rd.found
	st.rd.found.sort()
}

// results judges all resources, when all stays are known.
func (st *stream) results() []*Occupancy {
	l := st.l
	l.Findings = append(l.Findings, st.found...)
	l.doubtful = st.f.doubtful
	uses := slices.DeleteFunc(st.f.uses, func(u *use) bool { return u == nil })
	slices.SortFunc(uses, func(a, b *use) int {
		return slices.Index(l.Resources, a.Resource) - slices.Index(l.Resources, b.Resource)
	})
	st.f.uses = uses
	return l.occupancies(st.f, l.bounds)
}
