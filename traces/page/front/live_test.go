package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// served serves the live page of a run, and returns its address.
func served(t *testing.T, r *traces.Run) string {
	t.Helper()
	start, err := page.PathOf(r)
	if err != nil {
		t.Fatal(err)
	}
	h := traces.Header{Spec: r.Trace.Spec, Parameters: r.Trace.Parameters, Tool: "atmostk test"}
	about := func(*traces.Trace, page.Path) page.About {
		return page.About{Command: "atmostk explore", Args: r.Trace.Spec}
	}
	s := &page.Server{In: r.Instance(), Header: h, Start: start, About: about}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	var path string
	handler, path = s.Handler(strings.TrimPrefix(server.URL, "http://"))
	return server.URL + path
}

// puzzle returns the solution of the puzzle of the jugs.
func puzzle(t *testing.T) *traces.Run {
	t.Helper()
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == "die-hard" })
	in, _, err := specs.All[i].Instantiate(nil)
	if err != nil {
		t.Fatal(err)
	}
	at := in.Plain.Init()[0].Next
	initial, taken := at, []lts.Transition{}
	for _, name := range []string{"FillBig", "BigToSmall", "EmptySmall", "BigToSmall", "FillBig",
		"BigToSmall"} {
		steps := in.Plain.Steps(at)
		k := slices.IndexFunc(steps, func(tr lts.Transition) bool { return tr.Text() == name })
		taken, at = append(taken, steps[k]), steps[k].Next
	}
	r, err := traces.FromRun(in, traces.Header{Spec: "die-hard", Property: "big-not-4",
		Parameters: map[string]string{}}, initial, taken)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestNewUser opens a counterexample, goes back, takes another way, comes back by what was tried, finds the
// shortest run from there, and saves it as a scenario that is met.
func TestNewUser(t *testing.T) {
	r := puzzle(t)
	address := served(t, r)
	b := open(t, browser(t), address, desk, false)
	settled := func() { b.run(chromedp.Sleep(400 * time.Millisecond)) }
	if h := value[string](b, `document.querySelector("h1").textContent`); h !=
		"big-not-4 is violated after step 6: BigToSmall" {
		t.Errorf("it begins with %q", h)
	}
	b.run(chromedp.Click(`.row[data-step="3"]`, chromedp.ByQuery), chromedp.Sleep(100*time.Millisecond),
		chromedp.Click(`//ul[@class="choices"]//button[text()="FillSmall"]`, chromedp.BySearch))
	settled()
	if h := value[string](b, `document.querySelector(".state h2").textContent.trim()`); h != "Step 4 of 4" {
		t.Errorf("another way leads to %q", h)
	}
	if hash := value[string](b, `location.hash`); strings.Count(hash, ";") != 3 {
		t.Errorf("the path in the address is %q", hash)
	}
	if n := value[int](b, `document.querySelectorAll(".choices .soft, .choices .bad").length`); n == 0 {
		t.Error("no choice says how near it is to anything")
	}
	b.run(chromedp.SetValue(`.live select`, "0", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector(".live select").dispatchEvent(new Event("change"))`, nil),
		chromedp.Sleep(100*time.Millisecond),
		chromedp.Click(`//div[contains(@class,"live")]//button[text()="find"]`, chromedp.BySearch))
	settled()
	if h := value[string](b, `document.querySelector("h1").textContent`); !strings.HasPrefix(h,
		"big-not-4 is violated after step") {
		t.Errorf("the shortest run from there: %q", h)
	}
	b.run(chromedp.Evaluate(
		`URL.createObjectURL = blob => { blob.text().then(t => window.saved = t); return "blob:x"; }; HTMLAnchorElement.prototype.click = () => {}`, nil),
		chromedp.Click(`//button[text()="save scenario"]`, chromedp.BySearch))
	settled()
	s, err := traces.ReadScenario(strings.NewReader(value[string](b, `window.saved || ""`)))
	if err != nil {
		t.Fatal(err)
	}
	if trial, err := s.Try(t.Context(), r.Instance(), traces.Header{Spec: "die-hard"}, 1000); err != nil ||
		!trial.Expected {
		t.Errorf("the scenario: %+v, %v", trial, err)
	}
	b.run(chromedp.Click(`.tried summary`, chromedp.ByQuery), chromedp.Sleep(100*time.Millisecond),
		chromedp.Click(`//details[@class="tried"]//button[text()="compare"]`, chromedp.BySearch))
	settled()
	if head := value[string](b,
		`document.querySelector(".tried thead")?.textContent || ""`); !strings.Contains(head, "the other") {
		t.Errorf("side by side: %q", head)
	}
	b.quiet(address)
}
