package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/cmd"
)

// An editor is a client of the verb lsp with one open file.
type editor struct {
	t        *testing.T
	conn     *jsonrpc2.Conn
	uri      lsp.DocumentURI
	text     string
	problems chan []lsp.Diagnostic
	code     chan int // the exit code of the command
}

type duplex struct {
	io.Reader
	io.WriteCloser
}

// edit starts the command, and opens a file.
func edit(t *testing.T, file, text string) *editor {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	e := &editor{t: t, problems: make(chan []lsp.Diagnostic, 9), code: make(chan int, 1)}
	e.uri = lsp.DocumentURI((&url.URL{Scheme: "file", Path: file}).String())
	go func() {
		e.code <- cmd.Program{Name: "atmostk"}.Run(t.Context(), []string{"lsp"}, in, out, io.Discard)
	}()
	stream := jsonrpc2.NewBufferedStream(duplex{fromServer, toServer}, jsonrpc2.VSCodeObjectCodec{})
	e.conn = jsonrpc2.NewConn(t.Context(), stream, jsonrpc2.HandlerWithError(
		func(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
			var p lsp.PublishDiagnosticsParams
			err := json.Unmarshal(*r.Params, &p)
			if p.URI == e.uri {
				e.problems <- p.Diagnostics
			}
			return nil, err
		}))
	var able lsp.InitializeResult
	e.call("initialize", lsp.InitializeParams{}, &able)
	if c := able.Capabilities; !c.HoverProvider || !c.RenameProvider || c.CompletionProvider == nil {
		t.Errorf("capabilities: %+v", c)
	}
	e.notify("initialized", struct{}{})
	e.text = text
	e.notify("textDocument/didOpen", lsp.DidOpenTextDocumentParams{
		TextDocument: lsp.TextDocumentItem{URI: e.uri, Text: text}})
	return e
}

