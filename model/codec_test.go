package model

import (
	"reflect"
	"strings"
	"testing"
)

type sendable struct {
	kind  uint8
	Name  string
	inner struct {
		yes  bool
		from Proc
		of   Set
	}
	deltas [3]int16
	wide   uint64
}

func TestEncode(t *testing.T) {
	m := sendable{kind: 200, Name: "two words", deltas: [3]int16{-1, 0, 300}, wide: 1 << 63}
	m.inner.yes, m.inner.from, m.inner.of = true, 2, SetOf(0, 2)
	b := encode(m)
	if got, err := decode[sendable](b, 3); err != nil || got != m {
		t.Errorf("got %+v, %v; want %+v", got, err, m)
	}
	for i := range b {
		if got, err := decode[sendable](b[:i], 3); err == nil {
			t.Errorf("%d of %d bytes decode to %+v", i, len(b), got)
		}
	}
	if _, err := decode[sendable](b, 2); err == nil {
		t.Error("a process that there is not is accepted")
	}
}

func TestDecodeRefuses(t *testing.T) {
	for want, b := range map[string][]byte{
		"bytes too many":      append(encode(sendable{}), 0),
		"300 is no uint8":     {0xac, 0x02},
		"2 is no bool":        {0, 0, 2},
		"9 is no model.Proc":  {0, 0, 0, 9},
		"8 is no model.Set":   {0, 0, 0, 0, 8},
		"40000 is no int16":   {0, 0, 0, 0, 0, 0x80, 0xf1, 0x04},
		"end within a string": {0, 5, 'a'},
		"end within a number": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		"longer than it has":  {0x80, 0},
	} {
		if m, err := decode[sendable](b, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %+v, %v; want %q", b, m, err, want)
		}
	}
}

func TestUnsendable(t *testing.T) {
	if why := unsendable(reflect.TypeFor[struct{ p *int }]()); why != "a message cannot hold a *int" {
		t.Errorf("got %q", why)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(sendable{}))
	f.Add(encode(sendable{kind: 200, Name: "two words", deltas: [3]int16{-1, 0, 300}, wide: 1 << 63}))
	f.Add([]byte{0x80, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := decode[sendable](b, 3); err == nil && string(encode(m)) != string(b) {
			t.Errorf("%v is read as %+v, which is written as %v", b, m, encode(m))
		}
	})
}
