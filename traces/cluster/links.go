package cluster

import (
	"bufio"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/atmostk/atmostk/model"
)

// setupTime is how long processes may take to find each other.
const setupTime = 20 * time.Second

// links are the connections of a process.
type links struct {
	conns []net.Conn
	to    []*json.Encoder // by process; nil: dead
}

// arrival is an envelope that has come in, or the end of a connection.
type arrival struct {
	from     model.Proc
	envelope envelope
	closed   bool
	ready    time.Time // when it may be received
}

// connect listens, tells the supervisor where, and connects with all live processes in both
// directions.
func (p *process) connect(ctx context.Context) error {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // all are connected, or it has failed anyway
	if err := p.reports.Encode(report{Listening: listener.Addr().String()}); err != nil {
		return err
	}
	o, err := p.await(ctx)
	if err != nil {
		return err
	}
	if len(o.Peers) != p.nodes.N() {
		return errOrder
	}
	p.to = make([]*json.Encoder, len(o.Peers))
	others := 0
	for q, address := range o.Peers {
		if address == "" || q == int(p.Process) {
			continue
		}
		others++
		d := net.Dialer{Timeout: setupTime}
		conn, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			return err
		}
		p.conns = append(p.conns, conn)
		p.to[q] = json.NewEncoder(conn)
		if err := p.to[q].Encode(hello{p.Run, p.Process}); err != nil {
			return err
		}
	}
	if err := p.accept(ctx, listener, others); err != nil {
		return err
	}
	return p.reports.Encode(report{Connected: true})
}

// accept takes connections until that many processes of the run have called.
func (p *process) accept(ctx context.Context, listener net.Listener, others int) error {
	if err := listener.(*net.TCPListener).SetDeadline(time.Now().Add(setupTime)); err != nil {
		return err
	}
	life := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calls, failed := make(chan call), make(chan error, 1)
	go func() { // until the listener is closed
		for {
			conn, err := listener.Accept()
			if err != nil {
				failed <- err
				return
			}
			go p.answer(ctx, conn, calls)
		}
	}()
	var called model.Set
	for called.Len() < others {
		select {
		case c := <-calls:
			if called.Has(c.from) {
				_ = c.conn.Close() // somebody has heard the secret
				continue
			}
			called = called.With(c.from)
			p.conns = append(p.conns, c.conn)
			go p.collect(life, c.from, c.envelopes)
		case err := <-failed:
			return fmt.Errorf("%d of %d processes have called: %w", called.Len(), others, err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// A call is a connection of a process of the run.
type call struct {
	from      model.Proc
	conn      net.Conn
	envelopes *json.Decoder
}

// What a hello may take at most. Strangers may be silent or talk without end, and nobody waits for them.
const (
	helloTime = 5 * time.Second
	helloSize = 1 << 10
)

// answer passes a connection on if it is one of the run.
func (p *process) answer(ctx context.Context, conn net.Conn, calls chan<- call) {
	in := bufio.NewReaderSize(conn, helloSize)
	err := conn.SetReadDeadline(time.Now().Add(helloTime))
	line, short := in.ReadSlice('\n')
	var h hello
	if err = errors.Join(err, short, json.Unmarshal(line, &h), conn.SetReadDeadline(time.Time{})); err !=
		nil ||
		subtle.ConstantTimeCompare([]byte(h.Run), []byte(p.Run)) == 0 || int(h.From) >= p.nodes.N() ||
		!pass(ctx, calls, call{h.From, conn, json.NewDecoder(in)}) {
		_ = conn.Close() // somebody else's
	}
}

// collect takes the envelopes of one process in.
func (p *process) collect(ctx context.Context, from model.Proc, envelopes *json.Decoder) {
	for {
		a := arrival{from: from}
		a.closed = envelopes.Decode(&a.envelope) != nil
		if !pass(ctx, p.arrivals, a) || a.closed {
			return
		}
	}
}

// send puts an envelope on its way. It is lost if the receiver is dead.
func (p *process) send(to model.Proc, l envelope) {
	p.Sent[to]++
	if to == p.Process {
		p.arrive(arrival{from: to, envelope: l})
		return
	}
	if p.to[to] != nil && p.to[to].Encode(l) != nil {
		p.to[to] = nil
	}
}

// close ends all connections.
func (l *links) close() {
	for _, c := range l.conns {
		_ = c.Close() // the run is over
	}
}
