package order

import "github.com/atmostk/atmostk/traces/logs/formats"

// clock is the moment of an event by the clock of its node; Ever: unknown.
func (rd *Collector) clock(e *formats.Entry) int64 {
	switch {
	case e.Stamp != formats.Ever:
		return e.Stamp
	case e.Begin != formats.Never && !rd.Opt.Lines:
		return e.Begin
	}
	return formats.Ever
}

// waits follows requests up to the acquisitions that end them.
func (rd *Collector) waits(n *NodeState, e *formats.Entry) {
	at := rd.clock(e)
	switch asked, waiting := n.asked[e.Resource]; formats.RoleOf(e.Name) {
	case formats.Requests:
		if waiting || at == formats.Ever {
			return
		}
		if n.asked == nil {
			n.asked = map[string]int64{}
		}
		n.asked[e.Resource] = at
	case formats.Enters:
		delete(n.asked, e.Resource)
		if waiting && e.Waited == formats.Ever && at != formats.Ever {
			e.Waited = max(0, at-asked)
		}
	case formats.Crashes:
		n.asked = nil
	}
}
