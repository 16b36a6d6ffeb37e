package validate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/logs/formats"
)

// TestProductsAreRecognised judges the logs of each archive without a mapping. The lines "CASE SKEW VERDICT
// [NODE]" after the first blank line of its comment list the cases; skew -: none.
func TestProductsAreRecognised(t *testing.T) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	if len(archives) == 0 {
		t.Fatal("there is no archive")
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, cases, _ := strings.Cut(string(archive.Comment), "\n\n")
		for line := range strings.Lines(cases) {
			words := append(strings.Fields(line), "")
			t.Run(filepath.Base(name)+"/"+words[0]+words[3], func(t *testing.T) {
				var files []string
				dir := t.TempDir()
				for _, f := range archive.Files {
					if of, base, _ := strings.Cut(f.Name, "/"); of == words[0] {
						files = append(files, filepath.Join(dir, base))
						if err := os.WriteFile(filepath.Join(dir, base), f.Data, 0o600); err != nil {
							t.Fatal(err)
						}
					}
				}
				opt := Options{Options: formats.Options{Node: words[3]}}
				if skew, err := time.ParseDuration(words[1]); err == nil {
					opt.Skew = &skew
				}
				if err := logs.Recognise(files, &opt.Options); err != nil || opt.Product == nil {
					t.Fatalf("no product was recognised: %v", err)
				}
				r, err := Run(t.Context(), files, opt)
				if err != nil {
					t.Fatal(err)
				}
				if got := string(r.Verdict()); got != words[2] {
					t.Errorf("%s; want %s", got, words[2])
					for _, f := range r.Findings() {
						t.Log(f.Severity, f.Message.String())
					}
				}
				if notes := r.Caveats(); !strings.Contains(notes[0].String(), "read as "+opt.Product.Name) {
					t.Errorf("the verdict does not say on which reading it rests: %s", notes[0].String())
				}
			})
		}
	}
}
