package cmd_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// What a room may come to. The page has the figures themselves, of the day on which they were written: they
// change with every commit, so only the bounds are held.
const (
	mostOfLanguage = 80 // exported names of package model, besides methods
	mostExported   = 80 // of any other package
	longestAllowed = 90 // lines of a function
)

// mostCircling is the largest number of arrows in circles between the files of a room. The packages of cmd
// count together, and so do the packages of traces/logs; other rooms have no bound.
var mostCircling = map[string]int{"model": 55, "cmd": 15, "traces/logs": 35, "explore": 80}

// TestHouse holds the bounds; with -update it writes the figures into docs/architecture.md.
func TestHouse(t *testing.T) {
	page := architecturePage(t)
	var table strings.Builder
	table.WriteString("| room | files | lines | exported names | floors | arrows | in circles " +
		"| longest function |\n|---|--:|--:|--:|--:|--:|--:|---|\n")
	circling := map[string]int{}
	for _, f := range housed(t) {
		fmt.Fprintf(&table, "| %s | %d | %d | %d | %d | %d | %d | `%s`, %d |\n", f.room, f.files, f.lines,
			f.exported, f.floors, f.arrows, f.circling, f.longest, f.length)
		most := mostExported
		if f.room == "model" {
			most = mostOfLanguage
		}
		if f.exported > most {
			t.Errorf("%s exports %d names; allowed are %d", f.room, f.exported, most)
		}
		if f.length > longestAllowed {
			t.Errorf("%s: %s has %d lines; allowed are %d", f.room, f.longest, f.length, longestAllowed)
		}
		if !strings.Contains(page, "| "+f.room+" |") && !*update {
			t.Errorf("%s has no row for %s: go test ./cmd -run TestHouse -update", architecture, f.room)
		}
		for _, room := range []string{"cmd", "traces/logs"} {
			if strings.HasPrefix(f.room, room+"/") {
				f.room = room
			}
		}
		circling[f.room] += f.circling
	}
	for room, most := range mostCircling {
		if circling[room] > most {
			t.Errorf("%s has %d arrows in circles; allowed are %d", room, circling[room], most)
		}
	}
	if !*update {
		return
	}
	const begin, end = "<!-- figures -->\n", "<!-- end of figures -->"
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the figures", architecture)
	}
	if err := os.WriteFile(architecture, []byte(before+begin+table.String()+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// figures describes one room. Files of a package are nodes, with an arrow where one uses a name that is
// declared in the other. An arrow is in a circle if other arrows lead back: the fewer, the more of the room
// can be read from below. Floors are the files of the longest chain, those in one circle taken for one, so
// that they say little where circles are large.
type figures struct {
	room                                             string
	files, lines, exported, floors, arrows, circling int
	longest                                          string // its longest function
	length                                           int    // in lines
}

// housed returns the figures of all packages. The packages of the algorithms are one room: with the largest
// of each figure, and the sums of files and lines.
func housed(t *testing.T) (all []figures) {
	t.Helper()
	specs := figures{room: "specs/..."}
	for _, p := range untested(t) {
		room, ours := strings.CutPrefix(p.PkgPath, module)
		if !ours || len(p.Syntax) == 0 {
			continue
		}
		f := figuresOf(t, p)
		if f.room = room; !strings.HasPrefix(room, "specs") {
			all = append(all, f)
			continue
		}
		specs.files, specs.lines = specs.files+f.files, specs.lines+f.lines
		specs.exported, specs.floors = max(specs.exported, f.exported), max(specs.floors, f.floors)
		specs.arrows, specs.circling = max(specs.arrows, f.arrows), max(specs.circling, f.circling)
		if f.length > specs.length {
			specs.longest, specs.length = f.longest, f.length
		}
	}
	all = append(all, specs)
	slices.SortFunc(all, func(a, b figures) int { return strings.Compare(a.room, b.room) })
	return all
}

// figuresOf returns the figures of one package.
func figuresOf(t *testing.T, p *packages.Package) (f figures) {
	t.Helper()
	uses := map[string]map[string]bool{}
	fileOf := func(n interface{ Pos() token.Pos }) string { return p.Fset.Position(n.Pos()).Filename }
	for _, file := range p.Syntax {
		name := p.Fset.Position(file.FileStart).Filename
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f.files, f.lines, uses[name] = f.files+1, f.lines+strings.Count(string(src), "\n"), map[string]bool{}
		for _, d := range file.Decls {
			if fn, is := d.(*ast.FuncDecl); is {
				if n := p.Fset.Position(fn.End()).Line - p.Fset.Position(fn.Pos()).Line + 1; n > f.length {
					f.longest, f.length = fn.Name.Name, n
				}
			}
		}
	}
	for id, o := range p.TypesInfo.Uses {
		_, isFunc := o.(*types.Func)
		if o.Pkg() != p.Types || o.Parent() != p.Types.Scope() && !isFunc {
			continue
		}
		if from, to := fileOf(id), fileOf(o); from != to && uses[from] != nil && uses[to] != nil {
			uses[from][to] = true
		}
	}
	for _, name := range p.Types.Scope().Names() {
		if p.Types.Scope().Lookup(name).Exported() {
			f.exported++
		}
	}
	f.floors, f.arrows, f.circling = chain(uses)
	return f
}

// chain returns the number of nodes of the longest path in a graph, nodes of one circle taken for one, the
// number of its arrows, and of those that lie on circles.
func chain(graph map[string]map[string]bool) (longest, arrows, circling int) {
	reach := map[string]map[string]bool{}
	var visit func(from, at string)
	visit = func(from, at string) {
		for to := range graph[at] {
			if !reach[from][to] {
				reach[from][to] = true
				visit(from, to)
			}
		}
	}
	for n := range graph {
		reach[n] = map[string]bool{}
		visit(n, n)
	}
	height := map[string]int{}
	var climb func(n string) int
	climb = func(n string) int {
		if height[n] > 0 {
			return height[n]
		}
		high := 0
		for to := range reach[n] {
			if !reach[to][n] {
				high = max(high, climb(to))
			}
		}
		height[n] = high + 1
		return high + 1
	}
	for n, next := range graph {
		longest = max(longest, climb(n))
		for to := range next {
			arrows++
			if reach[to][n] {
				circling++
			}
		}
	}
	return longest, arrows, circling
}

// TestChain tries the figures of graphs.
func TestChain(t *testing.T) {
	graph := map[string]map[string]bool{
		"a": {"b": true}, "b": {"c": true}, "c": {"b": true, "d": true}, "d": {},
	}
	if floors, arrows, circling := chain(graph); floors != 3 || arrows != 4 || circling != 2 {
		t.Errorf("%d floors, %d arrows, %d in circles", floors, arrows, circling)
	}
}
