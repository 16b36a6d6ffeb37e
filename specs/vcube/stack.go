package vcube

import (
	"github.com/atmostk/atmostk/model"
)

// stackState is the state of one process in Algorithm 7.1 over Algorithm 6.1. Each
// layer has its own correct_i, as printed; they are always equal.
type stackState struct {
	Broadcast broadcastState
	Mutex     mutexState
}

// Vars lists the states of both layers: correct_i once, and last_i, a different
// variable in each, with the number of its algorithm.
func (l stackState) Vars(names model.Names) (vars []model.Var) {
	for _, v := range l.Broadcast.Vars(names) {
		if v.Name == "last" {
			v.Name = "last of 6.1"
		}
		vars = append(vars, v)
	}
	for _, v := range l.Mutex.Vars(names) {
		switch v.Name {
		case "correct":
			continue
		case "last":
			v.Name = "last of 7.1"
		}
		vars = append(vars, v)
	}
	return vars
}

// stack is Algorithm 7.1 over Algorithm 6.1. It has no handlers of its own: it
// hands events to the layers, REQUEST down from 7.1 and delivered messages up.
type stack struct {
	broadcast *broadcast
	mutex     *mutex
	waiting   []part // the parts of procedure Request when BROADCAST has to wait
}

func (s *stack) init(i model.Proc) stackState {
	return stackState{s.broadcast.init(i), s.mutex.init(i)}
}

// down is BROADCAST(m) of process i.
func (s *stack) down(i model.Proc, l *stackState, out *outbox) send {
	return func(m content) {
		s.broadcast.broadcast(i, m.C, &l.Broadcast, s.up(i, l, out), out)
	}
}

// up is DELIVER(m) at process i: Algorithm 7.1 receives the REQUEST, but not its own.
func (s *stack) up(i model.Proc, l *stackState, out *outbox) deliver {
	return func(m content) {
		if m.Source != i {
			s.mutex.receive(i, m, &l.Mutex, out)
		}
	}
}

// request: one step if line 5 of 6.1 lets it through, and otherwise a first part.
func (s *stack) request(i model.Proc, l *stackState, out *outbox) bool {
	parts := s.waiting
	if s.broadcast.free(i, &l.Broadcast) {
		parts = splits["atomic"]
	}
	return s.mutex.begin(i, &l.Mutex, parts, s.down(i, l, out))
}

// resume: the rest of the request, as soon as line 5 of 6.1 lets it through.
func (s *stack) resume(i model.Proc, l *stackState, out *outbox) bool {
	return s.broadcast.free(i, &l.Broadcast) && s.mutex.resume(i, &l.Mutex, s.waiting, s.down(i, l, out))
}

// The layers of a local state.
func broadcastOf(l *stackState) *broadcastState { return &l.Broadcast }
func mutexOf(l *stackState) *mutexState         { return &l.Mutex }

// inMutex is a step of Algorithm 7.1 alone.
func inMutex(do func(model.Proc, *mutexState, *outbox) bool) func(model.Proc, *stackState, *outbox) bool {
	return func(i model.Proc, l *stackState, out *outbox) bool { return do(i, &l.Mutex, out) }
}

// toMutex is a receipt by Algorithm 7.1 alone.
func toMutex(do receipt) func(i, j model.Proc, m message, l *stackState, out *outbox) bool {
	return func(i, j model.Proc, m message, l *stackState, out *outbox) bool {
		return do(i, j, m, &l.Mutex, out)
	}
}

func (s *stack) receiveTree(i, j model.Proc, m message, l *stackState, out *outbox) bool {
	s.broadcast.receive(i, j, m.m, &l.Broadcast, s.up(i, l, out), out)
	return true
}

func (s *stack) receiveAck(_, j model.Proc, m message, l *stackState, out *outbox) bool {
	s.broadcast.acknowledge(j, m.m, &l.Broadcast, out)
	return true
}

// notify reaches both layers in one step.
func (s *stack) notify(i, j model.Proc, l *stackState, out *outbox) bool {
	return s.broadcast.notify(i, j, &l.Broadcast, out) && s.mutex.notify(i, j, &l.Mutex, out)
}
