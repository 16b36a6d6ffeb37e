package order

import "github.com/atmostk/atmostk/traces/logs/formats"

// waits computes the wait for units: from a request to the acquisition that ends it.
func (rd *Collector) waits(n *NodeState, e *formats.Entry) {
	at := e.Stamp // the time by the clock of its node; Ever: unknown
	if at == formats.Ever && e.Begin != formats.Never && !rd.Opt.Lines {
		at = e.Begin
	}
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
