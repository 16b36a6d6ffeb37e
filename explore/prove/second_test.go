package prove

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// This is the second opinion on the translation: it shares nothing with it but the way in which states are
// written. The interpreter executes the handlers and judges the invariants; the translation has to allow the
// same steps, to the same states, and to give the same answers.

// A visited is a state of a model, as the interpreter has it: its steps, with the texts of the states to
// which they lead, and the invariants that it violates.
type visited struct {
	from     int    // the state before it, by its number
	by       string // the step from there; "": it is the first one
	text     string
	steps    []string        // mover, action and next state
	over     map[string]bool // the processes without further requests
	violated []string
}

// isDead says that a variable marks a dead process, whose other variables mean nothing: they follow.
func isDead(t *theory, v lts.Var) bool {
	return t.fields["dead"] != nil && v.Name == "crashed" && v.Value == "true"
}

// processVars are the variables that both sides have: all but the ones that are not modelled.
func processVars(t *theory, vars []lts.Var) string {
	var all []string
	dead := ""
	for _, v := range vars {
		if isDead(t, v) {
			dead = v.Owner
			all = append(all, v.Owner+".crashed=true")
		}
		known := v.Name == "inbox" || slices.ContainsFunc(t.local.fields, func(m *member) bool {
			return m.name == v.Name && m.typ.kind != "open"
		})
		if known && v.Owner != dead {
			all = append(all, v.Owner+"."+v.Name+"="+v.Value)
		}
	}
	return strings.Join(all, "; ")
}

// text is a structure in the same form.
func (m *structure) text() string {
	var all []string
	for p := range m.size[node] {
		if m.dead(p) {
			all = append(all, process(p)+".crashed=true")
			continue
		}
		for _, v := range m.variables(p) {
			if v[0] == "inbox" { // the interpreter sorts the texts also where channels keep the order
				texts := strings.Split(strings.Trim(v[1], "[]"), ", ")
				slices.Sort(texts)
				v[1] = "[" + strings.Join(texts, ", ") + "]"
			}
			all = append(all, process(p)+"."+v[0]+"="+v[1])
		}
	}
	return strings.Join(all, "; ")
}

// visit explores some states of an instance by the interpreter, from a random one that it has met to the
// next.
func visit(th *theory, in model.Instance, most int) (all []*visited) {
	plain := in.Plain
	type found struct {
		lts.State
		from int
		by   string
	}
	queue := []found{{State: plain.Init()[0].Next}}
	met := map[string]bool{queue[0].Key(): true}
	random := rand.New(rand.NewPCG(1, 2))
	for len(queue) > 0 && len(all) < most {
		i := max(random.IntN(len(queue)), random.IntN(len(queue)))
		s := queue[i]
		queue = slices.Delete(queue, i, i+1)
		v := &visited{from: s.from, by: s.by, text: processVars(th, s.Vars()), over: map[string]bool{}}
		dead := ""
		for _, x := range s.Vars() {
			if isDead(th, x) {
				dead = x.Owner
			}
			v.over[x.Owner] = v.over[x.Owner] || x.Name == "rounds" && x.Value == "0" && x.Owner != dead
		}
		if n := len(v.over); th.read(s.Vars(), n).text() != v.text {
			panic("read as another state: " + v.text)
		}
		for k, info := range in.Space.Properties() {
			if info.Kind == model.Invariant && plain.Judge(s.State, k) {
				v.violated = append(v.violated, info.Name)
			}
		}
		for _, tr := range plain.Steps(s.State) {
			name := in.Space.Actions()[tr.Action].Name
			step := tr.Owner + " " + name + ": " + processVars(th, tr.Next.Vars())
			v.steps = append(v.steps, step)
			if !met[tr.Next.Key()] {
				met[tr.Next.Key()] = true
				queue = append(queue, found{tr.Next, len(all), step})
			}
		}
		all = append(all, v)
	}
	return all
}

// mostMoments is the number of times in structures.
const mostMoments = 12

// steps are the steps that the translation allows in a state, without loss, each with the least later time.
func (m *structure) steps(v *visited) (texts []string, next []*structure) {
	for _, s := range m.theory.steps {
		if strings.HasPrefix(s.name, "loss of ") {
			continue
		}
		m.choices(s, s.consts, func() {
			text := process(m.values[key(s.who.op)]) + " " + s.name
			open := slices.ContainsFunc(s.consts, func(c *term) bool {
				return strings.HasPrefix(c.op, "open.")
			})
			if open && v.over[process(m.values[key(s.who.op)])] {
				return
			}
			n := m.then(s.after, s.changed)
			texts, next = append(texts, text+": "+n.text()), append(next, n)
		})
	}
	return texts, next
}