func (e *editor) call(method string, params, result any) error {
	e.t.Helper()
	return e.conn.Call(e.t.Context(), method, params, result)
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

// replace changes the text, and returns the problems then.
func (e *editor) replace(was, now string) []lsp.Diagnostic {
	e.t.Helper()
	if !strings.Contains(e.text, was) {
		e.t.Fatalf("no %q", was)
	}
	e.text = strings.Replace(e.text, was, now, 1)
	var p lsp.DidChangeTextDocumentParams
	p.TextDocument.URI = e.uri
	p.ContentChanges = []lsp.TextDocumentContentChangeEvent{{Text: "of the change before"}, {Text: e.text}}
	e.notify("textDocument/didChange", p)
	return <-e.problems
}

// at is the place before ¦ in a part of the text, which stands there without ¦.
func (e *editor) at(part string) lsp.TextDocumentPositionParams {
	e.t.Helper()
	before, after, _ := strings.Cut(part, "¦")
	i := strings.Index(e.text, before+after)
	if i < 0 {
		e.t.Fatalf("no %q", part)
	}
	text := e.text[:i+len(before)]
	line := text[strings.LastIndex(text, "\n")+1:]
	return lsp.TextDocumentPositionParams{TextDocument: lsp.TextDocumentIdentifier{URI: e.uri},
		Position: lsp.Position{Line: strings.Count(text, "\n"), Character: len(utf16.Encode([]rune(line)))}}
}

// spanned is the text of a range.
func (e *editor) spanned(r lsp.Range) string {
	line := utf16.Encode([]rune(strings.Split(e.text, "\n")[r.Start.Line]))
	return string(utf16.Decode(line[r.Start.Character:r.End.Character]))
}

const door = `"""A door."""

load("parts.star", "half")

DOORS = range(1, 3)
KNOCK = message("KNOCK", how = enum("softly", "loudly"))
state = record(door = array(DOORS, enum("open", "shut")), n = range(5), last = optional(DOORS))

def enter(s, i):
    when("😀" != "" and s.door[i] == "open" and s.n < 4)
    s.door[i] = "shut"
    s.n += half(2)

def more(s):
    pass # here

system(state = state, actions = [action(enter, DOORS)], fairness = [weak("f", ["enter"])],
    properties = [invariant("few", lambda s: s.n < 3)])
`

// TestEditorIsServed: problems, completion, hover, definition, rename and an outline while a file is typed.
func TestEditorIsServed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "parts.star"), "def half(x):\n    return x // 2\n")
	e := edit(t, filepath.Join(dir, "door to.star"), door)
	said := func(found []lsp.Diagnostic) (all []string) {
		for _, d := range found {
			all = append(all, e.spanned(d.Range)+": "+d.Message)
		}
		return all
	}
	problems := func(got []lsp.Diagnostic, want ...string) {
		t.Helper()
		if !slices.Equal(said(got), want) {
			t.Errorf("problems:\n  got  %q\n  want %q", said(got), want)
		}
	}
	unlisted := "more: more is defined, and nobody lists or calls it; call it _more if that is meant"
	problems(<-e.problems, unlisted)
	problems(e.replace(`== "open"`, `== "opne"`),
		`"opne": s.door[i] is never "opne"; it is one of: open, shut (did you mean "open"?)`, unlisted)
	problems(e.replace(`== "opne"`, `== "open"`), unlisted)

	completed := func(part string) (all []string) {
		t.Helper()
		was := e.text
		if now, _, _ := strings.Cut(part, "¦"); !strings.Contains(e.text, now) {
			e.replace("pass # here", now+strings.TrimPrefix(part, now+"¦"))
		}
		var list lsp.CompletionList
		if err := e.call("textDocument/completion", e.at(part), &list); err != nil {
			t.Fatal(err)
		}
		labels := map[string]bool{}
		for _, x := range list.Items {
			all = append(all, strings.TrimSuffix(x.Label+": "+x.Detail, ": "))
			if labels[x.Label] {
				t.Errorf("%s: %q is offered twice", part, x.Label)
			}
			labels[x.Label] = true
		}
		e.text = was
		return all
	}
	for part, want := range map[string][]string{
		"when(s.¦": {`door: array(range(1, 3), enum("open", "shut"))`, "last: None or range(1, 3)",
			"n: range(0, 5)"},
		"if s.door[1] == \"o¦":                {"open", "shut"},
		"s.door[2] = ¦":                       {`"open"`, `"shut"`, "s", "DOORS"},
		"x = KNOCK(how = '¦')":                {"softly", "loudly"},
		"x = KNOCK(¦)":                        {`"softly"`, "how = "},
		"x = [z for z in s.door if z in [\"¦": {"open", "shut"},
		"inv¦":                                {"invariant(name, holds, each"},
		"min = 1; x = mi¦":                    {"min"},
		"x = ha¦":                             {"half: half(x: int) -> int", "enter: enter(s: state, i"},
	} {
		got := strings.Join(completed(part), "\n")
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is missing:\n%s", part, w, got)
			}
		}
		if len(want) == 2 && want[1] == "shut" && got != "open\nshut" {
			t.Errorf("%s: %s", part, got)
		}
	}
	grammar, err := os.ReadFile("../editors/vscode/syntaxes/star.tmLanguage.json")
	if err != nil {
		t.Fatal(err)
	}
	_, words, _ := strings.Cut(string(grammar), `"support.function.model"`)
	_, words, _ = strings.Cut(words, "(")
	words, _, _ = strings.Cut(words, ")")
	var coloured []string
	for _, x := range completed("x = ¦") {
		name, _, _ := strings.Cut(x, ":")
		if starlark.Universe[name] == nil && !strings.Contains(door, name+" = ") &&
			!strings.Contains(door, "def "+name) && !slices.Contains([]string{"s", "x", "half"}, name) {
			coloured = append(coloured, name)
		}
	}
	slices.Sort(coloured)
	if got := strings.Join(coloured, "|"); got != words {
		t.Errorf("VS Code colours\n%s, and completion offers\n%s", words, got)
	}
	problems(e.replace("def more", "def _more"))

	for part, want := range map[string]string{
		"s.do¦or[i] ==": `s.door: array(range(1, 3), enum("open", "shut"))`,
		"en¦ter(s":      "enter(s: state, i: int) -> None",
		"KNO¦CK":        `KNOCK = message(how = enum("softly", "loudly"))`,
		"inva¦riant":    "`holds` is true in every state",
		"wh¦en":         "`when(...)` says when a step is enabled",
		`"fe¦w"`:        "**holds**: few (4 states, door_to.star)",
		"D¦OORS":        "DOORS = range(1, 3)",
		"ha¦lf(2)":      "half(x: int) -> int",
	} {
		var h lsp.Hover
		if err := e.call("textDocument/hover", e.at(part), &h); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, x := range h.Contents {
			texts = append(texts, x.Value)
		}
		if got := strings.Join(texts, "\n"); !strings.Contains(got, want) {
			t.Errorf("hover %s: got %q, want %q", part, got, want)
		}
	}
	for part, want := range map[string]string{
		"(ent¦er, DOORS": "door%20to.star:enter(s, i)", "s.n +¦=": "", "s.n¦ <": `door%20to.star:n = range(5)`,
		"ha¦lf(2)": "parts.star:half(x)", "wh¦en": "", "s.do¦or[i] =": "door%20to.star:door = array",
	} {
		var to *lsp.Location
		if err := e.call("textDocument/definition", e.at(part), &to); err != nil {
			t.Fatal(err)
		}
		switch file, there, _ := strings.Cut(want, ":"); {
		case to == nil && want == "":
		case to == nil || !strings.HasSuffix(string(to.URI), "/"+file):
			t.Errorf("definition %s: got %v, want %s", part, to, want)
		case file != "parts.star" && to.Range.Start != e.at("¦"+there).Position:
			t.Errorf("definition %s: %v", part, to)
		}
	}
	renamed := func(part, name string) string {
		var edit lsp.WorkspaceEdit
		err := e.call("textDocument/rename", lsp.RenameParams{TextDocument: e.at(part).TextDocument,
			Position: e.at(part).Position, NewName: name}, &edit)
		if err != nil {
			return err.Error()
		}
		all := strings.Split(e.text, "\n")
		edits := edit.Changes[string(e.uri)]
		slices.SortFunc(edits, func(a, b lsp.TextEdit) int {
			return b.Range.Start.Character - a.Range.Start.Character
		})
		for _, x := range edits {
			line := utf16.Encode([]rune(all[x.Range.Start.Line]))
			all[x.Range.Start.Line] = string(utf16.Decode(line[:x.Range.Start.Character])) + x.NewText +
				string(utf16.Decode(line[x.Range.End.Character:]))
		}
		return strings.Join(all, "\n")
	}
	if got := renamed("en¦ter(s", "go_in"); got != strings.NewReplacer(`"enter"`, `"enter"`, "enter",
		"go_in").Replace(e.text) {
		t.Error(got)
	}
	if got, want := renamed("s¦.door[i] ==", "st"), strings.NewReplacer("(s, i)", "(st, i)", `and s.`, "and st.",
		"    s.door[", "    st.door[", "    s.n", "    st.n").Replace(e.text); got != want {
		t.Error(got)
	}
	for to, want := range map[string]string{"half": "half is in use: line 12", "a b": "no new name",
		"for": "no new name", "when": "no new name"} {
		if got := renamed("en¦ter(s", to); !strings.Contains(got, want) {
			t.Errorf("rename to %s: got %q, want %q", to, got, want)
		}
	}
	if got := renamed("ha¦lf(2)", "third"); !strings.Contains(got, "functions of this file") {
		t.Error(got)
	}
	var outline []lsp.SymbolInformation
	if err := e.call("textDocument/documentSymbol", e.at("A"), &outline); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range outline {
		names = append(names, x.Kind.String()+" "+x.Name)
	}
	if got, want := strings.Join(names, ", "), "Function half, Variable DOORS, Variable KNOCK, "+
		"Variable state, Function enter, Function _more"; got != want {
		t.Errorf("outline: got %s, want %s", got, want)
	}
	// The file that is loaded is broken, and mended, in the editor.
	var parts lsp.TextDocumentItem
	parts.URI = lsp.DocumentURI(strings.Replace(string(e.uri), "door%20to", "parts", 1))
	for _, c := range [][2]string{
		{"def half(x", "load: parts.star:1:11: a bracket or an operator is open, and the file ends"},
		{"def half(x):\n    return 1 // 1\n", ""}} {
		parts.Text = c[0]
		e.notify("textDocument/didOpen", lsp.DidOpenTextDocumentParams{TextDocument: parts})
		if got := strings.Join(said(<-e.problems), "\n"); got != c[1] {
			t.Errorf("%s: got %q, want %q", c[0], got, c[1])
		}
	}
	if err := e.call("textDocument/foldingRange", e.at("A"), nil); err == nil {
		t.Error("a method that there is not was answered")
	}
	if err := e.call("shutdown", nil, nil); err != nil {
		t.Error(err)
	}
	e.notify("exit", nil)
	if got := <-e.code; got != 0 {
		t.Errorf("exit code %d", got)
	}
}

