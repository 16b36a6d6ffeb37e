package logs

// tighten narrows the times of an event by those before it, and those of these by its own.
func (st *stream) tighten(n *streamed, r *record) error {
	if n.any {
		if r.end < n.last.begin {
			st.rd.found.add(Backwards, n.counter.places(&n.last, r), "%s", st.l.stepsBack(n.counter.name,
				&n.last, r))
			r.end = n.last.begin
		}
		r.begin = max(r.begin, n.last.begin)
	}
	st.l.bounds = st.l.bounds || r.begin != never || r.end != ever
	if !n.any || n.last.end <= r.end {
		return nil
	}
	for d := st.waiting(n.latest, n.serial, r.node); d != nil; d = st.waiting(d.before, d.serial-1, r.node) {
		if d.end <= r.end {
			return nil
		}
		d.end = r.end
	}
	if n.end > r.end {
		return errWhole
	}
	return nil
}

// waiting is the event of a node that has a place among those that wait and no later number than
// the one given; nil if it waits no more.
func (st *stream) waiting(place, serial int, node int32) *delayed {
	if place < 0 || place >= len(st.delay) || st.delay[place].serial > serial ||
		st.delay[place].node != node {
		return nil
	}
	return &st.delay[place]
}

// wait lets an event wait, and takes one that has waited for long.
func (st *stream) wait(n *streamed, r *record) error {
	d := delayed{*r, none, st.rd.count}
	if n.serial > 0 {
		d.before = n.latest
	}
	n.serial = d.serial
	if len(st.delay) < cap(st.delay) {
		n.latest = len(st.delay)
		st.delay = append(st.delay, d)
		return nil
	}
	n.latest = st.next
	old := st.delay[st.next]
	st.delay[st.next] = d
	st.next = (st.next + 1) % len(st.delay)
	return st.judge(&old.record)
}
