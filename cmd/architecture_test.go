package cmd_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what docs/architecture.md says of the rooms")

const architecture = "../docs/architecture.md"

// TestArchitecture: docs/architecture.md names files that are there, and names that they declare.
func TestArchitecture(t *testing.T) {
	page := architecturePage(t)
	places := regexp.MustCompile(`\[([\w/]+\.go)\]\(\.\./([\w/]+\.go)\) `+"`(\\w+)`").FindAllStringSubmatch(
		page, -1)
	if len(places) < 25 || len(places) < strings.Count(page, ".go](") {
		t.Errorf("%d of %d places are a file and a name", len(places), strings.Count(page, ".go]("))
	}
	for _, place := range places {
		if place[1] != place[2] {
			t.Errorf("%s leads to %s", place[1], place[2])
		}
		if !slices.Contains(declared(t, "../"+place[2]), place[3]) {
			t.Errorf("%s declares no %s", place[2], place[3])
		}
	}
}

func architecturePage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// declared returns the names of the functions, methods and types of a file.
func declared(t *testing.T, file string) (names []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch d := n.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.TypeSpec:
			names = append(names, d.Name.Name)
		}
		return true
	})
	return names
}

// TestRooms: the picture in docs/architecture.md shows the imports; -update writes it.
func TestRooms(t *testing.T) {
	const begin, end = "<!-- rooms -->\n", "<!-- end of rooms -->"
	page := architecturePage(t)
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the picture", architecture)
	}
	now := before + begin + "```mermaid\n" + picture(drawnRooms(t)) + "```\n" + end + after
	switch {
	case now == page:
	case *update:
		if err := os.WriteFile(architecture, []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the picture of the rooms in %s is not that of the imports: go test ./cmd -run "+
			"TestRooms -update", architecture)
	}
}

// drawnRooms returns the rooms that each imports. All algorithms are one.
func drawnRooms(t *testing.T) map[string][]string {
	name := func(path string) string {
		rest, ours := strings.CutPrefix(path, module)
		first, _, _ := strings.Cut(rest, "/")
		switch {
		case !ours || rest == "":
			return ""
		case first == "specs" || first == "cmd":
			return first
		}
		return rest
	}
	rooms := map[string][]string{}
	for _, p := range untested(t) {
		from := name(p.PkgPath)
		if from == "" {
			continue
		}
		rooms[from] = append(rooms[from], "")
		for path := range p.Imports {
			if to := name(path); to != "" && to != from {
				rooms[from] = append(rooms[from], to)
			}
		}
	}
	for from, to := range rooms {
		slices.Sort(to)
		rooms[from] = slices.Compact(to)[1:]
	}
	return rooms
}

// picture draws rooms in the language of Mermaid, without the imports that follow from others.
func picture(rooms map[string][]string) string {
	reached := map[string]map[string]bool{} // by room: those to which its imports lead
	var reach func(from string) map[string]bool
	reach = func(from string) map[string]bool {
		if reached[from] == nil {
			reached[from] = map[string]bool{}
			for _, next := range rooms[from] {
				reached[from][next] = true
				maps.Copy(reached[from], reach(next))
			}
		}
		return reached[from]
	}
	names := make([]string, 0, len(rooms))
	for room := range rooms {
		names = append(names, room)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i, room := range names {
		fmt.Fprintf(&b, "    r%d[%s]\n", i, room)
	}
	for i, room := range names {
		for _, to := range rooms[room] {
			if !slices.ContainsFunc(rooms[room], func(other string) bool {
				return other != to && reach(other)[to]
			}) {
				fmt.Fprintf(&b, "    r%d --> r%d\n", i, slices.Index(names, to))
			}
		}
	}
	return b.String()
}
