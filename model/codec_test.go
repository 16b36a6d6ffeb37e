package model

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
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

func encode(m sendable) []byte {
	c := codecOf[sendable]()
	return c.append(nil, &m)
}

// TestCodec: a value of every kind is read as it was written, and has the bytes that are written
// field by field.
func TestCodec(t *testing.T) {
	type kinds struct {
		A int8
		B int16
		C int32
		D int64
		E int
		F uint
		G uint16
		H uint32
		I uint64
		J float32
		K float64
		L complex64
		M complex128
		N [2]struct {
			X uint8
			Y string
			Z bool
		}
		O [3]uint8
	}
	r := rand.New(rand.NewPCG(1, 5))
	c := codecOf[kinds]()
	for range 1000 {
		wide := r.Uint64() >> r.IntN(64)
		x := kinds{
			int8(wide), int16(wide), -int32(wide), -int64(wide), int(wide), uint(wide), uint16(wide),
			uint32(wide), wide,
			float32(wide), -float64(wide), complex(float32(wide), 1), complex(2, float64(wide)), kinds{}.N,
			[3]uint8{uint8(wide), 127, 128},
		}
		x.N[1].X, x.N[1].Y, x.N[1].Z = 255, fmt.Sprint(wide), wide%2 == 0
		b := c.append(nil, &x)
		if got := c.value(b); got != x {
			t.Fatalf("got %+v, want %+v", got, x)
		}
		if want := appendByField(nil, reflect.ValueOf(x)); string(b) != string(want) {
			t.Fatalf("%+v: got %v, want %v", x, b, want)
		}
	}
	minus := kinds{K: math.Copysign(0, -1)}
	if string(c.append(nil, &minus)) != string(c.append(nil, new(kinds))) {
		t.Error("-0 and 0 are equal, and their bytes are not")
	}
}

// appendByField writes a value in the most obvious way.
func appendByField(b []byte, v reflect.Value) []byte {
	switch {
	case v.Kind() == reflect.Bool && v.Bool():
		return append(b, 1)
	case v.Kind() == reflect.Bool:
		return append(b, 0)
	case v.Kind() == reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case v.CanInt():
		return binary.AppendVarint(b, v.Int())
	case v.CanUint():
		return binary.AppendUvarint(b, v.Uint())
	case v.CanFloat():
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()+0))
	case v.CanComplex():
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(real(v.Complex())))
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(v.Complex())))
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			b = appendByField(b, v.Index(i))
		}
	default:
		for i := range v.NumField() {
			b = appendByField(b, v.Field(i))
		}
	}
	return b
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
		"9 is no Proc":        {0, 0, 0, 9},
		"8 is no Set":         {0, 0, 0, 0, 8},
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
