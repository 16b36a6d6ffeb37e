package formats

func productLine(p *lineParser, line []byte, l *parsedLine) {
	m, kind := p.product.Line(line, p.node)
	if m == nil {
		l.leftOut, l.kind = true, kind
		return
	}
	e := &l.Entry
	if e.Name, e.as = m.As, m.As; RoleOf(m.As) == Other {
		e.Name = "line"
	}
	e.Node, e.Resource, e.pair, e.Reads = m.Node, m.Resource, m.Pair, m.Shared
	if m.Time != "" {
		stamp := int64(Ever)
		if zone, err := textMoment(m.Time, &stamp); err == nil { // otherwise the line has no time
			e.Stamp, e.zones = stamp, zone
		}
	}
}
