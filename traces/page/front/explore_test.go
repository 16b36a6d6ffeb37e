package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// sizes are the windows of the explorer's tests: a desk, a tablet, a phone.
var sizes = []size{desk, {768, 1024}, phone}

// TestExplorerByKeyboardAlone takes steps by their numbers, undoes one by u and one by Back, and follows a
// link to a run with a step that the model lacks.
func TestExplorerByKeyboardAlone(t *testing.T) {
	address := served(t, begun(t, "raymond", "n=3", "k=2", "crashes=1"))
	in := browser(t)
	for _, s := range sizes {
		b := open(t, in, address, s, false)
		wants := func(after string, steps int) {
			t.Helper()
			want := fmt.Sprintf("Step %d of %[1]d", steps)
			for range 40 {
				if value[string](b, `document.querySelector(".state h2").textContent.trim()`) == want {
					return
				}
				b.run(chromedp.Sleep(50 * time.Millisecond))
			}
			t.Fatalf("at %d, after %s: %q, want %q", s.width, after,
				value[string](b, `document.querySelector(".state h2").textContent.trim()`), want)
		}
		for i, key := range []string{"1", "1", "2"} {
			b.run(chromedp.KeyEvent(key))
			wants("key "+key, i+1)
		}
		link := value[string](b, `decodeURIComponent(location.hash)`)
		if !strings.HasPrefix(link, "#0:p1 request;") || strings.Contains(link, "sends") {
			t.Errorf("at %d: the link is %q", s.width, link)
		}
		b.run(chromedp.KeyEvent("u"))
		wants("u", 2)
		b.run(chromedp.Evaluate(`history.back()`, nil))
		wants("Back", 3)
		b.run(chromedp.Evaluate(`history.back()`, nil))
		wants("Back", 2)
		b.picture(fmt.Sprintf("explore-%d", s.width))
		b.run(chromedp.KeyEvent("?"))
		if !value[bool](b, `document.querySelector("details.more").open`) {
			t.Errorf("at %d: ? shows no keys", s.width)
		}
		if wide := value[int](b, `document.documentElement.scrollWidth`); wide > int(s.width) {
			t.Errorf("the page is %d wide in a window of %d", wide, s.width)
		}
		b.run(chromedp.Evaluate(`location.hash = "#0:p1%20request;p9%20enter"`, nil))
		wants("a link", 1)
		const notice = `document.querySelector(".notice")?.textContent || ""`
		if text := value[string](b, notice); !strings.Contains(text, "fits the model up to step 1 of 2") {
			t.Errorf("at %d: of a link that does not fit: %q", s.width, text)
		}
		b.run(chromedp.Evaluate(axe, nil))
		b.audit(fmt.Sprintf("explorer at %d", s.width))
		b.quiet(address)
	}
}

// TestSearchGivesWay: a step, and the page loaded again, do not wait for a search under way.
func TestSearchGivesWay(t *testing.T) {
	b := open(t, browser(t), served(t, begun(t, "raymond", "n=5", "k=2", "rounds=3")), desk, false)
	search := chromedp.SendKeys(`input[name="where"]`, "p5.H=77"+kb.Enter, chromedp.ByQuery)
	begun := time.Now()
	for _, act := range []chromedp.Action{
		chromedp.Tasks{chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("1")},
		chromedp.Reload(),
	} {
		b.run(search, chromedp.Sleep(300*time.Millisecond), act,
			chromedp.WaitVisible(`//h2[contains(., "Step 1 of 1")]`, chromedp.BySearch))
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("the steps came after %s", took)
	}
}

// TestAddressNamesTheOpenRun: also where the question for the run of another address gets no answer.
func TestAddressNamesTheOpenRun(t *testing.T) {
	b := open(t, browser(t), served(t, begun(t, "die-hard")), desk, false)
	b.run(chromedp.KeyEvent("1"), chromedp.WaitVisible(`//h2[contains(., "Step 1 of 1")]`, chromedp.BySearch),
		chromedp.Evaluate(`window.fetch = () => Promise.reject(new Error("gone")); history.back()`, nil),
		chromedp.WaitVisible(".notice", chromedp.ByQuery))
	if hash := value[string](b, "location.hash"); hash == "#0:" {
		t.Errorf("the address of a run of one step is %q", hash)
	}
}

// TestLivenessLeadsToItsCheck names the command that answers, where a search from here cannot.
func TestLivenessLeadsToItsCheck(t *testing.T) {
	address := served(t, begun(t, "raymond", "n=3", "k=2"))
	b := open(t, browser(t), address, desk, false)
	b.run(chromedp.Evaluate(`(() => {
		const s = document.querySelector(".live select");
		s.value = [...s.options].find(o => o.textContent.startsWith("requests-served")).value;
		s.dispatchEvent(new Event("change"));
	})()`, nil), chromedp.Sleep(100*time.Millisecond),
		chromedp.Click(`//div[contains(@class,"live")]//button[text()="find"]`, chromedp.BySearch),
		chromedp.Sleep(100*time.Millisecond))
	if text := value[string](b, `document.querySelector(".notice").textContent`); !strings.Contains(text,
		"atmostk check raymond --property requests-served") {
		t.Errorf("of a liveness property: %q", text)
	}
	if n := value[int](b, `document.querySelectorAll("#conditions option").length`); n == 0 {
		t.Error("no condition is offered")
	}
	b.quiet(address)
}
