package formats

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A session has the locks that a node holds by its log, and a request whose outcome the next line shows.
type session struct {
	held    []heldLock
	pending *Entry
	inside  bool // a transaction
	asked   bool // for a lock, since it got the last of held
	unclear bool // nobody knows which locks it has; held are those that it may have
}

type heldLock struct {
	resource string
	depth    int  // acquisitions without a release
	xact     bool // until the end of the transaction
	reads    bool
}

// sessions are the nodes of a product.
type sessions struct {
	// server: one server wrote the log. It counts acquisitions, and its next line says if a release failed.
	server bool
	shared map[string]bool // locks that the log does not show to be exclusive
	of     map[string]*session
	// unlocking is the call of the line before, which counts only if its script runs.
	unlocking *Entry
	nodes     []string // in the order of appearance
	pass      func(*Entry) error
	unread    func(line int) // takes a line that may take and give back any locks
}

// line takes a line of a product: it decides the request before it, and passes on what the line means.
func (ss *sessions) line(e *Entry) error {
	if e.as == "end-all" {
		for _, node := range ss.nodes {
			if err := ss.endOf(ss.of[node], node, e, false); err != nil {
				return err
			}
		}
		return nil
	}
	if u := ss.unlocking; u != nil && e.as == "ran" && u.Resource == e.Resource {
		u.as = "unlock"
	}
	if ss.unlocking = nil; e.as == "ran" {
		return nil
	}
	if e.pair != "" {
		e.Node = strings.TrimPrefix(e.Node+"/"+e.pair, "/")
	}
	x := ss.of[e.Node]
	if x == nil {
		x = &session{}
		ss.of[e.Node], ss.nodes = x, append(ss.nodes, e.Node)
	}
	x.unclear = x.unclear || e.as == "unclear"
	if done, err := ss.decide(x, e); done || err != nil {
		return err
	}
	return ss.perform(x, e)
}

// decide takes the pending request of a session. done: the line is only about that request.
func (ss *sessions) decide(x *session, e *Entry) (done bool, err error) {
	p := x.pending
	switch {
	case e.as == "detail":
		if p != nil {
			for _, m := range parameter.FindAllStringSubmatch(e.Resource, -1) {
				p.Resource = strings.ReplaceAll(p.Resource, "$"+m[1], strings.Trim(m[2], "'"))
			}
		}
		return true, nil
	case p == nil || e.as == "request":
		return false, nil
	}
	x.pending = nil
	switch {
	case e.as == "release-failed" && p.as == "release": // the session did not hold it, so it lost it before
		p.Maybe = true
		return true, ss.release(x, p)
	case e.as == "refused" || e.as == "end" && p.as != "release" || p.as == "unlock" && e.as == "release",
		p.as == "called", e.as == "fresh" && p.as == "try" && p.Resource == e.Resource:
		return false, nil
	case slices.Contains(releasing, p.as):
		return false, ss.settle(x, p)
	case strings.HasSuffix(p.as, "-xact") && !x.inside: // given back at the end of its statement
		return false, nil
	}
	p.Line, p.Stamp = e.Line, e.Stamp
	p.Maybe = strings.HasPrefix(p.as, "try")
	return false, ss.acquire(x, p)
}

// releasing are requests that give locks back, unless they fail.
var releasing = strings.Fields("release unlock unlock-all discard")

// flush passes on the releases at the end of a file, which nothing contradicts. Who still waits has no lock.
func (ss *sessions) flush() error {
	for _, node := range ss.nodes {
		if err := ss.settle(ss.of[node], ss.of[node].pending); err != nil {
			return err
		}
	}
	return nil
}

// settle passes on a pending release, if it is one. A failed unlock ends the use of a lock that expired,
// unless its node has asked for a lock since: then nobody knows when the use ended.
func (ss *sessions) settle(x *session, p *Entry) error {
	if p == nil || !slices.Contains(releasing, p.as) ||
		p.as == "unlock" && (x.asked || x.at(p.Resource) < 0) {
		return nil
	}
	x.pending = nil
	if p.as == "unlock-all" || p.as == "discard" {
		return ss.endOf(x, p.Node, p, false)
	}
	return ss.release(x, p)
}

// at returns the place of a lock in held; -1: the session does not have it.
func (x *session) at(resource string) int {
	return slices.IndexFunc(x.held, func(h heldLock) bool { return h.resource == resource })
}

