package dot_test

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces/dot"
)

// TestTextsAreEscaped compares a graph whose texts need every escape.
func TestTextsAreEscaped(t *testing.T) {
	g := dot.New()
	g.Node(`a\`, dot.Attribute{Name: "label", Value: `say "a\"`}, dot.Attribute{Name: "shape", Value: "box"})
	g.Node("b", dot.Attribute{Name: "label", Value: "two\nlines"})
	g.Edge(`a\`, "b", dot.Attribute{Name: "label", Value: "\x1b"})
	var b strings.Builder
	if err := g.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `strict digraph {
	"a\\" [label="say \"a\\\"", shape="box"];
	"b" [label="two\nlines"];
	"a\\" -> "b" [label="\u001b"];
}
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
