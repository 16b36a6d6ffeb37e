package prove

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// This is a second opinion on proofs. It uses neither the translation nor a solver: the interpreter takes all
// steps from all states that fulfil the invariants, reachable or not, and judges the states behind them.

// enumerated is tokenModel with each message on its way, and with all states of a process, if n is 8.
func enumerated(t *testing.T, from, to string, n int) model.Instance {
	t.Helper()
	text := changed(t, tokenModel, "range(2, 3)", "range(2, 9)")
	text = changed(t, text, "me.token = me.id == 1\n", "me.token = me.id % 2 == 0\n"+
		"    me.inside = me.id in [3, 4, 7, 8]\n    me.asks = me.id > 4\n"+
		"\ndef first(id):\n    for j in PROCS:\n        send(j, TOKEN())\n        send(j, ASK())\n")
	text = changed(t, text, "    init = init,\n", "    init = init,\n    under_way = first,\n")
	if from != "" {
		text = changed(t, text, from, to)
	}
	path := filepath.Join(t.TempDir(), "m.star")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	spec, err := starfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate([]string{fmt.Sprintf("n=%d", n)})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// obligations checks the induction for n processes, and at most most messages on their way. It returns the
// number of states that fulfil the invariants, and the first step that leads to one that does not.
func obligations(t *testing.T, from, to string, n, most int) (states int, fails string) {
	t.Helper()
	in, pool := enumerated(t, from, to, n), enumerated(t, from, to, 8).Interp.Start()
	start := in.Interp.Start()
	type message struct {
		to protocol.Proc
		e  interp.Envelope
	}
	var all []message
	for p := range protocol.Proc(n) {
		for _, e := range start.Inbox(p) {
			all = append(all, message{p, e})
		}
	}
	state := func(locals, messages int) *interp.State {
		values, inboxes := make([]interp.Value, n), make([][]interp.Envelope, n)
		for p := range n {
			values[p] = pool.Local(protocol.Proc(locals >> (3 * p) & 7))
		}
		for i, m := range all {
			if messages>>i&1 == 1 {
				inboxes[m.to] = append(inboxes[m.to], m.e)
			}
		}
		return in.Interp.StateOf(0, values, inboxes, start.History(), start.Record())
	}
	violated := func(s *interp.State) string {
		for k, info := range in.Space.Properties() {
			if info.Kind == model.Invariant && in.Plain.Judge(s, k) {
				return info.Name
			}
		}
		return ""
	}
	for locals := range 1 << (3 * n) {
		for messages := range 1 << len(all) {
			if bits.OnesCount(uint(messages)) > most {
				continue
			}
			s := state(locals, messages)
			if violated(s) != "" {
				continue
			}
			states++
			for _, tr := range in.Plain.Steps(s) {
				if name := violated(tr.Next.(*interp.State)); name != "" {
					return states, tr.Text() + ": " + name
				}
			}
			for i := range all { // a message is lost
				if name := violated(state(locals, messages&^(1<<i))); name != "" {
					return states, "loss: " + name
				}
			}
		}
	}
	return states, ""
}

// TestEnumerationAgrees: what is proved for every n is inductive for two processes with two messages; without
// one of the invariants it is not. The sweep has three processes with three messages: a step takes one, and
// the invariants speak of two.
func TestEnumerationAgrees(t *testing.T) {
	n, most := 2, 2
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		n, most = 3, 3
	}
	states, fails := obligations(t, "", "", n, most)
	if t.Log(states, "states"); fails != "" {
		t.Error(fails)
	}
	for _, holds := range []string{"not me.inside or me.token", "one_token)", "no_other)", "one_message)"} {
		weaker := "True or " + holds
		if strings.HasSuffix(holds, ")") {
			weaker = "lambda g: True or " + strings.TrimSuffix(holds, ")") + "(g))"
		}
		states, fails := obligations(t, holds, weaker, n, most)
		if t.Log(holds, states, fails); fails == "" {
			t.Errorf("without %s nothing fails", holds)
		}
	}
}
