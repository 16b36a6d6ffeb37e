package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/atmostk/atmostk/traces/page"
)

// serious are the findings of axe-core that keep somebody from using the page.
const serious = `axe.run().then(r => r.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.length + " " + v.nodes[0].html.slice(0, 160)))`

// audit wants nothing that is hard to read or to use in what is in sight.
func (b *tab) audit(where string) {
	b.t.Helper()
	var found []string
	b.run(chromedp.Evaluate(serious, &found, awaited))
	if len(found) > 0 {
		b.t.Errorf("%s: axe-core finds %s", where, strings.Join(found, "\n"))
	}
	if bad := value[[]string](b, contrasts); len(bad) > 0 {
		b.t.Errorf("%s: too little contrast: %q", where, bad)
	}
	if bad := value[[]string](b, overlaps); len(bad) > 0 {
		b.t.Errorf("%s: on each other: %q", where, bad)
	}
}

// unfold opens everything that is folded.
const unfold = `document.querySelectorAll("details").forEach(d => { d.open = true; })`

// panels opens every panel by the keyboard, and audits it.
func (b *tab) panels(where string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(axe, nil))
	tabs := value[[]string](b, `[...document.querySelectorAll("[role=tab]")].map(t => t.id)`)
	for _, name := range tabs {
		b.run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById(%q).focus()`, name), nil),
			chromedp.KeyEvent(kb.Enter),
			chromedp.Sleep(100*time.Millisecond), chromedp.Evaluate(unfold, nil),
			chromedp.Sleep(100*time.Millisecond))
		if now := value[string](b, `document.querySelector("[role=tab][aria-selected=true]").id`); now !=
			name {
			b.t.Errorf("%s: %s is open, not %s", where, now, name)
		}
		if value[string](b, `document.getElementById("lower").textContent`) == "" {
			b.t.Errorf("%s: %s is empty", where, name)
		}
		b.audit(where + ", " + name)
	}
}

// parts goes through the parts of the page of a phone.
func (b *tab) parts(where string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(axe, nil))
	for _, part := range value[[]string](b,
		`[...document.querySelectorAll("nav.phone button")].map(x => x.textContent)`) {
		b.run(chromedp.Click(fmt.Sprintf(`//nav[@class="phone"]/button[text()=%q]`, part), chromedp.BySearch),
			chromedp.Sleep(100*time.Millisecond))
		b.audit(where + ", " + part)
	}
}

// TestAccessible opens every panel of a run, of a log, and of the live page with what was tried, by day in a
// large window and by night in a small one.
func TestAccessible(t *testing.T) {
	ctx := browser(t)
	missing := ofLog(t,
		`{"node":"a","event":"acquire","state":{"x":"1"}}`+"\n"+`{"node":"b","event":"acquire"}`+"\n")
	missing.Points = []page.Point{{Level: "error", Text: "2 inside", Details: []string{"a", "b"}, Row: 2}}
	missing.Steps[1].Mark, missing.Steps[2].Mark = "missing", "departs"
	addresses := map[string]string{
		"a run": file(t, page.Of(replayed(t, vcubeRun), page.About{Title: "a model",
			Default: []string{"a=b"}, Command: "atmostk check"})),
		"a lasso": file(t, page.Of(replayed(t, lassoRun), page.About{})),
		"a log":   file(t, missing),
		"live":    served(t, replayed(t, coldRing)),
		"jugs":    served(t, puzzle(t)),
	}
	for name, address := range addresses {
		for i, s := range []size{desk, phone} {
			b := open(t, ctx, address, s, i == 1)
			where := fmt.Sprintf("%s at %d", name, s.width)
			if s == desk {
				b.panels(where)
			} else {
				b.parts(where)
			}
			if name == "jugs" {
				b.branch(where)
			}
			b.quiet(address)
			b.run(chromedp.ActionFunc(chromedp.Cancel))
		}
	}
}

// branch takes another way in the puzzle of the jugs, compares both, and audits them.
func (b *tab) branch(where string) {
	b.t.Helper()
	settled := chromedp.Sleep(400 * time.Millisecond)
	b.run(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent(kb.Home),
		chromedp.KeyEvent("n"), settled,
		chromedp.Click(`//ul[@class="choices"]//button[text()="FillSmall"]`, chromedp.BySearch), settled,
		chromedp.Click(`.tried summary`, chromedp.ByQuery), settled,
		chromedp.Click(`//details[@class="tried"]//button[text()="compare"]`, chromedp.BySearch), settled)
	b.audit(where + ", branches")
}

