package starfile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"go.starlark.net/starlark"
)

// randomType draws a type with values of the given depth at most.
func randomType(t testing.TB, r *rand.Rand, depth int) *valueType {
	t.Helper()
	ok := func(of *valueType, err error) *valueType {
		if err != nil {
			t.Fatal(err)
		}
		return of
	}
	if depth == 0 {
		return []*valueType{
			boolType, newInt(-3, r.IntN(40)), anyInt("whole numbers"), strType, roundsType,
			mustWords([]starlark.Value{starlark.String("b"), starlark.String("a"),
				starlark.Tuple{number(1), number(2)}}),
			mustWords([]starlark.Value{starlark.String("one")}),
		}[r.IntN(7)]
	}
	of := randomType(t, r, depth-1)
	switch r.IntN(6) {
	case 0:
		return newList(of, []int{3, longest}[r.IntN(2)])
	case 1:
		return ok(newArray(newInt(2, 4), of))
	case 2:
		return newSet(randomType(t, r, 0))
	case 3:
		return newDict(newInt(0, 9), of)
	case 4:
		if of.is != optionals {
			return newOption(of)
		}
	}
	x := given("record", "x", of, "y", randomType(t, r, 0))
	x.tag = []string{"", "M"}[r.IntN(2)]
	return x
}

// randomValue draws a value of a type, which is filled in a random order.
func randomValue(t testing.TB, r *rand.Rand, of *valueType) starlark.Value {
	t.Helper()
	some := func(of *valueType, n int) (all []starlark.Value) {
		for range n {
			all = append(all, randomValue(t, r, of))
		}
		return all
	}
	switch of.is {
	case listed:
		return of.values[r.IntN(len(of.values))]
	case numbers:
		if of.endless {
			return number(r.IntN(1<<r.IntN(31)) * (1 - 2*r.IntN(2)))
		}
		return number(of.lo + r.IntN(of.hi-of.lo+1))
	case texts:
		return starlark.String([]string{"", "x", "a long \"string\",\n of é"}[r.IntN(3)])
	case optionals:
		if r.IntN(2) == 0 {
			return starlark.None
		}
		return randomValue(t, r, of.of)
	case arrays:
		return starlark.Tuple(some(of.of, of.fixed()))
	case lists, sets:
		return starlark.NewList(some(of.of, r.IntN(4)))
	case dictionaries:
		d := starlark.NewDict(0)
		for _, k := range some(of.key, r.IntN(4)) {
			_ = d.SetKey(k, randomValue(t, r, of.of))
		}
		return d
	}
	x := of.zero().(*record)
	for i, field := range x.t.types {
		x.xs[i] = randomValue(t, r, field)
	}
	return x
}

// TestValuesAreUnpackedAsPacked: a value is unpacked equal and with the same text, takes the bits of its
// type, and what was unpacked has the same bits again, behind others, too.
func TestValuesAreUnpackedAsPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	for range 3000 {
		of := randomType(t, r, r.IntN(4))
		v, behind := randomValue(t, r, of), r.IntN(40)
		w := packer{at: behind}
		if err := of.pack(&w, v); err != nil {
			t.Fatalf("%v: %v: %v", of, v, err)
		}
		if n := of.bits; n != unbounded && w.at != behind+n {
			t.Fatalf("%v: %v takes %d bits of %d", of, v, w.at-behind, n)
		}
		bytes := string(w.appendTo(nil))
		from := &unpacker{bytes: bytes, at: behind}
		got := of.unpack(from)
		again := packer{at: behind}
		err := of.pack(&again, got)
		if err != nil || string(again.appendTo(nil)) != bytes || from.at != w.at {
			t.Fatalf("%v: %v is unpacked as %v (%v), and %d bits of %d are read",
				of, v, got, err, from.at, w.at)
		}
		fitted, err := fit(of, v)
		if err != nil || of.text(fitted) != of.text(got) {
			t.Fatalf("%v: %v fits as %v (%v)", of, v, fitted, err)
		}
		if same, err := starlark.Equal(fitted, got); err != nil || !same {
			t.Fatalf("%v: %v and %v are not equal (%v)", of, fitted, got, err)
		}
	}
}

// TestEqualSetsHaveEqualBits, in any order of insertion.
func TestEqualSetsHaveEqualBits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	for _, of := range []*valueType{anyInt("numbers"), newInt(0, 20), strType} {
		set := newSet(of)
		var values []starlark.Value
		for range 9 {
			values = append(values, randomValue(t, r, of))
		}
		var first packer
		if err := set.pack(&first, starlark.NewList(values)); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			var w packer
			err := set.pack(&w, starlark.NewList(values))
			if err != nil || !slices.Equal(w.words, first.words) {
				t.Fatalf("%v: %v %v", of, values, err)
			}
		}
	}
}

// TestLocalStateIsPackedAsItWas, and a changed field anew.
func TestLocalStateIsPackedAsItWas(t *testing.T) {
	of := given("record", "small", newInt(0, 5), "long", strType, "list", newList(anyInt("numbers"), longest))
	x := of.zero().(*record)
	x.xs[1], x.xs[2] = starlark.String("text"), starlark.NewList([]starlark.Value{number(300), number(-1)})
	bytes, err := of.packed(x)
	if err != nil {
		t.Fatal(err)
	}
	y := of.unpacked(bytes)
	if again, err := of.packed(y); err != nil || again != bytes {
		t.Fatalf("%q, want %q (%v)", again, bytes, err)
	}
	if err := y.SetField("small", number(4)); err != nil {
		t.Fatal(err)
	}
	changed, err := of.packed(y)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"small=4", `long="text"`, "list=[300,-1]"}
	for i, v := range of.vars(changed) {
		if got := v.Name + "=" + v.Value; got != want[i] {
			t.Errorf("%s, want %s", got, want[i])
		}
	}
}

// TestForeignBytesAreRefused: bytes that were cut short or made up cause a panic of type foreign.
func TestForeignBytesAreRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		of := randomType(t, r, r.IntN(4))
		bytes := make([]byte, r.IntN(12))
		for i := range bytes {
			bytes[i] = byte(r.Uint32())
		}
		func() {
			defer func() {
				if e := recover(); e != nil {
					if _, is := e.(foreign); !is {
						t.Fatalf("%v of %x: %v", of, bytes, e)
					}
				}
			}()
			of.unpack(&unpacker{bytes: string(bytes)})
		}()
	}
}
