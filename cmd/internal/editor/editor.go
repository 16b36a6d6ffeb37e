// Package editor serves editors by the Language Server Protocol: [Serve] answers questions about models in
// files that are open there. The protocol itself is in the libraries jsonrpc2 and go-lsp.
package editor

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"

	starfile "github.com/atmostk/atmostk/model/starlark"
)

// A server has the texts of the open files, by their paths. It handles one message after the other.
type server struct {
	open    map[string]*file
	stopped bool  // shutdown came
	err     error // the first message that could not be read
}

// A file is open in the editor.
type file struct {
	uri  lsp.DocumentURI
	text lines
	view *starfile.View
}

// Serve answers until the client sends exit, the input ends, or ctx does. orderly: the client sent shutdown.
// The error is the one of a message that is none of the protocol.
func Serve(ctx context.Context, in io.Reader, out io.Writer) (orderly bool, err error) {
	s := &server{open: map[string]*file{}}
	stream := jsonrpc2.NewBufferedStream(pipe{in, out}, codec{s: s})
	conn := jsonrpc2.NewConn(ctx, stream, jsonrpc2.HandlerWithError(s.handle),
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	select {
	case <-conn.DisconnectNotify():
		return s.stopped, s.err
	case <-ctx.Done():
		return true, nil
	}
}

// A pipe is what the client writes and reads. Nobody closes it.
type pipe struct {
	io.Reader
	io.Writer
}

func (pipe) Close() error { return nil }

// A codec keeps the error of a message that cannot be read, after which jsonrpc2 ends the connection.
type codec struct {
	jsonrpc2.VSCodeObjectCodec
	s *server
}

func (c codec) ReadObject(r *bufio.Reader, v any) error {
	err := c.VSCodeObjectCodec.ReadObject(r, v)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		c.s.err = fmt.Errorf("standard input: %w; allowed are messages of the Language Server Protocol: "+
			"Content-Length: 123, an empty line, and JSON-RPC 2.0", err)
	}
	return err
}

// A message has the parameters of all methods.
type message struct {
	TextDocument struct {
		URI  lsp.DocumentURI `json:"uri"`
		Text string          `json:"text"`
	} `json:"textDocument"`
	ContentChanges []lsp.TextDocumentContentChangeEvent `json:"contentChanges"`
	Position       lsp.Position                         `json:"position"`
	NewName        string                               `json:"newName"`
}

// handle answers a message.
func (s *server) handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) (answer any, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("internal error: %v\n%s", x, debug.Stack())
		}
	}()
	var m message
	if r.Params != nil && strings.HasPrefix(r.Method, "textDocument/") {
		if err := json.Unmarshal(*r.Params, &m); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: r.Method + ": " + err.Error()}
		}
	}
	path := pathOf(m.TextDocument.URI)
	switch r.Method {
	case "initialize":
		full := lsp.TDSKFull
		return lsp.InitializeResult{Capabilities: lsp.ServerCapabilities{
			TextDocumentSync: &lsp.TextDocumentSyncOptionsOrKind{Kind: &full}, HoverProvider: true,
			CompletionProvider: &lsp.CompletionOptions{TriggerCharacters: []string{".", `"`, "'"}},
			DefinitionProvider: true, RenameProvider: true, DocumentSymbolProvider: true,
		}}, nil
	case "shutdown":
		s.stopped = true
		return nil, nil
	case "exit":
		return nil, c.Close()
	case "textDocument/didOpen":
		return nil, s.changed(ctx, c, path, &file{uri: m.TextDocument.URI, text: split(m.TextDocument.Text)})
	case "textDocument/didChange":
		if f, n := s.open[path], len(m.ContentChanges); f != nil && n > 0 {
			return nil, s.changed(ctx, c, path, &file{uri: f.uri, text: split(m.ContentChanges[n-1].Text)})
		}
		return nil, nil
	case "textDocument/didClose":
		delete(s.open, path)
		return nil, c.Notify(ctx, "textDocument/publishDiagnostics",
			lsp.PublishDiagnosticsParams{URI: m.TextDocument.URI, Diagnostics: []lsp.Diagnostic{}})
	}
	if f := s.open[path]; f != nil {
		return s.answer(r.Method, path, f, &m)
	}
	if r.Notif || strings.HasPrefix(r.Method, "$/") {
		return nil, nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: r.Method + " of " +
		string(m.TextDocument.URI) + ": there is no such method, or the file is not open"}
}

