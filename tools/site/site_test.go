package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/net/html"

	"github.com/atmostk/atmostk/specs/gallery"
)

// built is the site, built once for all tests, or the one that is in $ATMOSTK_SITE already.
var built = os.Getenv("ATMOSTK_SITE")

func TestMain(m *testing.M) {
	if built != "" {
		os.Exit(m.Run())
	}
	var err error
	if built, err = os.MkdirTemp("", "site"); err == nil {
		err = build(filepath.Join("..", ".."), built)
	}
	code := 1
	if err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n") // and fails
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(built) // a temporary folder
	os.Exit(code)
}

// TestLinks follows every link and image of every page within the site.
func TestLinks(t *testing.T) {
	ids := map[string]map[string]bool{}
	type reference struct{ from, to string }
	var all []reference
	err := filepath.WalkDir(built, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(built, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		ids[name] = map[string]bool{}
		if path.Ext(name) != ".html" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for z := html.NewTokenizer(bytes.NewReader(text)); z.Next() != html.ErrorToken; {
			for _, a := range z.Token().Attr {
				switch a.Key {
				case "id":
					ids[name][a.Val] = true
				case "href", "src":
					all = append(all, reference{name, a.Val})
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if strings.Contains(r.to, "://") || strings.HasPrefix(r.to, "data:") ||
			strings.HasPrefix(r.to, "mailto:") {
			continue
		}
		file, fragment, _ := strings.Cut(r.to, "#")
		target := r.from
		if file != "" {
			target = path.Join(path.Dir(r.from), file)
		}
		if there, ok := ids[target]; !ok || fragment != "" && !there[fragment] {
			t.Errorf("%s links to %s, which is not there", r.from, r.to)
		}
	}
	if len(all) < 5000 {
		t.Errorf("only %d links were found", len(all))
	}
}

// TestEveryRun wants a page for every kept counterexample of the papers' pages.
func TestEveryRun(t *testing.T) {
	kept, err := filepath.Glob(filepath.Join("..", "..", "docs", "claims", "*", "*.ndjson"))
	if err != nil || len(kept) < 100 {
		t.Fatalf("%d counterexamples (%v)", len(kept), err)
	}
	missing := slices.DeleteFunc(kept, func(file string) bool {
		rel, err := filepath.Rel(filepath.Join("..", "..", "docs"), file)
		if err != nil {
			return false
		}
		_, err = os.Stat(filepath.Join(built, strings.TrimSuffix(rel, ".ndjson")+".html"))
		return err == nil
	})
	if len(missing) > 0 {
		t.Errorf("no page leads to %q", missing)
	}
}

// TestBrowser opens pages in Chromium, with the width of a desktop and of a phone, dark and light: there is
// no message on the console and no request to a network, nothing is wider than the window, text can be
// read, and the search finds.
func TestBrowser(t *testing.T) {
	ctx := browser(t)
	pages := []string{"index", "logs", "properties", "claims/ring", "reference/models/raymond",
		"reference/atmostk_check", "playground/index"}
	for _, name := range pages {
		for _, width := range []int64{1400, 390} {
			for _, scheme := range []string{"light", "dark"} {
				look(t, ctx, name, width, scheme)
			}
		}
	}
	var found string
	err := chromedp.Run(ctx,
		open("index"), chromedp.KeyEvent("/"),
		chromedp.SendKeys("#search", "vacuous prop"), chromedp.Text("#found", &found, chromedp.ByQuery),
		chromedp.SendKeys("#search", "\r"), chromedp.WaitVisible("#content"))
	if err != nil || !strings.Contains(found, "Properties") {
		t.Errorf("the search finds %q (%v)", found, err)
	}
}

// TestPlayground checks models in the browser: a violated one, with its counterexample to step through, one
// with a mistake, one from the address, one that is stopped, one typed before a reload, and one pasted later.
func TestPlayground(t *testing.T) {
	ctx := browser(t)
	var report, step, address, again, mistake, status, reloaded, pasted string
	ready := chromedp.WaitVisible(`body[data-ready="yes"]`, chromedp.ByQuery)
	ended := func(checks string) chromedp.Action {
		return chromedp.WaitVisible(`body[data-ended="`+checks+`"]`, chromedp.ByQuery)
	}
	press := func(id string) chromedp.Action { return chromedp.Click(id, chromedp.ByQuery) }
	begin := time.Now()
	err := chromedp.Run(ctx, open("playground/index"), ready,
		chromedp.SetValue("#args", "n=3 k=2 crashes=1", chromedp.ByQuery), press("#check"), ended("1"),
		chromedp.Text("#report", &report, chromedp.ByQuery),
		press("#tab-run"), chromedp.WaitVisible("#run", chromedp.ByQuery),
		chromedp.AttributeValue("#run", "srcdoc", &step, nil, chromedp.ByQuery),
		press("#tab-report"),
		chromedp.SetValue("#args", "n=3 k=2", chromedp.ByQuery), press("#share"), press("#check"), ended("2"),
		chromedp.Text("#report", &again, chromedp.ByQuery),
		chromedp.Location(&address))
	t.Logf("%.1f s", time.Since(begin).Seconds())
	if err != nil || !strings.Contains(report, "violated  capacity-naive") ||
		!strings.Contains(step, "capacity-naive is violated") ||
		!strings.Contains(again, "75,074 states, 240,205 generated, depth 22; complete") ||
		strings.Contains(report+again, " to expand in it") || // progress is in the status
		!strings.Contains(address, "#") {
		t.Fatalf("%v: %s\n%s\n%s", err, report, again, address)
	}
	_, hash, _ := strings.Cut(address, "#")
	err = chromedp.Run(ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address), ready,
		chromedp.Value("#args", &again, chromedp.ByQuery),
		chromedp.SetValue("#args", "n=99", chromedp.ByQuery), press("#check"), ended("1"),
		chromedp.Text("#report", &mistake, chromedp.ByQuery),
		chromedp.SetValue("#args", "n=5 k=2", chromedp.ByQuery), press("#check"), chromedp.Sleep(time.Second),
		press("#stop"), ended("2"),
		chromedp.Text("#status", &status, chromedp.ByQuery),
		chromedp.SetValue("#args", "n=4", chromedp.ByQuery), chromedp.Reload(), ready,
		chromedp.Value("#args", &reloaded, chromedp.ByQuery),
		chromedp.Evaluate("history.replaceState(null, '', '#'); location.hash = '"+hash+"'", nil),
		chromedp.Sleep(time.Second), chromedp.Value("#args", &pasted, chromedp.ByQuery))
	if err != nil || again != "n=3 k=2" || reloaded != "n=4" || pasted != "n=3 k=2" ||
		!strings.Contains(mistake, "n=99 does not fit") || !strings.HasPrefix(status, "stopped after") {
		t.Errorf("%v: %q, %q, %q, %s, %s", err, again, reloaded, pasted, mistake, status)
	}
}

// TestGallery chooses each model of the gallery by keyboard alone, checks it, and finds its mistake.
func TestGallery(t *testing.T) {
	ctx := browser(t)
	// from the parameters to the list of models
	back := chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(input.ModifierShift))
	err := chromedp.Run(ctx, open("playground/index"),
		chromedp.WaitVisible(`body[data-ready="yes"]`, chromedp.ByQuery),
		chromedp.KeyEvent(strings.Repeat(kb.Tab, 3)))
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	check := func(status *string) chromedp.Tasks {
		checks++
		return chromedp.Tasks{chromedp.KeyEvent(kb.Enter),
			chromedp.WaitVisible(fmt.Sprintf(`body[data-ended="%d"]`, checks), chromedp.ByQuery),
			chromedp.Text("#status", status, chromedp.ByQuery)}
	}
	for _, name := range gallery.Names() {
		text, err := gallery.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(text, `"""`), ".\n")
		var chosen, holds, finds, run string
		err = chromedp.Run(ctx, back, chromedp.KeyEvent(title),
			chromedp.Value("#examples", &chosen, chromedp.ByQuery),
			chromedp.KeyEvent(kb.Tab), check(&holds),
			chromedp.KeyEvent(kb.End+strings.Repeat(kb.Backspace, len("no"))+"yes"), check(&finds),
			chromedp.AttributeValue("#run", "srcdoc", &run, nil, chromedp.ByQuery))
		if err != nil || chosen != "gallery/"+name || !strings.HasPrefix(holds, "all properties hold") ||
			!strings.HasPrefix(finds, "something is violated") || !strings.Contains(run, " is violated") {
			t.Errorf("%s: %v; chosen: %s; %s; then %s", name, err, chosen, holds, finds)
		}
	}
}

// TestPlaygroundSize wants less than 4 MB to be loaded before a model can be checked.
func TestPlaygroundSize(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(built, "playground", "program.js"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(script), `const atmostkProgram = "`)
	text, _, _ = strings.Cut(text, `"`)
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(packed) < 1_000_000 || len(packed) >= 4_000_000 {
		t.Errorf("the packed program has %d bytes (%v): docs/decisions/08-own-or-library.md",
			len(packed), err)
	}
	t.Logf("%d bytes", len(packed))
}

// open goes to a page of the site.
func open(name string) chromedp.Action {
	return chromedp.Navigate("file://" + filepath.ToSlash(filepath.Join(built, name+".html")))
}

// look opens a page.
func look(t *testing.T, ctx context.Context, name string, width int64, scheme string) {
	t.Helper()
	var wide, pale []string
	err := chromedp.Run(ctx,
		chromedp.EmulateViewport(width, 900),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme",
			Value: scheme}}),
		open(name), chromedp.Evaluate(tooWide, &wide), chromedp.Evaluate(tooPale, &pale))
	if err != nil {
		t.Fatal(err)
	}
	if len(wide)+len(pale) > 0 {
		t.Errorf("%s, %d pixels, %s: wider than the window: %q; hard to read: %q", name, width, scheme, wide,
			pale)
	}
}

