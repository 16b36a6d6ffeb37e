package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/order"
	"github.com/atmostk/atmostk/traces/page"
)

// logged returns the page of a log with so many lines.
func logged(t *testing.T, lines int) *page.Data {
	t.Helper()
	var b strings.Builder
	for i := range lines {
		name := []string{"acquire", "release"}[i%2]
		fmt.Fprintf(&b, `{"node":"w%d","event":%q,"seq":%d}`+"\n", i/2%8, name, i/16*2+i%2+1)
	}
	return ofLog(t, b.String())
}

// ofLog returns the page of a log.
func ofLog(t *testing.T, text string) *page.Data {
	t.Helper()
	file := filepath.Join(t.TempDir(), "some.log")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := order.Read([]string{file}, formats.Options{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	return &page.Data{
		Schema: 1, Kind: "log", Verdict: "accepted", Sentence: "accepted", Shown: -1, Start: -1,
		Culprits: []string{}, Lanes: l.Nodes,
		Properties: []page.Property{}, Actions: []page.Action{}, Uses: true, Capacity: 1,
		Steps: page.Rows(l.History()),
		About: page.About{Set: []string{}, Default: []string{}},
	}
}

// draggingFrames measures the frames while the diagram is dragged: their number, how many of them came later
// than the next refresh of the screen, and how many there were a second.
const draggingFrames = `new Promise(done => {
  const box = document.querySelector(".scroll"), r = box.getBoundingClientRect();
  const at = (type, y) => box.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: "mouse", button: 0, buttons: 1, clientX: r.left + 300, clientY: y }));
  let n = 0, slow = 0, last = 0, first = 0;
  box.scrollTop = 0;
  at("pointerdown", r.bottom - 20);
  const frame = now => {
    if (last && now - last > 25) slow++;
    first ||= now;
    last = now;
    at("pointermove", r.bottom - 20 - 37 * n);
    if (++n < 90) requestAnimationFrame(frame);
    else { at("pointerup", 0); done([n, slow, Math.round(box.scrollTop), document.querySelectorAll(".row").length, Math.round(1000 * (n - 1) / (now - first))]); }
  };
  requestAnimationFrame(frame);
})`

// TestLargeLog drags over a log of 10,000 lines. What is drawn does not grow with the log; how many frames
// were late is told, for a machine that has something else to do.
func TestLargeLog(t *testing.T) {
	address := file(t, logged(t, 10_000))
	b := open(t, browser(t), address, desk, false)
	var got []int
	b.run(chromedp.Evaluate(draggingFrames, &got, awaited))
	t.Logf("%d frames a second; of %d frames %d were late", got[4], got[0], got[1])
	if got[2] < 3000 || got[3] > 120 {
		t.Errorf("dragged to %d, with %d rows drawn", got[2], got[3])
	}
	b.press("End", "Home")
	b.quiet(address)
}

// TestHostile shows a log whose names and values are markup, as text.
func TestHostile(t *testing.T) {
	evil := `<img src=x onerror=\"document.title='owned'\"></script><script>alert(1)</script>`
	long := strings.Repeat(`<b>`, 10_000_000/3)
	d := ofLog(t,
		fmt.Sprintf(
			`{"node":"%s","event":"acquire","state":{"%[1]s":"%[1]s","long":"%s"}}`+"\n"+`{"node":"\u202eb\u001b[31m","event":"%[1]s"}`+"\n", evil, long))
	d.Sentence, d.Model, d.Title, d.Points = evil, evil, evil,
		[]page.Point{{Level: evil, Text: evil, Details: []string{evil}, Row: 1}}
	address := file(t, d)
	b := open(t, browser(t), address, desk, false)
	b.press("Home", "ArrowDown")
	if n := value[int](b, `document.querySelectorAll("img, #app script, td b").length`); n > 0 ||
		value[string](b, `document.title`) == "owned" {
		t.Error("markup of others is markup")
	}
	if text := value[string](b, `document.body.innerText`); !strings.Contains(text, "<img src=x") ||
		strings.ContainsAny(text, "\u202e\x1b") {
		t.Error("it is not shown as text")
	}
	b.quiet(address)
}
