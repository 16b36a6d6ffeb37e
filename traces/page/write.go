package page

import (
	"crypto/sha256"
	_ "embed" // for the front end
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/atmostk/atmostk/traces/printable"
)

//go:embed app.js
var script string

//go:embed app.css
var style string

// Schema describes Data, as JSON Schema.
//
//go:embed schema.json
var Schema string

// Write writes a page in one file. It loads nothing from elsewhere; a live page only connects to its server,
// Data.API.
func Write(w io.Writer, d *Data) error {
	var b strings.Builder
	e := json.NewEncoder(&b) // which writes < as \u003c, so that nothing in a text ends the element
	if err := e.Encode(d); err != nil {
		return err
	}
	policy := "script-src '" + hash(script) + "'; "
	if d.API != "" {
		policy += "connect-src 'self'; "
	}
	title := strings.TrimPrefix(d.Model+": "+d.Sentence, ": ")
	return WriteDocument(w, title, policy, style, fmt.Sprintf(`
<noscript>A script in this page draws it, and scripts are switched off.</noscript>
<div id="app"></div>
<script id="data" type="application/json">%s</script>
<script>%s</script>`, printable.Document(strings.TrimSpace(b.String())), script))
}

// Escape returns a text as HTML.
func Escape(text string) string { return html.EscapeString(printable.Text(text)) }

// WriteDocument writes a page in one file. policy permits what its body needs besides the style and images of
// the page itself: "", or directives of a Content-Security-Policy that end with a semicolon and a blank.
func WriteDocument(w io.Writer, title, policy, style, body string) error {
	_, err := fmt.Fprintf(w, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; %sstyle-src '%s'; img-src data:; base-uri 'none'; form-action 'none'">
<link rel="icon" href="data:,">
<title>%s</title>
<style>%s</style>
</head>
<body>
%s
</body>
</html>
`, policy, hash(style), Escape(title), style, body)
	return err
}

// hash is the entry of an inline script or style in the Content-Security-Policy; the browser refuses others.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
