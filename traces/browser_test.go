package traces_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium")
	}
	runs := source{spec: "raymond", args: "n=3 k=2 rounds=1,1,0 crashes=1"}.runs(t)
	page := rendered(t, "html", runs[0].run, 0)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(strings.Replace(page, "</body>", keys, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var diag strings.Builder
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		"--enable-logging=stderr", "--v=0", "--dump-dom", "file://"+file)
	c.Stderr = &diag
	dom, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, diag.String())
	}
	if strings.Contains(diag.String(), "CONSOLE") || strings.Contains(diag.String(), "Refused to") {
		t.Errorf("the page complains:\n%s", diag.String())
	}
	want := []string{"Step 1 of 9: p1 request", "Step 2 of 9", "Step 9 of 9: p3 crash", "Step 8 of 9", "Step 0 of 9: initial state", "hover Step 3 of 9"}
	at := strings.Index(string(dom), "data-seen=")
	if at < 0 {
		t.Fatalf("the script did not come to its end:\n%s", diag.String())
	}
	seen := string(dom)[at:]
	for _, w := range want {
		_, rest, found := strings.Cut(seen, w)
		if !found {
			t.Fatalf("%q is not shown in time: %.600s", w, seen)
		}
		seen = rest
	}
}
