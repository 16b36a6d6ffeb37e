package model

import (
	"github.com/cespare/xxhash/v2"

	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/stage"
)

// A stageHash is the hash of a stage's state: a sum of those of its parts, each at its place, so that what
// a step changes is all that has to be hashed.
//
// Envelopes of a bag are parts each. A FIFO channel is one part: the value of the polynomial in base whose
// coefficients are the hashes of its envelopes, the next one to be received first.
//
// It is made from values only, and so the same in every process: runs that several machines play are counted
// together. It is kept from when it is asked for: most of the time of a step would go into it.
type stageHash[L, M, H any] struct {
	s        *composedStage[L, M, H]
	kept     bool
	sum      uint64
	locals   []uint64
	channels []fifoHash // to times n, plus from; nil if there are none
	room     []byte     // to write values
}

func (h *stageHash[L, M, H]) ofLocal(l *L) (x uint64) {
	x, h.room = h.s.c.of.local.hash(h.room, l)
	return x
}

func (h *stageHash[L, M, H]) ofMessage(m stage.Envelope) (x uint64) {
	x, h.room = h.s.c.of.message.hash(h.room, &h.s.envelope[m].M)
	return x
}

func (h *stageHash[L, M, H]) ofHistory(past *H) (x uint64) {
	x, h.room = h.s.c.of.history.hash(h.room, past)
	return x
}

type fifoHash struct {
	value uint64
	power uint64 // of base, to the number of envelopes
}

// base of the polynomials is odd, so that it has an inverse modulo 2^64.
const base = 0x9e3779b97f4a7c15

// inverse of base, by Newton's iteration, which doubles the number of right bits.
var inverse = func() uint64 {
	x := uint64(base)
	for range 5 {
		x *= 2 - base*x
	}
	return x
}()

// keep begins to keep the hash.
func (h *stageHash[L, M, H]) keep() {
	if h.kept {
		return
	}
	h.kept, h.locals = true, make([]uint64, h.s.c.N)
	if h.s.c.Network.Channel == FIFO {
		h.channels = make([]fifoHash, h.s.c.N*h.s.c.N)
	}
	h.begin()
	for p, inbox := range h.s.inbox {
		for _, m := range inbox {
			h.add(Proc(p), m)
		}
	}
}

// mixed spreads a hash over all bits, another way at each place (the finalizer of splitmix64).
func mixed(place int, x uint64) uint64 {
	x += uint64(place+1) * base
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// begin hashes the local states of a run that begins.
func (h *stageHash[L, M, H]) begin() {
	if !h.kept {
		return
	}
	h.sum = 0
	for i := range h.channels {
		h.channels[i] = fifoHash{0, 1}
	}
	for p := range h.locals {
		h.locals[p] = h.ofLocal(&h.s.local[p])
		h.sum += mixed(p, h.locals[p])
		if h.s.dead[p] {
			h.sum += h.ofDeath(p)
		}
	}
}

func (h *stageHash[L, M, H]) changeLocal(p Proc, to *L) {
	if !h.kept {
		return
	}
	h.sum -= mixed(int(p), h.locals[p])
	h.locals[p] = h.ofLocal(to)
	h.sum += mixed(int(p), h.locals[p])
}

func (h *stageHash[L, M, H]) ofDeath(p int) uint64 { return mixed(h.s.c.N+p, 1) }

// ofEnvelope hashes an envelope of a bag, with the process that it goes to.
func (h *stageHash[L, M, H]) ofEnvelope(to Proc, m stage.Envelope) uint64 {
	return mixed(2*h.s.c.N+int(to), h.ofMessage(m)*base+uint64(h.s.envelope[m].From))
}

// channel returns the channel of an envelope, and its place.
func (h *stageHash[L, M, H]) channel(to Proc, m stage.Envelope) (f *fifoHash, place int) {
	i := int(to)*h.s.c.N + int(h.s.envelope[m].From)
	return &h.channels[i], 2*h.s.c.N + i
}

func (h *stageHash[L, M, H]) add(to Proc, m stage.Envelope) {
	if !h.kept {
		return
	}
	if h.channels == nil {
		h.sum += h.ofEnvelope(to, m)
		return
	}
	f, place := h.channel(to, m)
	h.sum -= mixed(place, f.value)
	f.value += h.ofMessage(m) * f.power
	f.power *= base
	h.sum += mixed(place, f.value)
}

// addFirst adds an envelope that is, in a FIFO channel, the next one to be received.
func (h *stageHash[L, M, H]) addFirst(to Proc, m stage.Envelope) {
	if !h.kept || h.channels == nil {
		h.add(to, m)
		return
	}
	f, place := h.channel(to, m)
	h.sum -= mixed(place, f.value)
	f.value = h.ofMessage(m) + f.value*base
	f.power *= base
	h.sum += mixed(place, f.value)
}

// remove takes an envelope away, in a FIFO channel the first.
func (h *stageHash[L, M, H]) remove(to Proc, m stage.Envelope) {
	if !h.kept {
		return
	}
	if h.channels == nil {
		h.sum -= h.ofEnvelope(to, m)
		return
	}
	f, place := h.channel(to, m)
	h.sum -= mixed(place, f.value)
	f.value = (f.value - h.ofMessage(m)) * inverse
	f.power *= inverse
	h.sum += mixed(place, f.value)
}

// die takes away what is under way to p, which is dead.
func (h *stageHash[L, M, H]) die(p Proc) {
	if !h.kept {
		return
	}
	h.sum += h.ofDeath(int(p))
	for _, m := range h.s.inbox[p] {
		h.remove(p, m)
	}
}

// rise is for p, which was dead. Where no hash is kept it does not matter: keep begins anew.
func (h *stageHash[L, M, H]) rise(p Proc) { h.sum -= h.ofDeath(int(p)) }

func (s *composedStage[L, M, H]) Hash() uint64 {
	if s.c.Clocks != nil { // the same up to a shift of all times
		return s.world().Code().Lo
	}
	s.hash.keep()
	sum := s.hash.sum + s.hash.ofHistory(&s.history)
	if s.record != (protocol.Record{}) {
		sum += xxhash.Sum64(s.record.Bytes())
	}
	return sum
}

func (s *composedStage[L, M, H]) LocalHash(p Proc) uint64 {
	s.hash.keep()
	return s.hash.locals[p]
}