// browser starts Chromium, where any message on the console and any request to a network is an error.
func browser(t *testing.T) context.Context {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("Chromium is not installed (Debian package chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"),
		chromedp.NoSandbox)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	chromedp.ListenTarget(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventConsoleAPICalled:
			t.Errorf("the console says %s", ev.Type)
		case *runtime.EventExceptionThrown:
			t.Errorf("the console says %s", ev.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			t.Errorf("the log says %s (%s)", ev.Entry.Text, ev.Entry.URL)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(ev.Request.URL, "file:") && !strings.HasPrefix(ev.Request.URL, "data:") &&
				!strings.HasPrefix(ev.Request.URL, "blob:") {
				t.Errorf("%s was asked for", ev.Request.URL)
			}
		}
	})
	if err := chromedp.Run(ctx, network.Enable(), log.Enable()); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// tooWide lists elements wider than the window, and tooPale elements with a contrast below 4.5 as WCAG 2
// computes it.
const (
	tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("main *, header *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 &&
    !e.closest("pre, .wide")).slice(0, 3).map(e => e.outerHTML.slice(0, 80))`
	tooPale = `(() => {
  const numbers = c => c.match(/[\d.]+/g).map(Number);
  const light = c => { const [r, g, b] = c.map(x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const seen = new Map();
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.getClientRects().length === 0) continue;
    const a = light(numbers(getComputedStyle(e).color)), b = light(behind(e));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) seen.set(e.tagName + e.className, contrast.toFixed(2) + " " + e.outerHTML.slice(0, 60));
  }
  return [...seen.values()].slice(0, 5);
})()`
)
