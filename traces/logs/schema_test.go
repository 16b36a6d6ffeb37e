package logs_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
)

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	schema, err := os.ReadFile("formats/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("log.json", parsed); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("log.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(t testing.TB, s *jsonschema.Schema, line string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// TestSchemaAndReaderAgree wants schema and reader to agree about single lines.
func TestSchemaAndReaderAgree(t *testing.T) {
	s := compiled(t)
	for line, good := range map[string]bool{
		`{"atmostk":"log"}`: true,
		`{"atmostk":"log","spec":"raymond","args":"n=3 k=2"}`: true,
		`{"atmostk":"trace"}`:            false,
		`{"atmostk":"log","spec":["x"]}`: false,
		`{"node":"a","event":"enter"}`:   true,
		`{"node":"a","msg":"enter"}`:     true,
		`{"node":1,"event":2}`:           true,
		`{"node":"","event":"enter"}`:    false,
		`{"node":"a"}`:                   false,
		`{"node":"a","event":""}`:        false,
		`{"event":"enter"}`:              false,
		`{"node":["a"],"event":"enter"}`: false,
		`{"node":"a","event":{"a":"b"}}`: false,
		`{"node":"a","event":"e","seq":1,"lamport":2,"units":3,"maybe":true,"id":"m","from":"b","message":"REPLY"}`: true,
		`{"node":"a","event":"e","seq":0}`:                                                false,
		`{"node":"a","event":"e","seq":1.5}`:                                              false,
		`{"node":"a","event":"e","units":0}`:                                              false,
		`{"node":"a","event":"e","units":65537}`:                                          false,
		`{"node":"a","event":"e","lamport":"x"}`:                                          false,
		`{"node":"a","event":"e","maybe":"yes"}`:                                          false,
		`{"node":"a","event":"e","begin":1,"end":"2026-01-02T03:04:05.678Z","time":null}`: true,
		`{"node":"a","event":"e","begin":true}`:                                           false,
		`{"node":"a","event":"e","clock":{"a":1,"b":0}}`:                                  true,
		`{"node":"a","event":"e","clock":{"a":-1}}`:                                       false,
		`{"node":"a","event":"e","clock":{"a":1,"":2}}`:                                   false,
		`{"node":"a","event":"e","clock":7}`:                                              false,
		`{"node":"a","event":"e","sent":[{"to":"b","id":"m"},{}]}`:                        true,
		`{"node":"a","event":"e","sent":{"to":"b"}}`:                                      false,
		`{"node":"a","event":"e","sent":[{"to":1}]}`:                                      false,
		`{"node":"a","event":"e","state":{"x":1,"y":"z","w":true}}`:                       true,
		`{"node":"a","event":"e","state":{"x":[1]}}`:                                      false,
		`{"node":"a","event":"e","state":5}`:                                              false,
		`[1]`:                                                                             false,
	} {
		if err := fits(t, s, line); (err == nil) != good {
			t.Errorf("%s: schema says %v", line, err)
		}
		_, err := order.Read(write(t, line+"\n"), formats.Options{Format: "ndjson"})
		if (err == nil) != good {
			t.Errorf("%s: reader says %v", line, err)
		}
	}
}

// TestLinesOfSlogAreRead reads what log/slog writes, as text of a program that knows nothing of
// this one.
func TestLinesOfSlogAreRead(t *testing.T) {
	var b bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&b, nil)).With("node", "n1")
	log.LogAttrs(context.Background(), slog.LevelInfo, "acquire", slog.Int("units", 2),
		slog.Any("state", map[string]any{"x": 1}))
	log.Info("a message", "event", "send", "to", "n2", "id", "m1")
	log.Info("release", "clock", map[string]int{"n1": 3}, "sent", []map[string]string{{"to": "n2", "id": "m2",
		"message": "REPLY"}})
	s := compiled(t)
	for line := range strings.Lines(b.String()) {
		if err := fits(t, s, line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	h := read(t, formats.Options{Keep: true}, b.String()).History()
	if len(h.Events) != 3 || h.Events[0].Name != "acquire" || h.Events[0].Units != 2 ||
		h.Events[0].State["x"] != "1" || h.Events[0].Line != 1 {
		t.Fatalf("%+v", h.Events)
	}
	if m := h.Events[1].Sent; len(m) != 1 || m[0].ID != "m1" || h.Nodes[m[0].To] != "n2" ||
		h.Events[1].ID != "" {
		t.Errorf("%+v", h.Events[1])
	}
	if e := h.Events[2]; e.Sent[0].Message != "REPLY" || e.Clock[0] != 3 || e.From != -1 {
		t.Errorf("%+v", e)
	}
}
