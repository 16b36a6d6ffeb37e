package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// The heap of these tests may grow as the command lets it: many small things would pay more for its
// collection than for themselves.
var _ = debug.SetGCPercent(1000)

const claims = "../../docs/claims/"

// vcubeRun is a counterexample of 30 steps in which a stale reply counts.
const vcubeRun = claims + "vcube/vcube-stack-n4-k2-rounds2110-channelfifo-at-most-k.ndjson"

// keeps returns the counterexamples that are kept: some of them, or with ATMOSTK_SWEEP=1 all.
func keeps(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(claims + "*/*.ndjson")
	if err != nil || len(files) < 200 {
		t.Fatalf("%d counterexamples are kept: %v", len(files), err)
	}
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		return files
	}
	some := []string{vcubeRun}
	for i := 0; i < len(files); i += 18 {
		some = append(some, files[i])
	}
	return some
}

// replayed reads a trace and executes it.
func replayed(t testing.TB, file string) *traces.Run {
	t.Helper()
	tr, err := traces.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := traces.Replay(instance(t, tr), tr)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// instance returns the model that a trace is a run of.
func instance(t testing.TB, tr *traces.Trace) model.Instance {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == tr.Spec })
	var args []string
	for _, key := range slices.Sorted(maps.Keys(tr.Parameters)) {
		if v := tr.Parameters[key]; v != "" {
			args = append(args, key+"="+v)
		}
	}
	in, _, err := specs.All[i].Instantiate(args)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// schemaOf compiles the schema of the data.
func schemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(page.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("page.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("page.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestChoicesAreTheEnabledSteps walks every step of kept counterexamples: the choices are those of the plain
// semantics, none is missing, the one that the run takes is among them, and what each does is what
// comes of taking it.
func TestChoicesAreTheEnabledSteps(t *testing.T) {
	schema := schemaOf(t)
	for _, file := range keeps(t) {
		r := replayed(t, file)
		d := page.Of(r, page.About{})
		if len(d.Steps) != len(r.States) {
			t.Fatalf("%s: %d rows for %d states", file, len(d.Steps), len(r.States))
		}
		valid(t, schema, d)
		for i := range d.Steps {
			follows(t, fmt.Sprintf("%s, step %d", file, i), r, d, i)
		}
	}
}

// follows checks the choices after step i of a run against the plain semantics.
func follows(t *testing.T, where string, r *traces.Run, d *page.Data, i int) {
	t.Helper()
	steps := plain(r.Instance(), r.States[i])
	if i > 0 && r.Taken[i-1].Outside {
		steps = nil
	}
	choices := d.Steps[i].Choices
	if len(choices) != len(steps) {
		t.Fatalf("%s: %d choices, the model has %d", where, len(choices), len(steps))
	}
	for k := range steps {
		if c := &choices[k]; c.Text != steps[k].Text() || c.Node != steps[k].Owner {
			t.Errorf("%s: choice %d is %q, the model's %q", where, k, c.Text, steps[k].Text())
		} else if got, want := leadsTo(values(r.States[i].Vars()), c.Changed, c.Gone),
			values(steps[k].Next.Vars()); !maps.Equal(got, want) {
			t.Errorf("%s: choice %d leads to %v, not %v", where, k, got, want)
		}
		for p, info := range r.Instance().Space.Properties() {
			broken := info.Kind == model.Invariant && r.Instance().Plain.Judge(steps[k].Next, p)
			before := info.Kind == model.Invariant && r.Instance().Plain.Judge(r.States[i], p)
			if info.Kind == model.Invariant && (broken && !before) != slices.Contains(choices[k].Breaks, p) {
				t.Errorf("%s: choice %d breaks %v, and %s is broken: %t", where, k, choices[k].Breaks,
					info.Name, broken)
			}
		}
	}
	if last := i == len(r.Taken); last != (d.Steps[i].Taken < 0) {
		t.Errorf("%s: the run takes choice %d", where, d.Steps[i].Taken)
	} else if !last && steps[d.Steps[i].Taken].Next.Key() != r.States[i+1].Key() {
		t.Errorf("%s: choice %d is not what the run takes", where, d.Steps[i].Taken)
	}
}

func values(vars []lts.Var) map[string]string {
	m := map[string]string{}
	for _, v := range vars {
		m[v.Owner+"\n"+v.Name] = v.Value
	}
	return m
}

// leadsTo applies changes to the values of a state.
func leadsTo(now map[string]string, changed, gone []traces.Var) map[string]string {
	m := maps.Clone(now)
	for _, v := range changed {
		m[v.Owner+"\n"+v.Name] = v.Value
	}
	for _, v := range gone {
		delete(m, v.Owner+"\n"+v.Name)
	}
	return m
}

func valid(t *testing.T, schema *jsonschema.Schema, d *page.Data) {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s: %v", d.Sentence, err)
	}
}

// TestStaleReplyIsACause finds the stale reply of a run: sent at step 6, counted at step 16.
func TestStaleReplyIsACause(t *testing.T) {
	d := page.Of(replayed(t, vcubeRun), page.About{})
	if want := "at-most-k is violated by p0, p1 and p2: 3 inside after step 30; " +
		"at most 2 are allowed"; d.Sentence != want {
		t.Errorf("%q, want %q", d.Sentence, want)
	}
	past, todo := map[int]bool{}, slices.Clone(d.Roots)
	for len(todo) > 0 {
		i := todo[0]
		if todo = todo[1:]; !past[i] {
			past[i] = true
			todo = append(todo, d.Steps[i].Causes...)
		}
	}
	if !slices.Equal(d.Roots, []int{24, 27, 30}) || !past[6] || !past[16] || past[28] && !past[29] {
		t.Errorf("roots %v, past %v", d.Roots, past)
	}
	if !slices.Contains(d.Steps[16].Causes, 6) {
		t.Errorf("step 16 follows from %v", d.Steps[16].Causes)
	}
}

// TestCycleSatisfiesItsFairness wants of a run without end who waits, and for each fairness condition what
// keeps it.
func TestCycleSatisfiesItsFairness(t *testing.T) {
	r := replayed(t, claims+"ring/ring-recovery-n2-breaks2-election-stable.ndjson")
	d := page.Of(r, page.About{})
	if d.Cycle == nil || d.Cycle.At != *r.Trace.CycleAt ||
		len(d.Cycle.Fairness) != len(r.Instance().Space.Fairness()) {
		t.Fatalf("%+v", d.Cycle)
	}
	for _, f := range d.Cycle.Fairness {
		if f.Step < d.Cycle.At || f.Step >= len(d.Steps) || f.How == "" {
			t.Errorf("%+v is outside of the cycle", f)
		}
	}
}

// TestPageIsCompleteAndSafe wants a page that needs nothing from elsewhere and is small besides its data, and
// in which nothing that others wrote ends an element.
func TestPageIsCompleteAndSafe(t *testing.T) {
	r := replayed(t, vcubeRun)
	hostile := `</script><script>alert(1)</script>"'&<img src=x onerror=alert(1)>` + "\x1b[31m\u202e"
	r.Trace.Steps[3].Text, r.Trace.Tool = hostile, hostile
	d := page.Of(r, page.About{Title: hostile, Set: []string{hostile}})
	d.Sentence, d.Model = hostile, hostile
	var b bytes.Buffer
	if err := page.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "</script>"); n != 2 || strings.Contains(text, "<img") ||
		strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("a text gets out of its place: %d ends of scripts", n)
	}
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if size := len(text) - len(data); size > 150<<10 {
		t.Errorf("%d bytes besides the data", size)
	}
	own := strings.NewReplacer("http://www.w3.org/", "").Replace(text)
	if at := regexp.MustCompile(`(?i)(src|href)="(http|//|/)|@import|https?:|WebSocket|sendBeacon`).
		FindString(own); at != "" {
		t.Errorf("the page refers to %s", at)
	}
	if !strings.Contains(text, "default-src 'none'; script-src 'sha256-") ||
		strings.Contains(text, "connect-src") {
		t.Error("the page may ask for something")
	}
}
