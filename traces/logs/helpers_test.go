package logs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// write writes the contents of files a, b, c and so on, and returns their names.
func write(t testing.TB, contents ...string) (names []string) {
	t.Helper()
	dir := t.TempDir()
	for i, content := range contents {
		name := filepath.Join(dir, string(rune('a'+i)))
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// used judges how much of the only resource was in use, of which there is one unit.
func used(l *order.Log) *occupancy.Occupancy {
	return occupancy.OccupanciesOf(l, func(string) int { return 1 }, occupancy.Reading{})[0]
}

// read reads contents as the files of a run.
func read(t testing.TB, opt formats.Options, contents ...string) *order.Log {
	t.Helper()
	l, err := order.Read(write(t, contents...), opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
