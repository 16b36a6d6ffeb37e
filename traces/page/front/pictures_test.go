package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// picture takes a picture of the window, for somebody to look at, if ATMOSTK_PICTURES names a folder for it.
func (b *tab) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("ATMOSTK_PICTURES")
	if dir == "" {
		return
	}
	var png []byte
	b.run(chromedp.Sleep(300*time.Millisecond), chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// sevenPages are the pages that docs/seeing.md tells of, with the arguments by which the program writes
// each.
var sevenPages = []struct{ name, args string }{
	{"raymond", "replay raymond.ndjson --as html"},
	{"vcube", "replay " + vcubeRun + " --as html"},
	{"ring", "replay " + coldRing + " --as html"},
	{"lasso", "replay " + lassoRun + " --as html"},
	{"jugs", "replay jugs.ndjson --as html"},
	{"missing", "validate raymond n=3 k=1 rounds=1 testdata/missing/p1.ndjson testdata/missing/p2.ndjson " +
		"testdata/missing/p3.ndjson --format html"},
	{"long", "validate long.log --k 1 --order lines --format html"},
}

// longLog is a log of 10,000 lines in which one worker acquires while another is inside.
func longLog() string {
	var b strings.Builder
	line := func(worker int, event string) {
		fmt.Fprintf(&b, `{"node":"w%d","event":%q}`+"\n", worker,
			event)
	}
	for i := range 5000 {
		if i != 3501 {
			line(i%8, "acquire")
		}
		if i == 3500 {
			line(3501%8, "acquire") // too early
		}
		line(i%8, "release")
	}
	return b.String()
}

// writePages writes the seven pages into a folder.
func writePages(t *testing.T, dir string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "atmostk")
	build := exec.Command("go", "build", "-o", program, "./cmd/atmostk")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// run returns the output of the program, which ends with exit code 1 where something is violated.
	run := func(args ...string) []byte {
		var out, diag bytes.Buffer
		c := exec.Command(program, args...)
		c.Stdout, c.Stderr = &out, &diag
		c.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
		var ended *exec.ExitError
		if err := c.Run(); err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
			t.Fatalf("%s: %v\n%s", args, err, diag.String())
		}
		return out.Bytes()
	}
	made := t.TempDir()
	if err := os.WriteFile(filepath.Join(made, "long.log"), []byte(longLog()), 0o600); err != nil {
		t.Fatal(err)
	}
	run("check", "die-hard", "--trace", filepath.Join(made, "jugs.ndjson"))
	run("check", "raymond", "n=3", "k=2", "rounds=2,1,0", "crashes=1", "--property", "capacity-naive",
		"--trace", filepath.Join(made, "raymond.ndjson"))
	for _, p := range sevenPages {
		args := strings.Fields(p.args)
		for i, a := range args {
			if _, err := os.Stat(filepath.Join(made, a)); err == nil {
				args[i] = filepath.Join(made, a)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, p.name+".html"), run(args...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPictures writes the seven pages into the folder that ATMOSTK_PICTURES names, and takes pictures of them
// in both sizes, by day and night; of the run of VCube also of the causes, and of the history of perm_count.
func TestPictures(t *testing.T) {
	dir := os.Getenv("ATMOSTK_PICTURES")
	if dir == "" {
		t.Skip("ATMOSTK_PICTURES names no folder for pictures")
	}
	writePages(t, dir)
	ctx := browser(t)
	for _, p := range sevenPages {
		for i, s := range []size{desk, phone, desk, phone} {
			b := open(t, ctx, "file://"+filepath.Join(dir, p.name+".html"), s, i > 1)
			name := fmt.Sprintf("%s-%d-%s", p.name, s.width, map[bool]string{false: "light",
				true: "dark"}[i > 1])
			b.picture(name)
			if p.name == "vcube" {
				b.press("c", "h")
				b.run(chromedp.Evaluate(
					`(() => { const s = document.querySelector("#lower select"); s.value = "p0\nperm_count"; s.dispatchEvent(new Event("change")); })()`, nil))
				b.press(kb.Home)
				for range 16 {
					b.run(chromedp.KeyEvent(kb.ArrowDown))
				}
				b.picture(name + "-causes")
			}
			b.run(chromedp.ActionFunc(chromedp.Cancel))
		}
	}
}
