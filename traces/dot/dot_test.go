package dot_test

import (
	"strings"
	"testing"

	"github.com/atmostk/atmostk/traces/dot"
)

// TestWrite compares a graph whose texts need every escape.
func TestWrite(t *testing.T) {
	g := dot.New()
	g.Set(dot.Attribute{Name: "label", Value: "two\nlines"})
	g.Node(`a\`, dot.Attribute{Name: "label", Value: `say "a\"`}, dot.Attribute{Name: "shape", Value: "box"})
	g.Node("b")
	g.Edge(`a\`, "b", dot.Attribute{Name: "label", Value: "\x1b"})
	var b strings.Builder
	if err := g.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `strict digraph {
	label="two\nlines";
	"a\\" [label="say \"a\\\"", shape="box"];
	"b";
	"a\\" -> "b" [label="\u001b"];
}
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