// perform passes on what a line means.
func (ss *sessions) perform(x *session, e *Entry) error {
	switch e.as {
	case "wait", "try", "wait-xact", "try-xact", "unlock", "unlock-all", "discard":
		if x.pending = new(*e); e.as == "unlock" {
			x.pending.as, ss.unlocking = "called", x.pending
		}
		return nil
	case "asks":
		x.asked = true
		return nil
	case "unclear":
		return ss.unclear(x, e)
	case "shared":
		ss.shared[e.Resource] = true
		return nil
	case "release", "leave", "lost":
		switch e.Maybe = e.as == "lost"; { // it may have ended before
		case e.as == "release" && ss.server: // a server, whose next line may say that it failed
			x.pending = new(*e)
			return nil
		case e.as == "leave" && x.at(e.Resource) < 0:
			return nil
		}
		return ss.release(x, e)
	case "acquire", "fresh":
		return ss.acquire(x, e)
	case "end":
		return ss.endOf(x, e.Node, e, false)
	case "begin": // in a transaction it is only a warning
		x.inside = true
		return nil
	case "commit", "chain":
		x.inside = x.inside && e.as == "chain"
		return ss.endOf(x, e.Node, e, true)
	case "back", "prepare", "refused":
		if x.inside { // an error, too, gives back what the transaction got since its last savepoint
			e.Maybe, x.inside = true, e.as != "prepare"
			return ss.endOf(x, e.Node, e, true)
		}
		// A client may log its refusal after the holder has logged that it gives the lock back.
		if !ss.server || e.Resource == "" {
			return nil
		}
	}
	return ss.pass(e)
}

// acquire passes an acquisition on, unless the session has the lock already and counts.
func (ss *sessions) acquire(x *session, e *Entry) error {
	e.Name, e.Maybe = "acquire", e.Maybe || ss.shared[e.Resource] || x.unclear
	xact := strings.HasSuffix(e.as, "-xact")
	if i := x.at(e.Resource); i >= 0 && !ss.server { // a release may be missing
		return ss.pass(e)
	} else if i >= 0 {
		h := &x.held[i]
		if h.depth++; h.xact != xact || h.reads != e.Reads { // one release gives back one of the two
			return ss.unclear(x, e)
		}
		return nil
	}
	x.asked = false
	x.held = append(x.held, heldLock{e.Resource, 1, xact, e.Reads})
	return ss.pass(e)
}

// release passes a release on, unless the session has acquired the lock more often.
func (ss *sessions) release(x *session, e *Entry) error {
	e.Name, e.Maybe = "release", e.Maybe || x.unclear
	if i := x.at(e.Resource); i >= 0 {
		if h := &x.held[i]; h.depth > 1 {
			h.depth--
			return nil
		}
		x.held = slices.Delete(x.held, i, i+1)
	}
	return ss.pass(e)
}

// oneLined are meanings of lines that a further line of the statement or the message does not change.
var oneLined = strings.Fields("line detail request refused release-failed end unclear")

// unclear takes a line after which nobody knows which locks a session has.
func (ss *sessions) unclear(x *session, e *Entry) error {
	x.unclear, e.Maybe, e.Reads, e.as = true, true, false, "unclear"
	ss.unread(e.Line)
	return ss.endOf(x, e.Node, e, false)
}

// endOf releases all locks of a session, or only those until the end of the transaction.
func (ss *sessions) endOf(x *session, node string, at *Entry, xact bool) error {
	if !xact {
		if err := ss.settle(x, x.pending); err != nil {
			return err
		}
		x.pending = nil
	}
	var rest []heldLock
	for _, h := range x.held {
		stays := xact && !h.xact || at.as == "unlock-all" && h.xact
		if stays || at.as == "back" || at.as == "unclear" || at.as == "refused" && x.inside {
			rest = append(rest, h)
		}
		if stays {
			continue
		}
		e := new(*at)
		e.Name, e.Node, e.Resource = "release", node, h.resource
		if err := ss.pass(e); err != nil {
			return err
		}
	}
	x.held = rest
	return nil
}

// parameter matches a parameter of a statement and, in a line with details, its value.
var parameter = regexp.MustCompile(`\$(\d+)(?: = ('(?:[^']|'')*'|NULL))?`)

// fileNode is the node of a file: its name without the folder, the ending .gz and the last other ending.
func fileNode(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), ".gz")
	return strings.TrimSuffix(name, filepath.Ext(name))
}
