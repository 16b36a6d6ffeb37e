package explain_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A graph is the plain semantics of an instance, as far as it was looked at.
type graph struct {
	in    model.Instance
	nodes map[string]*vertex
}

// A vertex is a state.
type vertex struct {
	key    string
	state  lts.State
	vars   []lts.Var
	dead   map[string]bool // names of processes
	steps  []arc           // once it was expanded
	looked bool
}

// An arc is a step.
type arc struct {
	lts.Transition
	to *vertex
}

func newGraph(in model.Instance) *graph { return &graph{in, map[string]*vertex{}} }

func (g *graph) vertex(s lts.State) *vertex {
	key := s.Key()
	if g.nodes[key] == nil {
		v := &vertex{key: key, state: s, vars: s.Vars(), dead: map[string]bool{}}
		for _, x := range v.vars {
			v.dead[x.Owner] = v.dead[x.Owner] || x.Name == "crashed" && x.Value == "true"
		}
		g.nodes[key] = v
	}
	return g.nodes[key]
}

func (g *graph) steps(v *vertex) []arc {
	if !v.looked {
		v.looked = true
		for _, t := range g.in.Plain.Steps(v.state) {
			v.steps = append(v.steps, arc{t, g.vertex(t.Next)})
		}
	}
	return v.steps
}

// An oracle decides by brute force whether a log can be explained: breadth-first, all
// steps of all processes in all orders, on the plain semantics. It has nothing in
// common with the search.
type oracle struct {
	*graph
	h      *order.History
	names  []string // of actions
	fifo   bool
	sends  bool            // lines list what they send
	bound  map[string]bool // ids that some line sent
	hidden int
}

// A world is a state of the oracle.
type world struct {
	s      *vertex
	cut    []int
	hidden int
	gaps   []int64
	post   []mail
}

func (w *world) key() string {
	var mails []string
	for _, m := range w.post {
		mails = append(mails, m.From+">"+m.To+" "+m.Text+" "+m.id)
	}
	return fmt.Sprint(w.s.key, w.cut, w.hidden, w.gaps, mails)
}

func newOracle(g *graph, h *order.History, hidden int) *oracle {
	o := &oracle{graph: g, h: h, fifo: g.in.Interp.FIFO(), bound: map[string]bool{}, hidden: hidden}
	for _, a := range g.in.Space.Actions() {
		o.names = append(o.names, a.Name)
	}
	for _, e := range h.Events {
		o.sends = o.sends || len(e.Sent) > 0
		for _, m := range e.Sent {
			if m.ID != "" {
				o.bound[m.ID] = true
			}
		}
	}
	return o
}

// explains reports whether some run explains the log; most limits the states.
func (o *oracle) explains(most int) (yes, decided bool) {
	seen := map[string]bool{}
	var queue []world
	push := func(w world) {
		if k := w.key(); !seen[k] {
			seen[k] = true
			queue = append(queue, w)
		}
	}
	for _, t := range o.in.Plain.Init() {
		push(world{
			s: o.vertex(t.Next), cut: make([]int, len(o.h.Nodes)), gaps: make([]int64, len(o.h.Nodes)),
			post: o.atStart(),
		})
	}
	for len(queue) > 0 {
		if len(seen) > most {
			return false, false
		}
		w := queue[0]
		queue = queue[1:]
		done := true
		for node, n := range w.cut {
			done = done && n == len(o.h.ByNode[node])
		}
		if done {
			return true, true
		}
		steps := o.steps(w.s)
		for i := range steps {
			for _, v := range append(o.line(&w, &steps[i]), o.unlogged(&w, &steps[i])...) {
				push(v)
			}
		}
	}
	return false, true
}

// atStart returns what is under way in the initial state.
func (o *oracle) atStart() (post []mail) {
	x := o.in.Interp
	start := x.Start()
	for p, name := range x.Names {
		for _, m := range start.Inbox(model.Proc(p)) {
			text := x.Messages.Text(m.M)
			post = append(post, mail{Message: lts.Message{From: x.Names[m.From], To: name, Text: text}})
		}
	}
	return post
}

