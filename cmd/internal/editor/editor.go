// Package editor serves editors by the Language Server Protocol: [Serve] answers questions about models in
// files that are open there. The protocol itself is in the libraries jsonrpc2 and go-lsp.
package editor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/sourcegraph/go-lsp"
	"github.com/sourcegraph/jsonrpc2"
	"go.starlark.net/syntax"

	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/traces/printable"
)

// A server has the open files, by their paths. It handles one message after the other.
type server struct {
	open     map[string]*file
	shutdown bool  // the client announced the end
	err      error // of a message that could not be read
}

// A file is open in the editor.
type file struct {
	uri  lsp.DocumentURI
	text lines
	view *starfile.View
}

// Serve answers until the client sends exit, the input ends, or ctx does. orderly: the client sent shutdown.
// The error is about a message outside of the protocol.
func Serve(ctx context.Context, in io.Reader, out io.Writer) (orderly bool, err error) {
	s := &server{open: map[string]*file{}}
	both := struct {
		io.Reader
		io.Writer
		io.Closer
	}{in, out, io.NopCloser(in)}
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(both, codec{s: s}),
		jsonrpc2.HandlerWithError(s.handle), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	select {
	case <-conn.DisconnectNotify():
		return s.shutdown, s.err
	case <-ctx.Done():
		return true, nil
	}
}

// A codec keeps the error of a message that cannot be read, after which jsonrpc2 ends the connection.
type codec struct {
	jsonrpc2.VSCodeObjectCodec
	s *server
}

func (c codec) ReadObject(r *bufio.Reader, v any) error {
	err := c.VSCodeObjectCodec.ReadObject(r, v)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		c.s.err = fmt.Errorf("standard input: %w; allowed are messages of the Language Server Protocol: "+
			"Content-Length: 123, an empty line, and JSON-RPC 2.0", err)
	}
	return err
}

// A message has the parameters of all methods.
type message struct {
	TextDocument   lsp.TextDocumentItem                 `json:"textDocument"`
	ContentChanges []lsp.TextDocumentContentChangeEvent `json:"contentChanges"`
	Position       lsp.Position                         `json:"position"`
	NewName        string                               `json:"newName"`
}

func (s *server) handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) (answer any, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("internal error: %v\n%s", x, debug.Stack())
		}
	}()
	var m message
	if r.Params != nil && strings.HasPrefix(r.Method, "textDocument/") {
		if err := json.Unmarshal(*r.Params, &m); err != nil {
			return nil, failed(jsonrpc2.CodeInvalidParams, r.Method+": "+err.Error())
		}
	}
	uri := m.TextDocument.URI
	f := s.open[pathOf(uri)]
	switch command, n := r.Method, len(m.ContentChanges); {
	case command == "initialize":
		full := lsp.TDSKFull
		return lsp.InitializeResult{Capabilities: lsp.ServerCapabilities{
			TextDocumentSync: &lsp.TextDocumentSyncOptionsOrKind{Kind: &full}, HoverProvider: true,
			CompletionProvider: &lsp.CompletionOptions{TriggerCharacters: []string{".", `"`, "'"}},
			DefinitionProvider: true, RenameProvider: true, DocumentSymbolProvider: true,
		}}, nil
	case command == "shutdown":
		s.shutdown = true
		return nil, nil
	case command == "exit":
		return nil, c.Close()
	case command == "textDocument/didOpen":
		return nil, s.changed(ctx, c, &file{uri: uri, text: split(m.TextDocument.Text)})
	case command == "textDocument/didChange" && f != nil && n > 0: // each is the whole text
		return nil, s.changed(ctx, c, &file{uri: uri, text: split(m.ContentChanges[n-1].Text)})
	case command == "textDocument/didClose":
		delete(s.open, pathOf(uri))
		return nil, publish(ctx, c, uri, []lsp.Diagnostic{})
	case f != nil && !r.Notif:
		return s.answer(r.Method, f, &m)
	}
	return nil, failed(jsonrpc2.CodeMethodNotFound, r.Method+" of "+string(uri)+
		": there is no such method, or the file is not open")
}

func failed(code int64, what string) error { return &jsonrpc2.Error{Code: code, Message: what} }

func publish(ctx context.Context, c *jsonrpc2.Conn, uri lsp.DocumentURI, found []lsp.Diagnostic) error {
	return c.Notify(ctx, "textDocument/publishDiagnostics",
		lsp.PublishDiagnosticsParams{URI: uri, Diagnostics: found})
}

// read returns the text of a file: as the editor has it, if it is open there.
func (s *server) read(path string) ([]byte, error) {
	if f := s.open[path]; f != nil {
		return []byte(strings.Join(f.text, "\n")), nil
	}
	return os.ReadFile(path)
}

// changed keeps the text of a file, and reports its problems, and the ones of the files that load it.
func (s *server) changed(ctx context.Context, c *jsonrpc2.Conn, f *file) error {
	s.open[pathOf(f.uri)] = f
	for path, other := range s.open {
		if other != f && !other.view.Loads(pathOf(f.uri)) {
			continue
		}
		other.view = starfile.Look(path, s.read)
		found := printable.Each(other.view.Problems,
			func(p *starfile.Problem) lsp.Diagnostic { return other.diagnostic(*p) })
		if err := publish(ctx, c, other.uri, found); err != nil {
			return err
		}
	}
	return nil
}

// diagnostic is a problem in the form of the protocol. A problem in another file stands where that is loaded.
func (f *file) diagnostic(p starfile.Problem) lsp.Diagnostic {
	d := lsp.Diagnostic{Severity: lsp.Error, Source: "atmostk", Message: p.What}
	if p.At.Line == 0 {
		d.Severity = lsp.Warning
	} else if path := p.At.Filename(); path != pathOf(f.uri) {
		d.Message = fmt.Sprintf("%s:%d:%d: %s", filepath.Base(path), p.At.Line, p.At.Col, p.What)
		p.At.Line, p.At.Col = 1, 1
		for i, line := range f.text {
			if strings.HasPrefix(line, "load(") && strings.Contains(line, filepath.Base(path)) {
				p.At.Line = int32(i + 1)
			}
		}
	}
	d.Range = f.text.span(p.At, 0)
	return d
}

func (s *server) answer(method string, f *file, m *message) (any, error) {
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
		uri := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(to.Filename()), "/")}
		return lsp.Location{URI: lsp.DocumentURI(uri.String()), Range: split(string(source)).span(to, 0)}, err
	case "textDocument/completion":
		items, typed := starfile.Complete(pathOf(f.uri), s.read, at)
		list := lsp.CompletionList{Items: []lsp.CompletionItem{}}
		at.Col -= int32(len([]rune(typed)))
		for i, x := range items {
			list.Items = append(list.Items, lsp.CompletionItem{
				Label: x.Text, Detail: x.Detail, SortText: fmt.Sprintf("%05d", i),
				TextEdit: &lsp.TextEdit{Range: f.text.span(at, len([]rune(typed))), NewText: x.Text},
			})
		}
		return list, nil
	case "textDocument/rename":
		places, was, err := f.view.Rename(at, m.NewName)
		edits := printable.Each(places, func(at *syntax.Position) lsp.TextEdit {
			return lsp.TextEdit{Range: f.text.span(*at, len([]rune(was))), NewText: m.NewName}
		})
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
	return nil, failed(jsonrpc2.CodeMethodNotFound, method+": there is no such method")
}