// reachable are the controls in sight, each with a number.
const reachable = `(() => {
  const all = [...document.querySelectorAll("button, input, select, summary, [tabindex='0']")].filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true }));
  all.forEach((e, i) => { e.dataset.control = i; });
  return all.map(e => (e.id || e.textContent || e.getAttribute("aria-label") || e.name || e.tagName).trim().slice(0, 30));
})()`

// TestTabKey reaches every control of a live page with the tab key alone, and takes a step with it.
func TestTabKey(t *testing.T) {
	address := served(t, puzzle(t))
	b := open(t, browser(t), address, desk, false)
	b.run(chromedp.Sleep(500*time.Millisecond), chromedp.Evaluate(unfold, nil),
		chromedp.Sleep(100*time.Millisecond))
	names := value[[]string](b, reachable)
	reached := map[int]bool{}
	for range len(names) + 5 {
		b.run(chromedp.KeyEvent(kb.Tab))
		reached[value[int](b, `Number(document.activeElement.dataset.control ?? -1)`)] = true
	}
	for i, name := range names {
		if !reached[i] {
			t.Errorf("the tab key does not reach %q", name)
		}
	}
	b.run(chromedp.Evaluate(`document.querySelector(".choices button").focus()`, nil),
		chromedp.KeyEvent(kb.Enter), chromedp.Sleep(400*time.Millisecond))
	if h := value[string](b, `document.querySelector(".state h2").textContent.trim()`); h != "Step 7 of 7" {
		t.Errorf("the enter key leads to %q", h)
	}
	for key, want := range map[string]string{"n": "tab-next", "a": "tab-ahead", "h": "tab-history",
		"l": "tab-lines", "p": "tab-props"} {
		b.run(chromedp.Evaluate(`document.activeElement.blur()`, nil))
		b.press(key)
		if now := value[string](b, `document.querySelector("[role=tab][aria-selected=true]").id`); now !=
			want {
			t.Errorf("%s opens %s, not %s", key, now, want)
		}
	}
	for key, want := range map[string]string{"/": "search", "f": "filter"} {
		b.run(chromedp.Evaluate(`document.activeElement.blur()`, nil))
		b.press(key)
		if now := value[string](b, `document.activeElement.id`); now != want {
			t.Errorf("%s goes to %q, not %s", key, now, want)
		}
	}
	b.quiet(address)
}

// screens looks at what is in sight of a diagram from its beginning to its end.
func (b *tab) screens() (bad []string) {
	b.t.Helper()
	b.run(chromedp.Evaluate(`document.querySelector(".scroll").scrollTop = 0`, nil))
	for range 100 {
		b.run(chromedp.Sleep(40 * time.Millisecond))
		bad = append(bad, value[[]string](b, overlaps)...)
		if value[bool](b,
			`(() => { const s = document.querySelector(".scroll"); const before = s.scrollTop; s.scrollTop += s.clientHeight - 60; return s.scrollTop === before; })()`) {
			break
		}
	}
	return slices.Compact(bad)
}

// TestLegible wants labels that do not lie on each other, from the first row to the last, and contrast, in
// windows of both sizes, by day and night. All kept counterexamples are looked at with ATMOSTK_SWEEP=1, those
// of a folder with -run TestLegible/FOLDER.
func TestLegible(t *testing.T) {
	files := []string{vcubeRun, coldRing, lassoRun}
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		files, _ = filepath.Glob(claims + "*/*.ndjson")
	}
	ctx := browser(t)
	for _, name := range files {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+strings.TrimSuffix(filepath.Base(name), ".ndjson"),
			func(t *testing.T) {
				address := file(t, page.Of(replayed(t, name), page.About{Title: "a model",
					Source: "a paper"}))
				for i, s := range []size{desk, phone} {
					b := open(t, ctx, address, s, i == 0)
					if bad := b.screens(); len(bad) > 0 {
						t.Errorf("at %d: on each other: %q", s.width, bad)
					}
					if bad := value[[]string](b, contrasts); len(bad) > 0 {
						t.Errorf("at %d: too little contrast: %q", s.width, bad)
					}
					if value[int](b, `document.documentElement.scrollWidth`) > int(s.width) {
						t.Errorf("at %d: wider than the window", s.width)
					}
					b.quiet(address)
					b.run(chromedp.ActionFunc(chromedp.Cancel))
				}
			})
	}
}
