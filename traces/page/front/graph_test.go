package main

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestStateGraph opens the state graph of the jugs and one that is too large to be laid out by elkjs.
func TestStateGraph(t *testing.T) {
	ctx := browser(t)
	b := open(t, ctx, served(t, puzzle(t)), desk, false)
	drawn := func(b *tab, nodes int) {
		t.Helper()
		b.run(chromedp.Click(`//button[text()="state graph"]`, chromedp.BySearch))
		b.run(chromedp.Poll(`document.querySelectorAll("svg.graph .node").length > 0`, nil,
			chromedp.WithPollingTimeout(40*time.Second)))
		if n := value[int](b, `document.querySelectorAll("svg.graph .node").length`); n != nodes {
			t.Errorf("%d nodes, want %d", n, nodes)
		}
		labels := value[[]string](b,
			`[...document.querySelectorAll("svg.graph .node")].map(n => n.textContent)`)
		for i, l := range labels {
			for _, m := range labels[:i] {
				if l == m {
					t.Fatalf("two nodes are %q", l)
				}
			}
		}
	}
	drawn(b, 16)
	if n := value[int](b,
		`document.querySelectorAll("svg.graph .node.bad").length + 10 * document.querySelectorAll("svg.graph .node.here").length`); n != 12 {
		t.Errorf("violated and here: %d", n)
	}
	b.picture("graph-jugs")
	before := value[string](b, `document.querySelector("svg.graph > g").getAttribute("transform")`)
	b.run(chromedp.Evaluate(
		`document.querySelector("svg.graph").dispatchEvent(new WheelEvent("wheel", {deltaY: -300, clientX: 500, clientY: 400, bubbles: true, cancelable: true}))`, nil), chromedp.Sleep(100*time.Millisecond))
	if after := value[string](b,
		`document.querySelector("svg.graph > g").getAttribute("transform")`); after == before {
		t.Error("the wheel does not zoom")
	}
	b.run(chromedp.Click(`dialog .choose input`, chromedp.ByQuery), // the other jug is left out
		chromedp.Poll(`document.querySelectorAll("svg.graph .node").length === 6`, nil,
			chromedp.WithPollingTimeout(40*time.Second)))
	b.quiet(b.own)
}

// TestLargeStateGraph opens a state graph of more nodes than elkjs lays out: a click and the arrow keys tell
// what a node is, and the wheel zooms.
func TestLargeStateGraph(t *testing.T) {
	b := open(t, browser(t), served(t, replayed(t, coldRing)), desk, false)
	b.run(chromedp.Click(`//button[text()="state graph"]`, chromedp.BySearch),
		chromedp.Poll(`document.querySelector("canvas.graph[data-nodes]") !== null`, nil,
			chromedp.WithPollingTimeout(40*time.Second)))
	if n := value[int](b, `Number(document.querySelector("canvas.graph").dataset.nodes)`); n <= 250 {
		t.Errorf("%d nodes", n)
	}
	b.picture("graph-large")
	says := func() string { return value[string](b, `document.querySelector("dialog .says").textContent`) }
	b.run(chromedp.Focus("canvas.graph", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowDown))
	first := says()
	b.run(chromedp.KeyEvent(kb.ArrowDown))
	if second := says(); !strings.HasPrefix(first, "p1 ") || second == first {
		t.Errorf("the arrow keys tell %q, then %q", first, second)
	}
	// The first node stands in the middle of the uppermost band.
	b.run(chromedp.Evaluate(`(() => {
		const c = document.querySelector("canvas.graph"), r = c.getBoundingClientRect();
		const column = c.getContext("2d").getImageData(c.width / 2, 0, 1, c.height).data;
		const y = column.findIndex((alpha, i) => i % 4 === 3 && alpha === 255) >> 2;
		c.dispatchEvent(new MouseEvent("click", { clientX: r.left + r.width / 2, clientY: r.top + y / devicePixelRatio + 3, bubbles: true }));
	})()`, nil))
	if got := says(); got != first {
		t.Errorf("a click on the first node tells %q, want %q", got, first)
	}
	b.run(chromedp.Evaluate(
		`document.querySelector("canvas.graph").dispatchEvent(new WheelEvent("wheel", {deltaY: -2000, clientX: 700, clientY: 200, bubbles: true, cancelable: true}))`, nil),
		chromedp.Sleep(300*time.Millisecond))
	b.picture("graph-large-near")
	b.run(chromedp.Evaluate(axe, nil))
	b.audit("a large state graph")
	b.quiet(b.own)
}