// TestEditorThatSendsGarbageGetsAnError, and one that goes away ends the command.
func TestEditorThatSendsGarbageGetsAnError(t *testing.T) {
	frame := func(text string) string {
		return "Content-Length: " + strconv.Itoa(len(text)) + "\r\n\r\n" + text
	}
	open := `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":` +
		`{"uri":"untitled:\ud800","text":"\ud83d\r\u0000\ufeff(("}}}`
	ask := `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":` +
		`{"uri":"untitled:\ud800"},"position":{"line":-1,"character":-5}}}`
	bye, exit := `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`
	for text, want := range map[string]int{
		"":                          1,
		"\x00\xff garbage":          1,
		"Content-Length: x\r\n\r\n": 3,
		frame("nonsense"):           3,
		frame("[]"):                 3,
		frame(`{"jsonrpc":"2.0"}`):  3,
		frame(open) + frame(ask) + frame(strings.Replace(ask, "hover", "completion", 1)) +
			frame(strings.Replace(ask, "hover", "rename", 1)): 1,
		frame(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":[]}`): 1,
		frame(bye):               0,
		frame(exit):              1,
		frame(bye) + frame(exit): 0,
	} {
		var out, diag bytes.Buffer
		in := strings.NewReader(text)
		code := cmd.Program{Name: "atmostk"}.Run(t.Context(), []string{"lsp"}, in, &out, &diag)
		explained := strings.Contains(diag.String(), "allowed are messages")
		if code != want || code == 3 != explained || strings.Contains(out.String(), "internal") {
			t.Errorf("%q: exit code %d, want %d: %s\n%s", text, code, want, &diag, &out)
		}
	}
}

// TestProblemMatchers: the tasks of the extension find the place in what check and lint write.
func TestProblemMatchers(t *testing.T) {
	var extension struct {
		Contributes struct {
			ProblemMatchers []struct {
				Name    string
				Pattern []struct {
					Regexp              string
					File, Line, Message int
				}
			}
		}
	}
	text, err := os.ReadFile("../editors/vscode/package.json")
	if err == nil {
		err = json.Unmarshal(text, &extension)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"atmostk: a.star:3:4: no word":               "atmostk a.star 3 no word",
		"  at:      /b/a.star:4:6":                   "atmostk /b/a.star 4 ",
		"a.star n=2: model error: x: y (a.star:4:6)": "atmostk-lint a.star 4 model error: x: y",
		"a.star: note: never happens: go":            "atmostk-lint-file a.star  note: never happens: go",
		"nothing found  a.star":                      "",
	} {
		got := ""
		for _, m := range extension.Contributes.ProblemMatchers { // the first one that fits counts
			p := m.Pattern[0]
			if x := regexp.MustCompile(p.Regexp).FindStringSubmatch(line); x != nil && got == "" {
				x[0] = "" // without a line
				got = strings.Join([]string{m.Name, x[p.File], x[p.Line], x[p.Message]}, " ")
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
