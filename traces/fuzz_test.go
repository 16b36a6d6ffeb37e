package traces_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces"
)

// FuzzRead reads anything. What can be read, written and read again is the same.
func FuzzRead(f *testing.F) {
	for _, s := range small {
		for _, n := range s.few(f) {
			f.Add([]byte(written(f, n.run.Trace)))
		}
	}
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		tr, err := traces.Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		once := written(t, tr)
		again, err := traces.Read(bytes.NewReader([]byte(once)))
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, once)
		}
		if twice := written(t, again); twice != once {
			t.Fatalf("written again it differs:\n%s\n%s", once, twice)
		}
	})
}

// FuzzReplay replays edited traces: of four bytes of a program the first says
// what is done, the others where. The numbers of the steps are put right
// afterwards, so that it gets to replay and does not end in the reader. What
// replays is a run of the model that shows what it says.
func FuzzReplay(f *testing.F) {
	var runs []named
	for _, s := range small {
		runs = append(runs, s.few(f)...)
	}
	for i := range runs {
		if sweep || i%4 == 0 { // TestWrittenRunReplays replays all as they are
			f.Add(byte(i), []byte{})
		}
		f.Add(byte(i), []byte{0, 3, 0, 0, 1, 2, 3, 0, 2, 1, 4, 0, 3, 5, 2, 4})
	}
	f.Fuzz(func(t *testing.T, which byte, program []byte) {
		n := runs[int(which)%len(runs)]
		list := noDigest(lines(t, n.run))
		for ; len(program) >= 4; program = program[4:] {
			list = edited(list, program[0], int(program[1]), int(program[2]), int(program[3]))
		}
		tr, err := traces.Read(strings.NewReader(strings.Join(renumbered(list), "\n")))
		if err != nil {
			return
		}
		r, err := traces.Replay(n.in, tr)
		if err != nil {
			return
		}
		if err := genuine(n.in, r); err != nil {
			t.Fatalf("%v:\n%s", err, strings.Join(list, "\n"))
		}
		for _, form := range traces.Forms {
			rendered(t, form.Name, r, 80)
		}
	})
}

// word is a string in a line of a trace.
var word = regexp.MustCompile(`"[^"]*"`)

// edited does one thing to a trace, whose first lines are its header and its
// initial state.
func edited(list []string, op byte, a, b, c int) []string {
	n := len(list)
	if n < 3 {
		return list
	}
	i, j := 2+a%(n-2), 2+b%(n-2)
	switch op % 4 {
	case 0:
		return slices.Delete(list, i, i+1)
	case 1:
		list[i], list[j] = list[j], list[i]
	case 2:
		return slices.Insert(list, i, list[j])
	case 3: // a word of a line takes the place of one of another line
		i, j = a%n, b%n
		old, other := word.FindAllStringIndex(list[i], -1), word.FindAllString(list[j], -1)
		at := old[c%len(old)]
		list[i] = list[i][:at[0]] + other[c%len(other)] + list[i][at[1]:]
	}
	return list
}