// choices calls f for all values of a step's constants that fulfil its conditions: all processes and
// messages on their way, the least later times, and open values that are true.
func (m *structure) choices(s *step, consts []*term, f func()) bool {
	if s.message != nil && len(s.consts)-len(consts) == len(s.fields)+2 && !m.holds(s.facts[0]) {
		return false // there is no such message
	}
	if len(consts) == 0 {
		for _, c := range s.facts {
			if !m.holds(c) {
				return false
			}
		}
		f()
		return true
	}
	c := consts[0]
	kind, _, _ := strings.Cut(c.op, ".")
	values := m.size[c.sort]
	for v := range values {
		m.values[key(c.op)] = v
		switch {
		case kind == "open" && v == 0, kind == "stays" && v == 1:
			continue
		}
		if m.choices(s, consts[1:], f) && kind == "later" {
			return true
		}
	}
	return false
}

// differ compares the translation with the interpreter, and returns the first difference; "": there is none.
func differ(th *theory, all []*visited, n int) string {
	first := &structure{th, size{boolean: 2, node: n, instant: mostMoments}, map[string]int{}}
	for i, c := range th.named(instant) {
		first.values[key(c.op)] = i
	}
	first = first.then(th.start, nil)
	states := map[string]*structure{"0 ": first} // by the number of the state before, and the step from there
	for number, v := range all {
		m := states[fmt.Sprint(v.from, " ", v.by)]
		if m == nil || m.text() != v.text {
			return "no such state: " + v.text
		}
		for _, c := range th.wanted {
			if m.holds(c.holds(th, th.before())) == slices.Contains(v.violated, c.name) {
				return c.name + " is judged differently in " + v.text
			}
		}
		texts, next := m.steps(v)
		for i, text := range texts {
			states[fmt.Sprint(number, " ", text)] = next[i]
			if !slices.Contains(v.steps, text) {
				return "not a step of the model: " + text + "\n  from " + v.text
			}
		}
		for _, text := range v.steps {
			if !slices.Contains(texts, text) {
				return "not a step of the translation: " + text + "\n  from " + v.text
			}
		}
	}
	return ""
}

// loaded is a model in a file, translated, with the first states of an instance.
func loaded(t *testing.T, path string, n, most int, args ...string) (*theory, []*visited) {
	t.Helper()
	spec, err := starfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := starfile.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	in, values, err := spec.Instantiate(append(args, fmt.Sprintf("n=%d", n)))
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]string{}
	for _, kv := range values.List() {
		given[kv[0]] = kv[1]
	}
	th, err := translate(parsed, given, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return th, visit(th, in, most)
}

// secondOpinions are the models and instances that are compared, also ones that violate invariants.
var secondOpinions = []struct {
	name, from, to string
	args           []string
}{
	{"ricart-agrawala", "", "", nil},
	{"ricart-agrawala", "", "", []string{"order=time"}},
	{"token-lock", "", "", nil},
	{"lamport-mutex", "", "", nil},
	{"lamport-mutex", "or (me.req[me.id], me.id) < (me.req[q], q))\n    me",
		"or me.req[me.id] <= me.req[q])\n    me", []string{"max-clock=4"}},
	{"fenced-lock", "", "", nil},
	{"fenced-lock", "", "", []string{"fencing=off", "rounds=1,3,2"}},
	{"ricart-agrawala", `me.state == "waiting" and len(me.replies) == n - 1`, `me.state == "waiting"`, nil},
	{"raymond-sets", "", "", []string{"k=1"}},
	{"raymond-sets", "", "", []string{"k=2", "rounds=2,1,0"}},
	{"timerfree-sets", "", "", []string{"k=1", "rounds=2", "crashes=3", "crash-sends=none"}},
	{"timerfree-sets", "me.have_perm.discard(dead)", "pass",
		[]string{"k=1", "rounds=2", "crashes=3", "crash-sends=none"}},
	{"raymond-sets", ">= n - k)\n", ">= n - k - 1)\n", []string{"k=2"}},
}

