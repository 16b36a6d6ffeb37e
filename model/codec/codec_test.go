package codec

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

type sendable struct {
	kind  uint8
	Name  string
	inner struct {
		yes  bool
		from protocol.Proc
		of   protocol.Set
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
			kinds{}.N,
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
	m.inner.yes, m.inner.from, m.inner.of = true, 2, protocol.SetOf(0, 2)
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

// TestDecodeRefuses: a number that is too large or longer than needed, a bool that is 2, and bytes too many
// are refused, since no value is written so.
func TestDecodeRefuses(t *testing.T) {
	for _, b := range [][]byte{
		append(encode(sendable{}), 0), append([]byte{0x80, 0}, encode(sendable{})[1:]...),
		append([]byte{0xac, 0x02}, encode(sendable{})[1:]...), {0, 0, 2},
		append([]byte{0, 0, 0, 0, 0, 0x80, 0xf1, 0x04}, encode(sendable{})[6:]...),
	} {
		m, err := decode[sendable](b, 3)
		if err == nil || !strings.Contains(err.Error(), "no value is written so") {
			t.Errorf("%v: got %+v, %v", b, m, err)
		}
	}
	for want, b := range map[string][]byte{
		"9 is no Proc":        {0, 0, 0, 9},
		"8 is no Set":         {0, 0, 0, 0, 8},
		"end within a string": {0, 5, 'a'},
		"end within a number": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
	} {
		if m, err := decode[sendable](b, 3); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %+v, %v; want %q", b, m, err, want)
		}
	}
}

// tree is a type that holds values of its own.
type tree struct{ Kids []tree }

// TestNoValue: what a message or a local state cannot hold is named, with its place.
func TestNoValue(t *testing.T) {
	for _, x := range []struct {
		of   reflect.Type
		want string // the beginning; "": it is a value
	}{
		{reflect.TypeFor[struct{ p *int }](), "field p of it is a *int, which states would share"},
		{reflect.TypeFor[map[string][]func()](), "an element of a value of it is a func(), which"},
		{reflect.TypeFor[[][2]chan int](), "an element of an element of it is a chan int, which"},
		{reflect.TypeFor[struct{ a, b any }](), "field a of it is a interface {}, which"},
		{reflect.TypeFor[map[struct{ x float64 }]int](), "field x of a key of it is a float64, whose sums"},
		{reflect.TypeFor[tree](), "an element of field Kids of it is a codec.tree, which holds values of"},
		{reflect.TypeFor[many64](), ""},
		{reflect.TypeFor[values.PerProc[uint8]](), ""},
		{reflect.TypeFor[values.Group](), ""},
	} {
		if why := NoValue(x.of, "it"); !strings.HasPrefix(why, x.want) || (why == "") != (x.want == "") {
			t.Errorf("%v: got %q, want %q", x.of, why, x.want)
		}
	}
}

// many64 holds what has no fixed size, in all ways.
type many64 struct {
	queue []protocol.Proc
	names map[string][]string
	rows  [2][][]int16
	perms map[[2]uint8]struct{ yes bool }
	inner []struct {
		text string
		of   map[protocol.Proc]protocol.Set
	}
}

// TestManyCodec: values with slices and maps are read as they were written, share nothing with what was
// written, and have bytes that do not depend on the order in which maps were filled, nor on capacities.
func TestManyCodec(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	c := codecOf[many64]()
	if c.Flat || c.solid() {
		t.Fatal("a type with slices is taken for flat")
	}
	known := map[string]many64{}
	for range 2000 {
		x := randomMany(r)
		b := c.append(nil, &x)
		y := c.value(b)
		if again := c.append(nil, &y); string(again) != string(b) || !c.equal(&x, &y) {
			t.Fatalf("%#v is read as %#v", x, y)
		}
		if !reflect.DeepEqual(y, c.copied(&y)) { // a copy is as what was read
			t.Fatalf("a copy of %#v differs", y)
		}
		if other, is := known[string(b)]; is && !c.equal(&other, &x) {
			t.Fatalf("%#v and %#v have the same bytes", x, other)
		}
		known[string(b)] = y
		m, err := decode[many64](b, protocol.MaxProcs)
		if err != nil || !reflect.DeepEqual(m, y) {
			t.Fatalf("%#v is read with care as %#v, %v", y, m, err)
		}
		for i := range x.queue {
			x.queue[i] = 99
		}
		for k := range x.names {
			x.names[k] = nil
		}
		if string(c.append(nil, &y)) != string(b) {
			t.Fatal("what was read changes with what was written")
		}
	}
	var none, empty many64
	empty.queue, empty.names = make([]protocol.Proc, 0, 4), map[string][]string{}
	if !c.equal(&none, &empty) {
		t.Error("nil and empty differ")
	}
	if read := c.copied(&none); read.names == nil || read.queue != nil {
		t.Error("a copy has maps that are not nil, and slices that are nil if they are empty")
	}
}

func randomMany(r *rand.Rand) (x many64) {
	for range r.IntN(3) {
		x.queue = append(x.queue, protocol.Proc(r.IntN(3)))
		row := &x.rows[r.IntN(2)]
		*row = append(*row, []int16{int16(r.IntN(1000)) - 500})
		x.inner = append(x.inner, struct {
			text string
			of   map[protocol.Proc]protocol.Set
		}{fmt.Sprint(r.IntN(9)), map[protocol.Proc]protocol.Set{
			protocol.Proc(r.IntN(3)): protocol.Set(r.IntN(8)), 2: 1,
		}})
	}
	x.names = map[string][]string{}
	for range r.IntN(3) {
		x.names[strings.Repeat("x", r.IntN(3))] = make([]string, r.IntN(2))
		x.perms = map[[2]uint8]struct{ yes bool }{{uint8(r.IntN(2)), 200}: {r.IntN(2) == 0}}
	}
	return x
}

// TestBeyond: values of more processes than a search takes are equal, and have one hash, if they hold the
// same, though they keep it elsewhere.
func TestBeyond(t *testing.T) {
	type wide struct {
		of  values.PerProc[uint16]
		who values.Group
	}
	c := codecOf[wide]()
	make := func(puts ...protocol.Proc) (x wide) {
		for _, p := range puts {
			x.of.Put(p, x.of.At(p)^7)
			x.who = x.who.With(p)
		}
		return x
	}
	a, b, other := make(3, 40, 900), make(900, 50, 3, 50, 40), make(3, 40, 901)
	a.who, b.who = a.who.With(50), b.who.With(50)
	for _, x := range []struct {
		x, y wide
		same bool
	}{{a, b, true}, {a, other, false}, {make(3), make(3, 100, 100), false}, {wide{}, wide{}, true}} {
		hx, _ := c.hash(nil, &x.x)
		hy, _ := c.hash(nil, &x.y)
		if c.equal(&x.x, &x.y) != x.same || (hx == hy) != x.same {
			t.Errorf("%#v and %#v: want %v", x.x, x.y, x.same)
		}
	}
	zero := make(100, 100)
	zero.who = values.Group{}
	if none := (wide{}); !c.equal(&zero, &none) || len(c.append(nil, &zero)) != len(c.append(nil, &none)) {
		t.Error("what was put and taken away again is not nothing")
	}
}

// TestDecodeMany: bytes that are written of no value with slices and maps are errors.
func TestDecodeMany(t *testing.T) {
	for _, x := range []struct {
		bytes []byte
		want  string
	}{
		{[]byte{200, 1}, "end within a slice"},
		{[]byte{255, 255, 255, 255, 15}, "end within a slice"},
		{[]byte{0, 9}, "end within a slice or a map"},
		{[]byte{0, 2, 1, 1, 0, 0}, "no value is written so"}, // its keys are not in order
		{[]byte{0, 2, 0, 1, 0, 1}, "no value is written so"}, // its keys are the same
		{[]byte{0, 0, 7}, "no value is written so"},          // there is one more
	} {
		type pair struct {
			List []uint8
			Of   map[uint8]bool
		}
		if m, err := decode[pair](x.bytes, 3); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: got %v, %v; want %q", x.bytes, m, err, x.want)
		}
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

// typed is a kind of values of a type that the test knows.
type typed[T any] struct{ *Kind }

func codecOf[T any]() typed[T] { return typed[T]{KindOf[T]()} }

func of[T any](x *T) Value { return Value(unsafe.Pointer(x)) }

func (c typed[T]) append(b []byte, x *T) []byte { return c.Append(b, of(x)) }
func (c typed[T]) value(b []byte) T             { return c.Any(c.Value(b)).(T) }
func (c typed[T]) copied(x *T) T                { return c.Any(c.Copied(of(x))).(T) }
func (c typed[T]) equal(x, y *T) bool           { return c.Equal(of(x), of(y)) }
func (c typed[T]) hash(room []byte, x *T) (uint64, []byte) {
	return c.Hash(room, of(x))
}

func decode[T any](b []byte, n int) (m T, err error) {
	c := codecOf[T]()
	x, err := c.Read(b, n)
	if err == nil {
		m = c.Any(x).(T)
	}
	return m, err
}
