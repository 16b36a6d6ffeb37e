package main

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/atmostk/atmostk/traces/page"
)

// axe finds what people with assistive technology cannot use.
//
//go:embed npm/axe.min.js
var axe string

// TestKeyboardAndMouse goes through every panel.
func TestKeyboardAndMouse(t *testing.T) {
	ctx := browser(t)
	address := file(t, page.Of(replayed(t, vcubeRun), page.About{Title: "a model", Command: "atmostk check"}))
	b := open(t, ctx, address, desk, false)
	got := b.press(kb.Home, kb.ArrowDown, kb.ArrowDown, kb.ArrowUp, kb.End)
	want := []string{"Step 0 of 30", "Step 1 of 30", "Step 2 of 30", "Step 1 of 30", "Step 30 of 30"}
	if !slices.Equal(got, want) {
		t.Errorf("the keys lead to %q, want %q", got, want)
	}
	// Causes only: the stale reply, sent at step 6 and counted at step 16, stays; step 28 is grey.
	b.press("c", kb.Home)
	grey := value[[]string](b, `[...document.querySelectorAll(".row.grey")].map(r => r.dataset.step)`)
	if slices.Contains(grey, "6") || slices.Contains(grey, "16") || len(grey) == 0 {
		t.Errorf("not among the causes: %v", grey)
	}
	// The history of perm_count names step 16.
	b.press("c", kb.End)
	b.run(chromedp.Click(`//table[@class="matrix"]//tr[th[text()="perm_count"]]/td[1]`, chromedp.BySearch),
		chromedp.Sleep(60*time.Millisecond))
	if text := value[string](b, `document.getElementById("lower").textContent`); !strings.Contains(text,
		"step 16") {
		t.Errorf("the history of perm_count: %s", text)
	}
	for _, name := range value[[]string](b, `[...document.querySelectorAll("[role=tab]")].map(t => t.id)`) {
		b.run(chromedp.Click("#"+name, chromedp.ByQuery), chromedp.Sleep(60*time.Millisecond))
		if value[string](b, `document.getElementById("lower").textContent`) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	// A choice that the run does not take shows where it leads, and moves nothing.
	b.run(chromedp.Click("#tab-next", chromedp.ByQuery), chromedp.Click(".choices li:not(.taken) button",
		chromedp.ByQuery), chromedp.Sleep(60*time.Millisecond))
	if h := value[string](b, `document.querySelector(".state h2").textContent`); !strings.HasPrefix(h,
		"If instead 31") {
		t.Errorf("a choice shows %q", h)
	}
	b.run(chromedp.SendKeys("#search", "enter", chromedp.ByQuery), chromedp.Sleep(60*time.Millisecond))
	if n := value[int](b, `document.querySelectorAll("button.fold").length`); n == 0 {
		t.Error("searching folds nothing")
	}
	b.quiet(address)
}

// hovering must not move anything.
const hovering = `(() => {
  const places = () => JSON.stringify([...document.querySelectorAll("h1, .row, .panel, svg")].map(e => { const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; }));
  const before = places();
  const row = document.querySelectorAll(".row")[3];
  row.dispatchEvent(new MouseEvent("mouseenter"));
  return new Promise(done => setTimeout(() => done(before === places() && document.querySelector(".message.lively") !== null), 80));
})()`

// TestHover wants highlights and nothing that moves.
func TestHover(t *testing.T) {
	b := open(t, browser(t), file(t, page.Of(replayed(t, coldRing), page.About{})), desk, false)
	var still bool
	b.run(chromedp.Evaluate(hovering, &still, chromedp.EvalAsValue, awaited))
	if !still {
		t.Error("something moves with the mouse, or nothing is highlighted")
	}
}

// overlaps returns pairs of labels that lie on each other: of rows, names, and numbers.
const overlaps = `(() => {
  const boxes = [...document.querySelectorAll(".row .text, .row .number, .row .cell, .fold, .end")].map(e => [e.textContent.slice(0, 30), e.getBoundingClientRect()]).filter(([t, r]) => t && r.width > 0);
  const names = [...document.querySelectorAll(".name")].map(e => [e.textContent, e.getBoundingClientRect()]);
  const bad = [];
  for (const list of [boxes, names]) list.forEach(([a, r], i) => list.slice(i + 1).forEach(([b, s]) => {
    if (r.left < s.right - 0.5 && s.left < r.right - 0.5 && r.top < s.bottom - 0.5 && s.top < r.bottom - 0.5) bad.push(a + " / " + b);
  }));
  return bad.slice(0, 5);
})()`

// contrasts returns texts whose contrast with what is behind them is below 4.5.
const contrasts = `(() => {
  const channel = c => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const rgba = s => (s.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const behind = e => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.99) return c; } return [255, 255, 255]; };
  const bands = [...document.querySelectorAll(".band")].map(e => [e.getBoundingClientRect(), rgba(getComputedStyle(e).backgroundColor)]);
  // Text in a picture may lie on a shape that has an area.
  const shape = (e, r) => [...e.ownerSVGElement.querySelectorAll("rect, circle")].findLast(c => {
    const s = c.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
    return s.left < x && x < s.right && s.top < y && y < s.bottom && getComputedStyle(c).fill !== "none";
  });
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement, r = e.getBoundingClientRect();
    if (!walk.currentNode.data.trim() || !r.width || e.closest("button:disabled, script, style, noscript, title")) continue;
    const drawn = e instanceof SVGElement, ink = rgba(drawn ? getComputedStyle(e).fill : getComputedStyle(e).color);
    const lies = drawn && shape(e, r);
    const under = e.closest(".row") ? bands.filter(([b]) => b.top <= r.top + 1 && b.bottom >= r.bottom - 1).map(([, c]) => c) : lies ? [rgba(getComputedStyle(lies).fill)] : [];
    for (const back of under.length ? under : [behind(e)]) {
      const [a, b] = [light(ink), light(back)].sort((x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(walk.currentNode.data.slice(0, 30) + " " + ((a + 0.05) / (b + 0.05)).toFixed(2));
    }
  }
  return bad.slice(0, 8);
})()`
