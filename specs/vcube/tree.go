package vcube

import "github.com/atmostk/atmostk/model"

// got is the part of the message that has reached a process.
type got uint8

const (
	nothing  got = iota
	refused      // only TREEs from processes that it did not consider correct (line 6)
	accepted     // a TREE that passed line 6, or it is the source and has started
)

func (g got) String() string { return [...]string{"nothing", "refused", "accepted"}[g] }

// treeState is the state of one process in Algorithm 5.1. Only Correct is the
// paper's; the rest is for the claims.
type treeState struct {
	Correct model.Set
	Got     got
	Started bool // the source: StartTree was called; kept through a crash
	// With track=on:
	Parents model.Set // the senders of the TREEs received
	Sent    uint8     // number of TREEs that the process has sent
}

// tree is Algorithm 5.1 as printed; its readings are in readings.go.
type tree struct {
	cube
	dead  model.Set // from the start
	guard bool      // lines 11-12 only at processes that have the message
	track bool
}

// source is the process that starts the tree.
const source model.Proc = 0

func (t *tree) init(model.Proc) treeState {
	return treeState{Correct: model.All(t.n) &^ t.dead} // line 1
}

func (t *tree) startTree(i model.Proc, l *treeState, out *outbox) bool { // line 2
	if i != source || l.Started {
		return false
	}
	l.Started = true
	l.Got = accepted
	for _, k := range t.neighborhood(i, t.logN(), l.Correct) { // line 3
		t.send(k, l, out) // line 4
	}
	return true
}

func (t *tree) receiveTree(i, j model.Proc, _ message, l *treeState, out *outbox) bool { // line 5
	if !l.Correct.Has(j) { // line 6
		l.Got = max(l.Got, refused)
		return true
	}
	l.Got = accepted
	for _, k := range t.neighborhood(i, t.cluster(i, j)-1, l.Correct) { // line 7
		t.send(k, l, out) // line 8
	}
	return true
}

func (t *tree) notify(i, j model.Proc, l *treeState, out *outbox) bool { // line 9
	if !l.Correct.Has(j) {
		return false
	}
	l.Correct = l.Correct.Without(j)                                   // line 10
	if k := t.ffNeighbor(i, t.cluster(i, j), l.Correct); k != bottom { // line 11
		t.send(k, l, out) // line 12
	}
	return true
}