// line returns what follows if the step is the next line of its node.
func (o *oracle) line(w *world, t *arc) (next []world) {
	node := slices.Index(o.h.Nodes, t.Owner)
	if w.cut[node] == len(o.h.ByNode[node]) {
		return nil
	}
	i := o.h.ByNode[node][w.cut[node]]
	e := &o.h.Events[i]
	for _, j := range o.h.After[i] {
		before := o.h.Events[j].Node
		if slices.Index(o.h.ByNode[before], j) >= w.cut[before] {
			return nil
		}
	}
	if o.names[t.Action] != e.Name || t.Noticed != "" && e.From >= 0 && o.h.Nodes[e.From] != t.Noticed {
		return nil
	}
	for name, value := range e.State {
		same := func(v lts.Var) bool { return v.Owner == t.Owner && v.Name == name && v.Value == value }
		if !slices.ContainsFunc(t.to.vars, same) && !t.Crashed {
			return nil
		}
	}
	rests := o.collect(w, t, e)
	sent, ok := o.sent(t, e)
	if !ok {
		return nil
	}
	for _, rest := range rests {
		v := world{t.to, slices.Clone(w.cut), w.hidden, slices.Clone(w.gaps), left(append(rest, sent...), t)}
		v.cut[node]++
		v.gaps[node] = 0
		next = append(next, v)
	}
	return next
}

// collect returns what is left of the mail when the step has received its own, in each
// way that agrees with the line e; e is nil for a step that is not in the log.
func (o *oracle) collect(w *world, t *arc, e *order.Event) (rests [][]mail) {
	if t.Received == nil {
		return [][]mail{slices.Clone(w.post)}
	}
	m := *t.Received
	if e != nil && (e.Message != "" && e.Message != m.Text || e.From >= 0 && o.h.Nodes[e.From] != m.From) {
		return nil
	}
	for i, x := range w.post {
		if x.From != m.From || x.To != m.To {
			continue
		}
		agrees := e == nil || e.ID == "" || x.id == e.ID || x.id == "" && !o.bound[e.ID]
		if x.Text == m.Text && agrees {
			rests = append(rests, slices.Delete(slices.Clone(w.post), i, i+1))
		}
		if o.fifo {
			break
		}
	}
	return rests
}

// sent returns the mail that a step sends, if it is what the line says. Lines of
// the tests name the target and the text of each message, or nothing.
func (o *oracle) sent(t *arc, e *order.Event) (sent []mail, ok bool) {
	if !o.sends {
		for _, m := range t.Sent {
			sent = append(sent, mail{Message: m})
		}
		return sent, true
	}
	left := slices.Clone(e.Sent)
	for _, m := range t.Sent {
		i := slices.IndexFunc(left, func(x order.Sent) bool {
			return o.h.Nodes[x.To] == m.To &&
				x.Message == m.Text
		})
		if i < 0 {
			return nil, false
		}
		sent = append(sent, mail{Message: m, id: left[i].ID})
		left = slices.Delete(left, i, i+1)
	}
	for _, x := range left { // only to the dead; the text of the step has those messages too
		to := o.h.Nodes[x.To]
		if !t.to.dead[to] || !strings.Contains(t.Text(), x.Message+" to "+to) {
			return nil, false
		}
	}
	return sent, true
}

// left drops the mail to the dead, and what is lost in a step.
func left(post []mail, t *arc) []mail {
	for _, lost := range t.Lost {
		if i := slices.IndexFunc(post, func(m mail) bool { return m.Message == lost }); i >= 0 {
			post = slices.Delete(post, i, i+1)
		}
	}
	return slices.DeleteFunc(post, func(m mail) bool { return t.to.dead[m.To] })
}

// unlogged returns what follows if the step is not in the log.
func (o *oracle) unlogged(w *world, t *arc) (next []world) {
	node := slices.Index(o.h.Nodes, t.Owner)
	lines := o.h.ByNode[node]
	if rises := o.in.Interp.Medium.Links; t.Crashed &&
		(!rises || w.cut[node] == len(lines)) {
		if w.cut[node] == len(lines) && o.names[t.Action] == "crash" {
			return []world{{t.to, w.cut, w.hidden, w.gaps, left(slices.Clone(w.post), t)}}
		}
		return nil
	}
	if w.hidden == o.hidden {
		return nil
	}
	if at := w.cut[node]; at < len(lines) && o.h.Events[lines[at]].Seq > 0 &&
		o.h.Events[lines[at]].Name != "crash" {
		before := int64(0)
		if at > 0 {
			before = o.h.Events[lines[at-1]].Seq
		}
		if w.gaps[node] >= o.h.Events[lines[at]].Seq-before-1 {
			return nil
		}
	}
	for _, rest := range o.collect(w, t, nil) {
		v := world{t.to, w.cut, w.hidden + 1, slices.Clone(w.gaps), left(rest, t)}
		v.gaps[node]++
		for _, m := range t.Sent {
			v.post = append(v.post, mail{Message: m})
		}
		next = append(next, v)
	}
	return next
}
