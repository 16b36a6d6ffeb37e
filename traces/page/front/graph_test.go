package main

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestStateGraph opens the state graph of the jugs and one that is too large to be laid out by elkjs.
func TestStateGraph(t *testing.T) {
	ctx := browser(t)
	b := open(t, ctx, served(t, puzzle(t)), desk, false)
	drawn := func(b *tab, nodes int) {
		t.Helper()
		b.run(chromedp.Click(`//button[text()="state graph"]`, chromedp.BySearch))
		b.run(chromedp.Poll(`document.querySelectorAll("svg.graph .node").length > 0`, nil, chromedp.WithPollingTimeout(40*time.Second)))
		if n := value[int](b, `document.querySelectorAll("svg.graph .node").length`); n != nodes {
			t.Errorf("%d nodes, want %d", n, nodes)
		}
		labels := value[[]string](b, `[...document.querySelectorAll("svg.graph .node")].map(n => n.textContent)`)
		for i, l := range labels {
			for _, m := range labels[:i] {
				if l == m {
					t.Fatalf("two nodes are %q", l)
				}
			}
		}
	}
	drawn(b, 16)
	if n := value[int](b, `document.querySelectorAll("svg.graph .node.bad").length + 10 * document.querySelectorAll("svg.graph .node.here").length`); n != 12 {
		t.Errorf("violated and here: %d", n)
	}
	b.picture("graph-jugs")
	before := value[string](b, `document.querySelector("svg.graph > g").getAttribute("transform")`)
	b.run(chromedp.Evaluate(`document.querySelector("svg.graph").dispatchEvent(new WheelEvent("wheel", {deltaY: -300, clientX: 500, clientY: 400, bubbles: true, cancelable: true}))`, nil), chromedp.Sleep(100*time.Millisecond))
	if after := value[string](b, `document.querySelector("svg.graph > g").getAttribute("transform")`); after == before {
		t.Error("the wheel does not zoom")
	}
	b.run(chromedp.Click(`dialog .choose input`, chromedp.ByQuery), // the other jug is left out
		chromedp.Poll(`document.querySelectorAll("svg.graph .node").length === 6`, nil, chromedp.WithPollingTimeout(40*time.Second)))
	b.quiet(b.own)
}
