package cmd_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// spanJSON is a request to export one span, in JSON.
func spanJSON(id string, begin, end int) string {
	return fmt.Sprintf(
		`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},
"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":%q,"name":"hold","startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}]}`,
		id, begin, end)
}

// spanProto is the same in protobuf, with a number of units and an event.
func spanProto(id byte, begin, end uint64, units int) []byte {
	part := func(number protowire.Number, inner ...[]byte) []byte {
		b := protowire.AppendTag(nil, number, protowire.BytesType)
		return protowire.AppendBytes(b, bytes.Join(inner, nil))
	}
	fixed := func(number protowire.Number, x uint64) []byte {
		return protowire.AppendFixed64(protowire.AppendTag(nil, number, protowire.Fixed64Type), x)
	}
	varint := func(number protowire.Number, x uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), x)
	}
	text := func(key, value string) []byte {
		return part(1, part(1, []byte(key)),
			part(2, part(1, []byte(value))))
	}
	span := part(2, part(1, bytes.Repeat([]byte{7}, 16)), part(2, bytes.Repeat([]byte{id}, 8)),
		part(5, []byte("hold")),
		varint(6, 1), fixed(7, begin), fixed(8, end), part(9, part(1, []byte("units")),
			part(2, varint(3, uint64(units)))),
		part(11, fixed(1, begin), part(2, []byte("tick"))), part(13, part(1, []byte{1}), part(2, []byte{2})))
	return part(1, part(1, text("service.name", "cart")), part(2, span))
}

// A diary is what is written while others read it.
type diary struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *diary) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *diary) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// TestOTLPReceiver sends spans to a watch, in JSON and in protobuf, packed and not, and what is no request.
// It ends when three units are in use where two may be.
func TestOTLPReceiver(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out, diag diary
	code := make(chan int)
	go func() {
		code <- atmostk.Run(ctx,
			strings.Fields("watch --otlp 127.0.0.1:0 --stay hold --k 2 --skew 0s --stop"), nil, &out, &diag)
	}()
	url := ""
	for url == "" && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
		url = regexp.MustCompile(`http://\S+`).FindString(diag.String())
	}
	send := func(kind, encoding string, body []byte) int {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Content-Encoding", encoding)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(spanProto(3, 100, 190, 2))
	_ = z.Close()
	for i, x := range []struct {
		kind, encoding string
		body           []byte
		status         int
	}{
		{"application/json", "", []byte(`{"resourceSpans":`), 400},
		{"application/x-protobuf", "", []byte("what"), 400},
		{"application/x-protobuf", "br", nil, 400},
		{"text/plain", "", []byte("what"), 415},
		{"application/json", "",
			[]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"01","name":"hold","startTimeUnixNano":"x"}]}]}]}`), 200},
		{"application/json", "", []byte(spanJSON("aa", 10, 20)), 200},
		{"application/json; charset=utf-8", "", []byte(spanJSON("ab", 110, 170)), 200},
		{"application/x-protobuf", "gzip", packed.Bytes(), 200},
	} {
		if got := send(x.kind, x.encoding, x.body); got != x.status {
			t.Errorf("request %d: status %d, want %d", i, got, x.status)
		}
	}
	select {
	case got := <-code:
		text := out.String()
		if got != 1 || !strings.Contains(text, "3 units in use at once") ||
			!strings.Contains(text, "shop/ab") ||
			!strings.Contains(text, "cart/0303030303030303") {
			t.Errorf("exit code %d\n%s%s", got, text, diag.String())
		}
	case <-ctx.Done():
		t.Fatalf("nothing was found\n%s%s", out.String(), diag.String())
	}
}
