package explain_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// A detail is something that a log may or may not say.
type detail uint8

const (
	ids    detail = 1 << iota // identities of messages
	texts                     // what messages say, and from whom
	sends                     // messages sent
	state                     // variables after a step
	seq                       // the node's own count
	clocks                    // vector clocks
	full   = ids | texts | sends | state
)

// instance builds a model.
func instance(t testing.TB, name, args string) model.Instance {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("there is no model %s", name)
	}
	in, _, err := specs.All[i].Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// A mail is a message under way.
type mail struct {
	lts.Message
	id    string
	sent  int // the event
	clock []uint64
}

// A recorder writes down a run as a log in which nothing is missing.
type recorder struct {
	in    model.Instance
	names []string
	h     *order.History
	post  []mail
	ids   int
	clock [][]uint64 // per node
}

func newRecorder(t testing.TB, in model.Instance) *recorder {
	t.Helper()
	if in.Interp == nil {
		t.Fatal("not a composition")
	}
	names := in.Interp.Names
	h := &order.History{Nodes: slices.Sorted(slices.Values(names))}
	h.ByNode = make([][]int, len(names))
	r := &recorder{in: in, names: names, h: h}
	for range names {
		r.clock = append(r.clock, make([]uint64, len(names)))
	}
	return r
}

func (r *recorder) node(name string) int { return slices.Index(r.h.Nodes, name) }

// add logs a step.
func (r *recorder) add(tr *lts.Transition) {
	at := len(r.h.Events)
	node := r.node(tr.Owner)
	e := order.Event{Place: formats.Place{File: tr.Owner + ".log"}, Node: node, From: -1,
		Name:  r.in.Space.Actions()[tr.Action].Name,
		State: map[string]string{}}
	e.Line = len(r.h.ByNode[node]) + 1
	e.Seq = int64(e.Line)
	var after []int
	if m := tr.Received; m != nil {
		i := slices.IndexFunc(r.post, func(x mail) bool { return x.Message == *m })
		e.Message, e.From = m.Text, r.node(m.From)
		if i >= 0 { // else it was under way from the start
			e.ID = r.post[i].id
			after = append(after, r.post[i].sent)
			for q, n := range r.post[i].clock {
				r.clock[node][q] = max(r.clock[node][q], n)
			}
			r.post = slices.Delete(r.post, i, i+1)
		}
	}
	for _, m := range tr.Lost {
		if i := slices.IndexFunc(r.post, func(x mail) bool { return x.Message == m }); i >= 0 {
			r.post = slices.Delete(r.post, i, i+1)
		}
	}
	r.clock[node][node]++
	e.Clock = slices.Clone(r.clock[node])
	if tr.Noticed != "" {
		e.From = r.node(tr.Noticed)
	}
	for _, m := range tr.Sent {
		r.ids++
		id := "m" + strconv.Itoa(r.ids)
		e.Sent = append(e.Sent, order.Sent{To: r.node(m.To), ID: id, Message: m.Text})
		r.post = append(r.post, mail{m, id, at, e.Clock})
	}
	for _, v := range tr.Next.Vars() {
		// What is on its way, in an inbox or a link, is not the process's own.
		if v.Owner == tr.Owner && v.Name != "inbox" && v.Name != "out" && v.Name != "crashed" {
			e.State[v.Name] = v.Value
		}
	}
	r.h.Events = append(r.h.Events, e)
	r.h.After = append(r.h.After, after)
	r.h.ByNode[node] = append(r.h.ByNode[node], at)
}

// walk logs a random run of at most so many steps; crashes are rare.
func walk(t testing.TB, in model.Instance, r *rand.Rand, steps int) *order.History {
	rec := newRecorder(t, in)
	inits := in.Plain.Init()
	s := inits[r.IntN(len(inits))].Next
	for range steps {
		ts := slices.DeleteFunc(in.Plain.Steps(s), func(tr lts.Transition) bool {
			return tr.Pruned || tr.Crashed && r.IntN(20) > 0 ||
				in.Space.Actions()[tr.Action].Name == "Enter" && tr.Next.Key() == s.Key()
		})
		if len(ts) == 0 {
			break
		}
		tr := ts[r.IntN(len(ts))]
		rec.add(&tr)
		s = tr.Next
	}
	return rec.h
}

// only returns a copy of a log that says just some details.
func only(h *order.History, d detail) *order.History {
	c := *h
	c.Events = slices.Clone(h.Events)
	for i := range c.Events {
		e := &c.Events[i]
		e.Sent = slices.Clone(e.Sent)
		if d&ids == 0 {
			e.ID = ""
		}
		if d&texts == 0 {
			e.Message, e.From = "", -1
		}
		for j := range e.Sent {
			if d&ids == 0 {
				e.Sent[j].ID = ""
			}
			if d&texts == 0 {
				e.Sent[j].Message = ""
			}
		}
		if d&sends == 0 {
			e.Sent = nil
		}
		if d&state == 0 {
			e.State = nil
		}
		if d&seq == 0 {
			e.Seq = 0
		}
		if d&clocks == 0 {
			e.Clock = nil
		}
	}
	return &c
}

// without returns a copy of a log in which some lines are missing.
func without(h *order.History, drop func(event int) bool) *order.History {
	c := &order.History{Nodes: h.Nodes, ByNode: make([][]int, len(h.Nodes))}
	place := make([]int, len(h.Events))
	for i := range h.Events {
		place[i] = -1
	}
	for i := range h.Events {
		if drop(i) {
			continue
		}
		place[i] = len(c.Events)
		c.Events = append(c.Events, h.Events[i])
		node := h.Events[i].Node
		c.ByNode[node] = append(c.ByNode[node], place[i])
		var after []int
		for _, j := range h.After[i] {
			if place[j] >= 0 {
				after = append(after, place[j])
			}
		}
		c.After = append(c.After, after)
	}
	return c
}

// clocked orders a log by its vector clocks.
func clocked(h *order.History) *order.History {
	c := *h
	c.After = make([][]int, len(h.Events))
	for i := range h.Events {
		for q, n := range h.Events[i].Clock {
			if q == h.Events[i].Node {
				continue
			}
			events := h.ByNode[q]
			last, found := slices.BinarySearchFunc(events, n,
				func(j int, n uint64) int { return cmp.Compare(h.Events[j].Clock[q], n) })
			if !found {
				last--
			}
			if last >= 0 {
				c.After[i] = append(c.After[i], events[last])
			}
		}
	}
	return &c
}
