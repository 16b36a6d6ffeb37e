package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model/interp"
)

// threeNodes are only counted.
var threeNodes = &interp.Interp{Declared: &interp.Declared{Names: make([]string, 3)}}

// TestStrangers connects to a process in the place of others of the run: without a word, without an end, with
// a wrong secret, as a process that there is not, and twice as the same. It waits for none of them, and takes
// those of the run.
func TestStrangers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	p := &process{assignment: assignment{Run: "secret"}, nodes: threeNodes, arrivals: make(chan arrival, 9)}
	defer p.close()
	dial := func(hello string) net.Conn {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(hello)); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	strangers := []net.Conn{
		dial(""), dial(strings.Repeat("x", 10*helloSize)), dial(`{"Run":"guess","From":1}` + "\n"),
		dial(`{"Run":"secret","From":3}` + "\n"), dial("{}\n"), dial("\n"),
	}
	friends := []net.Conn{dial(`{"Run":"secret","From":1}` + "\n"), dial(`{"Run":"secret","From":2}` + "\n")}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := p.accept(ctx, listener, 2); err != nil {
		t.Fatal(err)
	}
	if len(p.conns) != 2 {
		t.Errorf("%d connections are of the run", len(p.conns))
	}
	for i, conn := range friends {
		if err := json.NewEncoder(conn).Encode(envelope{ID: fmt.Sprint(i + 1)}); err != nil {
			t.Fatal(err)
		}
	}
	for range friends {
		if a := <-p.arrivals; a.closed || a.envelope.ID != fmt.Sprint(a.from) {
			t.Errorf("%+v", a)
		}
	}
	for _, conn := range append(strangers, friends...) {
		_ = conn.Close() // the test is over
	}
}
