package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// recovered is a run in which p2 crashes in step 2 and recovers in step 4.
const recovered = claims + "ring/ring-recovery-scheme1-n2-f1-token-recurs.ndjson"

// begun returns the run of a model that has no step yet.
func begun(t *testing.T, spec string, args ...string) *traces.Run {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == spec })
	in, values, err := specs.All[i].Instantiate(args)
	if err != nil {
		t.Fatal(err)
	}
	h := traces.Header{Spec: spec, Parameters: map[string]string{}}
	for _, kv := range values.List() {
		h.Parameters[kv[0]] = kv[1]
	}
	r, err := traces.FromRun(in, h, in.Plain.Init()[0].Next, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// both opens an address in a large window and on a phone.
func both(t *testing.T, address string, each func(b *tab, width int64)) {
	t.Helper()
	ctx := browser(t)
	for _, s := range []size{desk, phone} {
		b := open(t, ctx, address, s, false)
		each(b, s.width)
		b.run(chromedp.ActionFunc(chromedp.Cancel))
	}
}

// part shows a part of the page, where a phone shows one at a time.
func (b *tab) part(name string) {
	b.run(chromedp.Evaluate(fmt.Sprintf(
		`[...document.querySelectorAll("nav.phone button")].find(b => b.textContent === %q)?.click()`, name), nil),
		chromedp.Sleep(100*time.Millisecond))
}

// TestOrdinaryStepsAreShownAsSteps: requests that no message causes are no crashes and faults.
func TestOrdinaryStepsAreShownAsSteps(t *testing.T) {
	address := served(t, begun(t, "vcube-stack", "n=4", "k=2"))
	both(t, address, func(b *tab, width int64) {
		b.part("Choices")
		if n := value[int](b, `document.querySelectorAll("#lower > .choices li").length`); n != 4 {
			t.Errorf("at %d: %d requests are shown as steps, want 4", width, n)
		}
		if n := value[int](b, `document.querySelectorAll("details.faults").length`); n != 0 {
			t.Errorf("at %d: there are crashes and faults in a model without any", width)
		}
		b.picture(fmt.Sprintf("steps-%d", width))
		b.quiet(address)
	})
}

// TestRecoveredProcessIsDrawnAlive: its line is dotted from the crash to the recovery, its column is not that
// of a dead process afterwards, and messages to it are under way.
func TestRecoveredProcessIsDrawnAlive(t *testing.T) {
	address := file(t, page.Of(replayed(t, recovered), page.About{}))
	both(t, address, func(b *tab, width int64) {
		b.press(kb.Home)
		rows := value[[]int](b, `[...document.querySelectorAll("line.lane.dead")].map(l => Math.round((l.y2.baseVal.value - l.y1.baseVal.value) / document.querySelector(".row").offsetHeight))`)
		if !slices.Equal(rows, []int{2}) {
			t.Errorf("at %d: dotted lines of %v rows, want one of 2", width, rows)
		}
		b.press(kb.ArrowDown, kb.ArrowDown, kb.ArrowDown)
		crossed := `[...document.querySelectorAll(".matrix th")].filter(h => h.textContent.includes("†")).length + document.querySelectorAll(".owner .bad").length`
		if n := value[int](b, crossed); n != 1 {
			t.Errorf("at %d: %d processes are dead after step 3", width, n)
		}
		b.press(kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, kb.ArrowDown)
		if n := value[int](b, crossed); n != 0 {
			t.Errorf("at %d: %d processes are dead after step 7", width, n)
		}
		b.picture(fmt.Sprintf("recovered-%d", width))
		b.part("State")
		b.picture(fmt.Sprintf("recovered-state-%d", width))
		b.part("More")
		b.run(chromedp.Click("#tab-flight", chromedp.ByQuery), chromedp.Sleep(60*time.Millisecond))
		if text := value[string](b, `document.getElementById("lower").textContent`); !strings.Contains(text,
			"p1p2rup(p1)") {
			t.Errorf("at %d: under way after step 7: %s", width, text)
		}
		b.quiet(address)
	})
}

// TestChoicesAreLegible: distances beside a choice do not squeeze it into a column of letters.
func TestChoicesAreLegible(t *testing.T) {
	address := served(t, begun(t, "raymond", "n=3", "k=2", "rounds=2,1,0", "crashes=1"))
	both(t, address, func(b *tab, width int64) {
		b.part("Choices")
		b.run(chromedp.WaitVisible("#lower > .choices .bad", chromedp.ByQuery))
		high := `Math.max(...[...document.querySelectorAll("#lower > .choices button")].map(e => e.offsetHeight))`
		if n := value[int](b, high); n > 60 {
			t.Errorf("at %d: a choice is %d pixels high", width, n)
		}
		b.quiet(address)
	})
}

// TestPrintedWhole: on paper a run has all its rows, also those that are out of sight, and its state.
func TestPrintedWhole(t *testing.T) {
	address := file(t, page.Of(replayed(t, coldRing), page.About{}))
	both(t, address, func(b *tab, width int64) {
		b.press(kb.Home)
		b.run(chromedp.Evaluate(`dispatchEvent(new Event("beforeprint"))`, nil),
			emulation.SetEmulatedMedia().WithMedia("print"), chromedp.Sleep(60*time.Millisecond))
		whole := `document.querySelectorAll(".row").length + " " + [".scroll", ".panel.state", "#lower"].every(name => { const e = document.querySelector(name); return e.clientHeight > 20 && e.clientHeight >= e.scrollHeight; })`
		if got := value[string](b, whole); got != "54 true" {
			t.Errorf("at %d: %s", width, got)
		}
		b.picture(fmt.Sprintf("printed-%d", width))
		b.quiet(address)
	})
}

// TestLogRowsListWhatChanged: of the variables that a line has, those with another value than before.
func TestLogRowsListWhatChanged(t *testing.T) {
	address := file(t, ofLog(t, `{"node":"a","event":"acquire","state":{"x":"1","y":"2"}}
{"node":"a","event":"release","state":{"x":"1","y":"3"}}
{"node":"a","event":"note","state":{"x":"1","y":"3"}}
`))
	both(t, address, func(b *tab, width int64) {
		b.press(kb.Home, kb.ArrowDown, kb.ArrowDown)
		b.part("State")
		if rows := value[[]string](b, `[...document.querySelectorAll(".changes tr")].map(r => r.textContent.replace(/\s+/g, ""))`); !slices.Equal(rows, []string{"a.y2→3"}) {
			t.Errorf("at %d: changed: %q", width, rows)
		}
		b.picture(fmt.Sprintf("log-%d", width))
		b.quiet(address)
	})
}

// TestConditionIsChecked: find can be clicked while one types, the example is found, and a slip of the pen is
// answered with the values that there are. What no single state shows leads to check.
func TestConditionIsChecked(t *testing.T) {
	address := served(t, begun(t, "raymond", "n=3", "k=2", "rounds=1,1,0"))
	both(t, address, func(b *tab, width int64) {
		box, find := `.live input[name=where]`, `//div[contains(@class,"live")]//button[text()="find"]`
		b.run(chromedp.Evaluate(`document.querySelector("details.asks")?.setAttribute("open", "")`, nil)) // on a phone
		disabled := `[...document.querySelectorAll(".live button")].find(b => b.textContent === "find").disabled`
		if !value[bool](b, disabled) {
			t.Errorf("at %d: one can find nothing", width)
		}
		example := value[string](b, `document.querySelector(".live input[name=where]").placeholder`)
		if room := value[float64](b, `(() => { const i = document.querySelector(".live input[name=where]"), c = document.createElement("canvas").getContext("2d"); c.font = getComputedStyle(i).font; return i.clientWidth - 14 - c.measureText(i.placeholder).width; })()`); room < 0 {
			t.Errorf("at %d: the example %q is clipped", width, example)
		}
		ask := func(text, want string) string {
			b.run(chromedp.Evaluate(`document.querySelector(".live input[name=where]").select()`, nil),
				chromedp.SendKeys(box, text, chromedp.ByQuery))
			if value[bool](b, disabled) {
				t.Errorf("at %d: find is grey after %s", width, text)
			}
			said, got := `(document.querySelector(".notice")?.textContent || "")`, ""
			b.run(chromedp.Click(find, chromedp.BySearch))
			for range 100 {
				if got = value[string](b, said); strings.Contains(got, want) {
					break
				}
				b.run(chromedp.Sleep(100 * time.Millisecond))
			}
			return got
		}
		const want = `p1.State is CS, not requesting or requesting, never cs (did you mean "CS"?)`
		got := ask("p1.State=cs", want)
		if !strings.Contains(got, want) || strings.Contains(got, "does not answer") {
			t.Errorf("at %d: %s", width, got)
		}
		b.picture(fmt.Sprintf("condition-%d", width))
		const found = "The shortest run from there has"
		if got := ask(example, found); !strings.Contains(got, found) {
			t.Errorf("at %d: %s: %s", width, example, got)
		}
		if n := value[int](b, `[...document.querySelectorAll(".live option")].filter(o => !o.disabled && o.textContent.includes("(by check)")).length`); n == 0 {
			t.Errorf("at %d: no liveness property leads to check", width)
		}
	})
}
