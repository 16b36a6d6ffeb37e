package page_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/page"
)

// TestLogRowsListWhatChanged: a line that repeats a variable with the value that it has changes nothing.
func TestLogRowsListWhatChanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "some.log")
	text := `{"node":"a","event":"acquire","state":{"x":"1","y":"2"}}
{"node":"b","event":"note","state":{"x":"1"}}
{"node":"a","event":"release","state":{"x":"1","y":"3"}}
{"node":"a","event":"note","state":{"x":"1","y":"3"}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := order.Read([]string{file}, formats.Options{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string][]traces.Var{}
	for _, s := range page.Rows(l.History()) {
		changed[filepath.Base(s.Where)] = s.Changed
	}
	for row, want := range map[string]int{
		"some.log:1": 2, "some.log:2": 1, "some.log:3": 1, "some.log:4": 0,
	} {
		if len(changed[row]) != want {
			t.Errorf("%s changes %v, want %d", row, changed[row], want)
		}
	}
}