// read returns the text of a file: as the editor has it, if it is open there.
func (s *server) read(path string) ([]byte, error) {
	if f := s.open[path]; f != nil {
		return []byte(strings.Join(f.text, "\n")), nil
	}
	return os.ReadFile(path)
}

// changed keeps the text of a file, and reports its problems, and those of the files that load it.
func (s *server) changed(ctx context.Context, c *jsonrpc2.Conn, path string, f *file) error {
	s.open[path] = f
	for name, other := range s.open {
		if name != path && !other.view.Loads(path) {
			continue
		}
		other.view = starfile.Look(name, s.read)
		found := []lsp.Diagnostic{}
		for _, p := range other.view.Problems {
			found = append(found, diagnostic(name, other.text, p))
		}
		if err := c.Notify(ctx, "textDocument/publishDiagnostics",
			lsp.PublishDiagnosticsParams{URI: other.uri, Diagnostics: found}); err != nil {
			return err
		}
	}
	return nil
}

// diagnostic is a problem in the form of the protocol. A problem in another file stands where that is loaded.
func diagnostic(path string, text lines, p starfile.Problem) lsp.Diagnostic {
	d := lsp.Diagnostic{Severity: lsp.Error, Source: "atmostk", Message: p.What}
	switch {
	case p.At.Line == 0:
		d.Severity, p.At.Line, p.At.Col = lsp.Warning, 1, 1
	case p.At.Filename() != path:
		name, err := filepath.Rel(filepath.Dir(path), p.At.Filename())
		d.Message = fmt.Sprintf("%s:%d:%d: %s", name, p.At.Line, p.At.Col, p.What)
		p.At.Line, p.At.Col = 1, 1
		for i, line := range text {
			if err == nil && strings.HasPrefix(line, "load(") && strings.Contains(line, filepath.ToSlash(name)) {
				p.At.Line = int32(i + 1)
			}
		}
	}
	d.Range = text.span(p.At, 0)
	return d
}

// answer answers a question about an open file.
func (s *server) answer(method, path string, f *file, m *message) (any, error) {
	at := f.text.place(m.Position)
	switch method {
	case "textDocument/hover":
		return f.hover(at), nil
	case "textDocument/definition":
		to, ok := f.view.Definition(at)
		if !ok {
			return nil, nil
		}
		source, err := s.read(to.Filename())
		return lsp.Location{URI: uriOf(to.Filename()), Range: split(string(source)).span(to, 0)}, err
	case "textDocument/completion":
		items, typed := starfile.Complete(path, s.read, at)
		list := lsp.CompletionList{Items: []lsp.CompletionItem{}}
		at.Col -= int32(len([]rune(typed)))
		for i, x := range items {
			list.Items = append(list.Items, lsp.CompletionItem{Label: x.Text, Detail: x.Detail,
				SortText: fmt.Sprintf("%05d", i),
				TextEdit: &lsp.TextEdit{Range: f.text.span(at, len([]rune(typed))), NewText: x.Text}})
		}
		return list, nil
	case "textDocument/rename":
		places, was, err := f.view.Rename(at, m.NewName)
		var edits []lsp.TextEdit
		for _, at := range places {
			edits = append(edits, lsp.TextEdit{Range: f.text.span(at, len([]rune(was))), NewText: m.NewName})
		}
		return lsp.WorkspaceEdit{Changes: map[string][]lsp.TextEdit{string(f.uri): edits}}, err
	case "textDocument/documentSymbol":
		all := []lsp.SymbolInformation{}
		for _, x := range f.view.Symbols() {
			kind := lsp.SKVariable
			if strings.Contains(x.Type, ") -> ") {
				kind = lsp.SKFunction
			}
			all = append(all, lsp.SymbolInformation{Name: x.Name, Kind: kind,
				Location: lsp.Location{URI: f.uri, Range: f.text.span(x.At, 0)}})
		}
		return all, nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: method}
}
