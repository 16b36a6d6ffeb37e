package traces_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/atmostk/atmostk/traces"
)

// TestHostileTextIsText renders a run whose names and values are a million characters, in the sweep ten, of
// markup, quotes, escapes and ends of lines: in every form they are text, whatever its language is.
func TestHostileTextIsText(t *testing.T) {
	const evil = "</text><script>alert(1)</script>\"'`;#%%\\--> end\n  activate L9\n\x1b[31m\u202e&amp;"
	r := *naive.runs(t)[0].run
	tr := *r.Trace
	r.Trace, tr.Steps = &tr, append([]traces.Step{}, tr.Steps...)
	size := 1_000_000
	if sweep {
		size = 10_000_000
	}
	huge := strings.Repeat(evil, size/len(evil))
	step := &tr.Steps[1]
	step.Text, step.Event = huge, evil
	step.Changed = []traces.Var{{Owner: "p1", Name: evil, Value: huge}}
	step.Sent = append([]traces.Msg{}, step.Sent...)
	step.Sent[0].Text = huge
	shown := 0
	for _, f := range traces.Forms {
		if f.Name == "json" || f.Name == "shiviz" { // JSON, which TestJSONIsTheTrace reads
			continue
		}
		got := rendered(t, f.Name, &r, 80)
		if strings.ContainsAny(got, "\x1b\u202e") || !utf8.ValidString(got) {
			t.Errorf("%s: what cannot be seen is written as it is", f.Name)
		}
		if f.Name == "svg" {
			if err := wellFormed(got); err != nil || strings.Contains(got, "<script") {
				t.Errorf("svg: markup of others is markup, %v", err)
			}
		}
		shown++
	}
	if shown < 3 {
		t.Errorf("%d forms", shown)
	}
	tr.Steps[1].Text = strings.Repeat(huge, 10_000_000/size)
	var b bytes.Buffer
	if err := traces.Write(&b, &tr); err != nil {
		t.Fatal(err)
	}
	if _, err := traces.Read(strings.NewReader(b.String())); err == nil || !strings.Contains(err.Error(),
		"longer than 12582912 bytes") {
		t.Errorf("a step of %d million bytes: %v", b.Len()>>20, err)
	}
}
