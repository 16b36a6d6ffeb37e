package logs

// A knowledge is what an earlier reading has found out, by the numbers of resources.
type knowledge struct {
	kinds  []string
	used   []bool
	shared []bool
	most   []int32
	late   []latecomers
}

// latecomers are what came too late for the windows of a resource.
type latecomers struct {
	surely        []pair[*stay]
	maybe         []pair[*level]
	granted, used []pair[*token]
}

// late is what came too late in any reading.
func (u *use) late() latecomers {
	return latecomers{u.surely.all(), u.maybe.all(), u.granted.all(), u.used.all()}
}

// isLate reports whether something came too late in this one.
func (u *use) isLate() bool {
	return len(u.surely.late)+len(u.maybe.late)+len(u.granted.late)+len(u.used.late) > 0
}

// learn reports whether more was found out than was known.
func (st *stream) learn() bool {
	k := st.knows()
	again := st.missed != none && st.missed != st.version
	more := again
	for _, u := range st.f.uses {
		var late latecomers
		if u != nil {
			late = u.late()
			more = more || u.isLate()
		}
		k.late = append(k.late, late)
	}
	if again { // other stays may come late then
		k.late = nil
	}
	if more {
		st.learnt = k
	}
	return more
}

// knows is what was found out of resources.
func (st *stream) knows() *knowledge {
	k := &knowledge{kinds: st.rd.kinds, most: st.f.most}
	for _, u := range st.f.uses {
		k.used, k.shared = append(k.used, u != nil), append(k.shared, u != nil && u.Shared)
	}
	return k
}
