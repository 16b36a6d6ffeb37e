package values_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/atmostk/atmostk/model/values"
)

type (
	seq = values.Seq[int16, [4]int16]
	bag = values.Bag[int16, [4]int16]
	set = values.Set[int16, [4]int16]
)

// overflows reports whether f panics because there is no room, and says so.
func overflows(t *rapid.T, f func()) (full bool) {
	defer func() {
		if why := recover(); why != nil {
			full = true
			if text := fmt.Sprint(why); !strings.Contains(text, "for 4 elements is full") {
				t.Fatalf("the panic does not name the capacity: %s", text)
			}
		}
	}()
	f()
	return false
}

func bytesOf[T any](x *T) string {
	return string(unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)))
}

// TestValues carries out random operations on a sequence, a bag and a set, and on slices that
// mean the same; what holds the same has the same bytes, however it was made.
func TestValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			s       seq
			b       bag
			u       set
			list    []int16 // what s holds, and b
			present []int16 // what u holds
		)
		element := rapid.Int16Range(-2, 3)
		for range rapid.IntRange(0, 30).Draw(t, "operations") {
			x := element.Draw(t, "x")
			if rapid.Bool().Draw(t, "add") {
				if full := overflows(t, func() { s.Push(x) }); full != (len(list) == 4) {
					t.Fatalf("a push to %v is full: %v", list, full)
				} else if !full {
					b.Add(x)
					list = append(list, x)
				} else if !overflows(t, func() { b.Add(x) }) {
					t.Fatalf("an addition to the bag %v is possible", list)
				}
				known := slices.Contains(present, x)
				if full := overflows(t, func() {
					if u.Add(x) == known {
						t.Fatalf("adding %d to %v", x, present)
					}
				}); full != (!known && len(present) == 4) {
					t.Fatalf("adding %d to %v is full: %v", x, present, full)
				} else if !full && !known {
					present = append(present, x)
				}
				continue
			}
			at := s.Index(x)
			if at != slices.Index(list, x) || b.Has(x) != (at >= 0) || b.Remove(x) != (at >= 0) {
				t.Fatalf("%d in %v: %d", x, list, at)
			}
			if at >= 0 {
				if s.Remove(at) != x {
					t.Fatal("another element is removed")
				}
				list = slices.Delete(list, at, at+1)
			}
			if u.Remove(x) != slices.Contains(present, x) {
				t.Fatalf("removing %d from %v", x, present)
			}
			present = slices.DeleteFunc(present, func(y int16) bool { return x == y })
		}
		compareWith(t, &s, &b, &u, list, present)
	})
}

// compareWith compares collections with what they should hold, and with fresh ones that hold it.
func compareWith(t *rapid.T, s *seq, b *bag, u *set, list, present []int16) {
	var fresh seq
	var freshBag bag
	var freshSet set
	for _, x := range list {
		fresh.Push(x)
	}
	for _, x := range rapid.Permutation(list).Draw(t, "order") {
		freshBag.Add(x)
	}
	for _, x := range rapid.Permutation(present).Draw(t, "order of the set") {
		freshSet.Add(x)
	}
	if *s != fresh || bytesOf(s) != bytesOf(&fresh) || !slices.Equal(slices.Collect(s.All()), list) {
		t.Fatalf("the sequence is %v, want %v", s, list)
	}
	if *b != freshBag || bytesOf(b) != bytesOf(&freshBag) {
		t.Fatalf("the bag is %v, want %v", b, freshBag)
	}
	if *u != freshSet || bytesOf(u) != bytesOf(&freshSet) {
		t.Fatalf("the set is %v, want %v", u, freshSet)
	}
	slices.Sort(list)
	slices.Sort(present)
	if got := fmt.Sprint(*b, *u); got != fmt.Sprintf("{%s} {%s}", joined(list), joined(present)) {
		t.Fatalf("written as %s, hold %v and %v", got, list, present)
	}
}

func joined(xs []int16) string { return strings.Trim(fmt.Sprint(xs), "[]") }

// TestOrder: bags and sets of structs are in the order of their fields, whatever lies between these.
func TestOrder(t *testing.T) {
	type message struct {
		Kind string
		Late bool
		At   [2]int32
	}
	ms := []message{{"a", false, [2]int32{1, -1}}, {"a", false, [2]int32{1, 300}}, {"a", true, [2]int32{}},
		{"b", false, [2]int32{-5, 0}}}
	var s values.Set[message, [6]message]
	for _, i := range []int{2, 0, 3, 1, 0} {
		s.Add(ms[i])
	}
	if got := slices.Collect(s.All()); !slices.Equal(got, ms) {
		t.Errorf("%v, want %v", got, ms)
	}
	s.Map(func(m message) message { m.At = [2]int32{}; return m })
	if want := "{{a false [0 0]} {a true [0 0]} {b false [0 0]}}"; s.String() != want {
		t.Errorf("mapped to %v, want %v", s, want)
	}
}

// TestMisuse: what cannot be done says why.
func TestMisuse(t *testing.T) {
	var s seq
	for what, f := range map[string]func(){
		"there is no element 0: 0 are there": func() { s.Pop() },
		"there is no element 1: 0 are there": func() { s.Insert(1, 7) },
		"has no order": func() {
			var b values.Bag[*int, [2]*int]
			b.Add(nil)
		},
	} {
		func() {
			defer func() {
				if why := fmt.Sprint(recover()); !strings.Contains(why, what) {
					t.Errorf("the panic is %q, want %q", why, what)
				}
			}()
			f()
		}()
	}
}
