package traces_test

import (
	"context"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/traces"
)

// keys presses keys on the page and writes down what is shown after each.
const keys = `<script>
const seen = [];
for (const key of ["ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"]) {
  document.dispatchEvent(new KeyboardEvent("keydown", {key: key}));
  seen.push(document.getElementById("title").textContent + ": " + document.getElementById("text").textContent);
}
document.querySelectorAll(".hit")[3].dispatchEvent(new MouseEvent("mouseenter"));
seen.push("hover " + document.getElementById("title").textContent);
document.body.dataset.seen = seen.join(" / ");
</script></body>`

// TestBrowser opens the page in a real browser, if there is one: no errors, no
// requests, and the keys step through the run.
func TestBrowser(t *testing.T) {
	runs := source{spec: "raymond", args: "n=3 k=2 rounds=1,1,0 crashes=1"}.runs(t)
	page := rendered(t, "html", runs[0].run, 0)
	dom, diag := browse(t, strings.Replace(page, "</body>", keys, 1), "--dump-dom")
	if strings.Contains(diag, "CONSOLE") || strings.Contains(diag, "Refused to") {
		t.Errorf("the page complains:\n%s", diag)
	}
	want := []string{"Step 1 of 9: p1 request", "Step 2 of 9", "Step 9 of 9: p3 crash", "Step 8 of 9", "Step 0 of 9: initial state", "hover Step 3 of 9"}
	_, seen, found := strings.Cut(dom, "data-seen=")
	if !found {
		t.Fatalf("the script did not come to its end:\n%s", diag)
	}
	for _, w := range want {
		_, rest, found := strings.Cut(seen, w)
		if !found {
			t.Fatalf("%q is not shown in time: %.600s", w, seen)
		}
		seen = rest
	}
}

// TestPicture takes a screenshot of a run with a crash, messages and too many
// inside. ATMOSTK_PICTURE names the file to keep it in: docs/page.png is made so.
func TestPicture(t *testing.T) {
	keep := os.Getenv("ATMOSTK_PICTURE")
	if keep == "" {
		keep = filepath.Join(t.TempDir(), "page.png")
	}
	page := rendered(t, "html", overlap(t), 0)
	last := `<script>document.dispatchEvent(new KeyboardEvent("keydown", {key: "End"}))</script></body>`
	browse(t, strings.Replace(page, "</body>", last, 1), "--window-size=1150,640", "--screenshot="+keep)
	f, err := os.Open(keep)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[color.Color]bool{}
	for x := range picture.Bounds().Dx() {
		for y := range picture.Bounds().Dy() {
			colours[picture.At(x, y)] = true
		}
	}
	if len(colours) < 50 {
		t.Errorf("the picture has only %d colours", len(colours))
	}
}

// overlap is a run of an algorithm that does not order requests of equal time: p3
// crashes, p1 and p2 are in the critical section together.
func overlap(t *testing.T) *traces.Run {
	t.Helper()
	s := source{spec: "timerfree", args: "n=3 k=1 f=1 rounds=1,1,0 order=footnote crashable=3", property: "at-most-k"}
	in, h := s.instance(t)
	h.Property = s.property
	property := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool { return p.Name == s.property })
	type node struct {
		state model.State
		path  []model.Transition
	}
	initial := in.Plain.Init()[0].Next
	seen := map[string]bool{}
	for todo := []node{{state: initial}}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if in.Plain.Judge(at.state, property) && slices.ContainsFunc(at.path, func(tr model.Transition) bool { return tr.Crashed }) {
			r, err := traces.FromRun(in, h, initial, at.path)
			if err != nil {
				t.Fatal(err)
			}
			return traces.Tidy(r)
		}
		for _, tr := range in.Plain.Steps(at.state) {
			if key := tr.Next.Key(); !tr.Pruned && !seen[key] {
				seen[key] = true
				todo = append(todo, node{tr.Next, append(slices.Clip(at.path), tr)})
			}
		}
	}
	t.Fatal("there is no such run")
	return nil
}

// browse opens a page in a browser; it returns what the browser wrote.
func browse(t *testing.T, page string, args ...string) (out, diag string) {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium")
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var stderr strings.Builder
	c := exec.CommandContext(ctx, browser, append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--v=0",
	}, append(args, "file://"+file)...)...)
	c.Stderr = &stderr
	stdout, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return string(stdout), stderr.String()
}
