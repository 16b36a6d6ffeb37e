package formats

import (
	"regexp"
	"slices"
	"strings"
)

// A session has the locks that a node holds by its log, and a request whose outcome the next line shows.
type session struct {
	held    []heldLock
	pending *Entry
	inside  bool // a transaction
}

// A heldLock is a lock that a session holds.
type heldLock struct {
	resource string
	depth    int  // acquisitions without a release
	xact     bool // until the end of the transaction
}

// sessionLine takes a line of a product: it decides the request before it, and passes on what the line means.
func (rd *Reader) sessionLine(s *Source, e *Entry) error {
	if e.Node == "" {
		e.Node, rd.Guessed = fileNode(s.Name), rd.Opt.Node == ""
	}
	if e.as == "end-all" {
		for _, node := range rd.nodes {
			if err := rd.endOf(s, rd.sessions[node], node, e, false); err != nil {
				return err
			}
		}
		return nil
	}
	if e.pair != "" {
		e.Node = strings.TrimPrefix(e.Node+"/"+e.pair, "/")
	}
	x := rd.sessions[e.Node]
	if x == nil {
		x = &session{}
		rd.sessions[e.Node], rd.nodes = x, append(rd.nodes, e.Node)
	}
	if done, err := rd.decide(s, x, e); done || err != nil {
		return err
	}
	return rd.perform(s, x, e)
}

// decide takes the pending request of a session. done: the line is only about that request.
func (rd *Reader) decide(s *Source, x *session, e *Entry) (done bool, err error) {
	p := x.pending
	switch {
	case e.as == "detail":
		if p != nil {
			p.Resource = withParameters(p.Resource, e.Resource)
		}
		return true, nil
	case p == nil || e.as == "request":
		return false, nil
	}
	x.pending = nil
	switch {
	case e.as == "release-failed" && p.as == "release": // the session did not hold it, so it lost it before
		p.Maybe = true
		return true, rd.release(s, x, p)
	case e.as == "refused" || e.as == "end":
		return false, nil
	case p.as == "release":
		return false, rd.release(s, x, p)
	case strings.HasSuffix(p.as, "-xact") && !x.inside: // given back at the end of its statement
		return false, nil
	}
	p.Line, p.Stamp = e.Line, e.Stamp
	p.Maybe = strings.HasPrefix(p.as, "try")
	return false, rd.acquire(s, x, p)
}

// flush passes on the releases at the end of a file, which nothing contradicts. Who still waits has no lock.
func (rd *Reader) flush(s *Source) error {
	for _, node := range rd.nodes {
		x := rd.sessions[node]
		if p := x.pending; p != nil && p.as == "release" {
			x.pending = nil
			if err := rd.release(s, x, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// perform passes on what a line means.
func (rd *Reader) perform(s *Source, x *session, e *Entry) error {
	switch e.as {
	case "wait", "try", "wait-xact", "try-xact":
		x.pending = keep(e)
		return nil
	case "release":
		if rd.product.Order == "lines" { // a server, whose next line may say that it failed
			x.pending = keep(e)
			return nil
		}
		return rd.release(s, x, e)
	case "acquire", "acquire-xact":
		return rd.acquire(s, x, e)
	case "leave":
		if !slices.ContainsFunc(x.held, func(h heldLock) bool { return h.resource == e.Resource }) {
			return nil
		}
		return rd.release(s, x, e)
	case "end":
		return rd.endOf(s, x, e.Node, e, false)
	case "begin", "commit":
		x.inside = e.as == "begin"
		return rd.endOf(s, x, e.Node, e, true)
	case "refused":
		return nil
	}
	return rd.mapped(s, e)
}

func keep(e *Entry) *Entry {
	kept := *e
	return &kept
}

// acquire passes an acquisition on, unless the session has the lock already and counts.
func (rd *Reader) acquire(s *Source, x *session, e *Entry) error {
	e.Name = "acquire"
	for i := range x.held {
		if h := &x.held[i]; h.resource == e.Resource && rd.product.Order == "lines" {
			h.depth++
			return nil
		}
	}
	x.held = append(x.held, heldLock{e.Resource, 1, strings.HasSuffix(e.as, "-xact")})
	return rd.mapped(s, e)
}

// release passes a release on, unless the session has acquired the lock more often.
func (rd *Reader) release(s *Source, x *session, e *Entry) error {
	e.Name = "release"
	for i := range x.held {
		if h := &x.held[i]; h.resource == e.Resource {
			if h.depth--; h.depth > 0 {
				return nil
			}
			x.held = slices.Delete(x.held, i, i+1)
			break
		}
	}
	return rd.mapped(s, e)
}

// endOf releases all locks of a session, or only those until the end of the transaction.
func (rd *Reader) endOf(s *Source, x *session, node string, at *Entry, xact bool) error {
	if !xact {
		x.pending = nil
	}
	var rest []heldLock
	for _, h := range x.held {
		if xact && !h.xact {
			rest = append(rest, h)
			continue
		}
		e := keep(at)
		e.Name, e.Node, e.Resource = "release", node, h.resource
		if err := rd.mapped(s, e); err != nil {
			return err
		}
	}
	x.held = rest
	return nil
}

// parameter matches a parameter of a statement and, in a line with details, its value.
var parameter = regexp.MustCompile(`\$(\d+)(?: = ('(?:[^']|'')*'|NULL))?`)

// withParameters puts the values of parameters into the name of a lock.
func withParameters(resource, details string) string {
	for _, m := range parameter.FindAllStringSubmatch(details, -1) {
		resource = strings.ReplaceAll(resource, "$"+m[1], strings.Trim(m[2], "'"))
	}
	return resource
}

// maxKinds is the number of kinds of lines left out that are counted apart.
const maxKinds = 1 << 10

// leaveOut counts a line that a product leaves out.
func (rd *Reader) leaveOut(kind string) {
	if _, known := rd.LeftOut[kind]; !known && len(rd.LeftOut) >= maxKinds {
		kind = ""
	}
	rd.LeftOut[kind]++
}