// TestSecondOpinion: interpreter and translation agree on steps and invariants.
func TestSecondOpinion(t *testing.T) {
	most := 15
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		most = 3000
	}
	for _, o := range secondOpinions {
		path := filepath.Join("..", "..", "specs", "files", o.name+".star")
		if o.from != "" {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			path = filepath.Join(t.TempDir(), o.name+".star")
			if err := os.WriteFile(path, []byte(changed(t, string(text), o.from, o.to)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		th, all := loaded(t, path, 3, most, o.args...)
		if d := differ(th, all, 3); d != "" {
			t.Errorf("%s %v: %s", o.name, o.args, d)
		}
	}
}

// mutants are the translation with one mistake each. They are made again by each call of the functions.
func mutants(th *theory) (names []string, apply []func(*theory)) {
	add := func(name string, f func(*theory)) { names, apply = append(names, name), append(apply, f) }
	for i, s := range th.steps {
		if strings.HasPrefix(s.name, "loss of ") {
			continue
		}
		for k := range s.facts {
			if text := s.facts[k].String(); strings.HasPrefix(text, "(= |branch") ||
				strings.HasPrefix(text, "(= branch") {
				continue
			}
			add(fmt.Sprintf("%s without condition %d", s.name, k), func(m *theory) {
				m.steps[i].facts[k] = yes
			})
			add(fmt.Sprintf("%s with condition %d denied", s.name, k), func(m *theory) {
				m.steps[i].facts[k] = not(m.steps[i].facts[k])
			})
		}
		for _, f := range th.order {
			if !s.changed[f] {
				continue
			}
			says := func(c *term) bool { return strings.Contains(c.String(), quoted(f.name)) }
			if f.typ.kind == "word" && !slices.ContainsFunc(s.facts, says) &&
				s.after[f]([]*term{s.who}) == no {
				continue // it was not this word before
			}
			add(s.name+" leaves "+f.name, func(m *theory) {
				m.steps[i].after[m.fields[f.name]] = m.before()[m.fields[f.name]]
			})
			if f.sort == boolean {
				add(s.name+" inverts "+f.name+" of who steps", func(m *theory) {
					after, who := m.steps[i].after[m.fields[f.name]], m.steps[i].who
					m.steps[i].after[m.fields[f.name]] = func(args []*term) *term {
						return choose(equal(args[0], who), not(after(args)), after(args))
					}
				})
			}
		}
	}
	for i, c := range th.wanted {
		add(c.name+" is denied", func(m *theory) {
			holds := m.wanted[i].holds
			m.wanted[i].holds = func(t *theory, s state) *term { return not(holds(t, s)) }
		})
	}
	return names, apply
}

// equivalent mutants change nothing in states that are reached: files with fencing accept no stale write, and
// only a client that holds the lock stops by an answer. In Lamport's algorithm no channel holds two messages
// of a kind, or a request while its sender releases: the next request sets the order to a release again.
var equivalent = []string{"fenced-lock: receive WRITE leaves me.stale",
	"fenced-lock: receive ANSWER leaves me.state=asks",
	"lamport-mutex: Request leaves ahead.msg.req msg.req",
	"lamport-mutex: Exit leaves ahead.msg.req msg.rel",
	"lamport-mutex: Exit inverts ahead.msg.req msg.rel of who steps",
	"lamport-mutex: Exit leaves ahead.msg.rel msg.req",
	"lamport-mutex: Exit inverts ahead.msg.rel msg.req of who steps",
	"lamport-mutex: Exit leaves ahead.msg.rel msg.rel",
	"lamport-mutex: RecvReq without condition 1", // no request before it
	"lamport-mutex: RecvReq leaves ahead.msg.ack msg.ack",
	"lamport-mutex: RecvAck without condition 2", // no acknowledgement before it
	"lamport-mutex: RecvRel without condition 1", // no request before it
	"lamport-mutex: RecvRel without condition 3"} // no release before it

// TestMutantsOfTranslation: the second opinion notices each mistake in the translation.
func TestMutantsOfTranslation(t *testing.T) {
	if os.Getenv("ATMOSTK_SWEEP") == "" {
		t.Skip("ATMOSTK_SWEEP is not set")
	}
	const dying = "k=1 crash-sends=none crashes="
	for _, m := range []struct{ name, three, two string }{{"ricart-agrawala", "", "rounds=2,2"},
		{"raymond-sets", "k=1", "k=1 rounds=2,2"}, {"fenced-lock", "", "rounds=2,2"},
		{"lamport-mutex", "", "max-clock=4"}, {"timerfree-sets", dying + "3", dying + "2 rounds=2,2"}} {
		t.Run(m.name, func(t *testing.T) { killMutants(t, m.name, strings.Fields(m.three), m.two) })
	}
}

// killMutants compares each mutant with the interpreter, in an instance of three processes and in one of two
// with other arguments, for longer runs.
func killMutants(t *testing.T, model string, args []string, ofTwo string) {
	path := filepath.Join("..", "..", "specs", "files", model+".star")
	th, all := loaded(t, path, 3, 300, args...)
	_, two := loaded(t, path, 2, 300, strings.Fields(ofTwo)...)
	if d := differ(th, two, 2) + differ(th, all, 3); d != "" {
		t.Fatal(d)
	}
	n := 0
	deep := sync.OnceValue(func() []*visited {
		_, all := loaded(t, path, 3, 3000, args...)
		return all
	})
	names, _ := mutants(th)
	for i, name := range names {
		if slices.Contains(equivalent, model+": "+name) {
			continue
		}
		mutant, _ := loaded(t, path, 3, 0, args...)
		_, apply := mutants(mutant)
		apply[i](mutant)
		if n++; differ(mutant, two, 2) == "" && differ(mutant, all, 3) == "" &&
			differ(mutant, deep(), 3) == "" {
			t.Errorf("nobody notices: %s", name)
		}
	}
	t.Log(n, "mutants")
}
