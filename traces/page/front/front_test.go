package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// TestMade compares the files that the program serves with what comes of the sources.
func TestMade(t *testing.T) {
	files, err := bundle()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what comes of src/; `go run .` in traces/page/front makes it (%v)", name, err)
		}
	}
}

const claims = "../../../docs/claims/"

// The runs that are looked at.
const (
	vcubeRun = claims + "vcube/vcube-stack-n4-k2-rounds2110-channelfifo-at-most-k.ndjson"
	coldRing = claims + "ring/ring-recovery-scheme0-n3-startcold-mutual-exclusion.ndjson"
	lassoRun = claims + "ring/ring-recovery-n2-breaks2-election-stable.ndjson"
)

// replayed executes a kept counterexample.
func replayed(t *testing.T, file string) *traces.Run {
	t.Helper()
	tr, err := traces.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == tr.Spec })
	var args []string
	for _, key := range slices.Sorted(maps.Keys(tr.Parameters)) {
		if v := tr.Parameters[key]; v != "" {
			args = append(args, key+"="+v)
		}
	}
	in, _, err := specs.All[i].Instantiate(args)
	if err != nil {
		t.Fatal(err)
	}
	r, err := traces.Replay(in, tr)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// file writes the page of a run, and returns its address.
func file(t *testing.T, d *page.Data) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	var b bytes.Buffer
	if err := page.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + name
}

// A tab is a page open in a browser, with what the browser complains of and what it asks for.
type tab struct {
	context.Context
	t        *testing.T
	own      string // its address
	mu       sync.Mutex
	messages []string
	requests []string
}

// size of a window in pixels.
type size struct{ width, height int64 }

var (
	desk  = size{1400, 900}
	phone = size{390, 844}
)

// browser starts one browser for all tests; the test is skipped where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium: what the page does in a browser is not tested (apt-get " +
			"install chromium)")
	}
	// Chromium still writes there while it ends, so that it cannot be a TempDir.
	profile, err := os.MkdirTemp("", "profile")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) }) // a temporary folder
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(2*time.Minute), chromedp.UserDataDir(profile),
		chromedp.Flag("hide-scrollbars", false))
	for again := 2; ; again-- { // on a busy machine Chromium may end while it starts
		process, end := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, leave := chromedp.NewContext(process)
		if err = chromedp.Run(ctx); err == nil {
			t.Cleanup(end)
			t.Cleanup(leave)
			return ctx
		}
		leave()
		end()
		if again == 0 {
			t.Fatal(err)
		}
	}
}

// open opens an address in a window of the given size.
func open(t *testing.T, in context.Context, address string, s size, dark bool) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(in)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	b := &tab{Context: ctx, t: t, own: address}
	chromedp.ListenTarget(ctx, b.listen)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.run(network.Enable(), runtime.Enable(), log.Enable(), chromedp.EmulateViewport(s.width, s.height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme",
			Value: scheme}}),
		chromedp.Navigate(address), chromedp.WaitReady("h1"))
	return b
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventConsoleAPICalled:
		b.messages = append(b.messages, fmt.Sprint(e.Type, " ", len(e.Args)))
	case *runtime.EventExceptionThrown:
		b.messages = append(b.messages, e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		b.messages = append(b.messages, e.Entry.Text)
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// value evaluates an expression of JavaScript.
func value[T any](b *tab, expression string) (x T) {
	b.t.Helper()
	b.run(chromedp.Evaluate(expression, &x))
	return x
}

// quiet wants no message on the console, and no request but for addresses that begin so.
func (b *tab) quiet(own string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.messages) > 0 {
		b.t.Errorf("the browser says %q", b.messages)
	}
	for _, r := range b.requests {
		if !strings.HasPrefix(r, own) && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") {
			b.t.Errorf("the page asks for %s", r)
		}
	}
}

// press presses keys, and returns the heading of the state panel after each.
func (b *tab) press(keys ...string) (headings []string) {
	b.t.Helper()
	for _, key := range keys {
		b.run(chromedp.KeyEvent(key), chromedp.Sleep(60*time.Millisecond))
		headings = append(headings,
			value[string](b, `document.querySelector(".state h2").textContent.trim()`))
	}
	return headings
}

// awaited waits for the promise that an expression is.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
