package cmd_test

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/atmostk/atmostk/"

// allowedImports is the plan of the house: which rooms a room may import.
var allowedImports = map[string][]string{
	"model":      {},
	"invariants": {"model"},
	"explore":    {"model", "invariants"},
	"traces":     {"model", "invariants"},
	"specs":      {"model", "invariants", "specs"},
	"cmd":        {"model", "invariants", "explore", "traces", "specs", "cmd"},
}

// load returns all packages of the module; with tests, if asked for.
func load(t *testing.T, tests bool) []*packages.Package {
	t.Helper()
	ps, err := packages.Load(&packages.Config{
		Dir: "..", Tests: tests,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
	}
	return ps
}

// room returns the top-level folder of a package of this module, "" for others.
func room(path string) string {
	rest, ours := strings.CutPrefix(path, module)
	if !ours {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

// TestImportDirection keeps the rooms apart.
func TestImportDirection(t *testing.T) {
	for _, p := range load(t, false) {
		allowed, known := allowedImports[room(p.PkgPath)]
		if !known {
			t.Errorf("%s is in no known room", p.PkgPath)
		}
		for path := range p.Imports {
			if to := room(path); to != "" && to != room(p.PkgPath) && !slices.Contains(allowed, to) {
				t.Errorf("%s must not import %s", p.PkgPath, path)
			}
			if strings.Contains(path, "spf13") || strings.Contains(path, "fatih/color") {
				if room(p.PkgPath) != "cmd" {
					t.Errorf("%s imports %s: only cmd knows of flags and colour", p.PkgPath, path)
				}
			}
		}
	}
}

// TestPackageDocs wants a comment on every package that says what it is for.
func TestPackageDocs(t *testing.T) {
	for _, p := range load(t, false) {
		if !slices.ContainsFunc(p.Syntax, fileHasDoc) {
			t.Errorf("%s has no package comment", p.PkgPath)
		}
	}
}

// TestNoUnusedExports finds package-level names that are exported for nobody:
// those that no other package, nor any test, uses.
func TestNoUnusedExports(t *testing.T) {
	used := map[string]bool{}
	var exported []types.Object
	for _, p := range load(t, true) {
		for _, o := range p.TypesInfo.Uses {
			if o.Pkg() != nil && o.Pkg().Path() != p.PkgPath {
				used[o.Pkg().Path()+"."+o.Name()] = true
			}
		}
		if p.ID != p.PkgPath { // a variant with tests
			continue
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			if o := scope.Lookup(name); o.Exported() {
				exported = append(exported, o)
			}
		}
	}
	for _, o := range exported {
		if name := o.Pkg().Path() + "." + o.Name(); !used[name] && !reachable(exported, used, o) {
			t.Errorf("%s is exported and not used by any other package", name)
		}
	}
}

// reachable reports whether a type occurs in the signature or fields of a used
// one, so that its values are used without its name; or whether a constant or a
// variable is a value of a used type, one of a choice that is offered.
func reachable(exported []types.Object, used map[string]bool, o types.Object) bool {
	switch o.(type) {
	case *types.Const, *types.Var:
		named, ok := o.Type().(*types.Named)
		return ok && named.Obj().Pkg() != nil
	case *types.TypeName:
	default:
		return false
	}
	return slices.ContainsFunc(exported, func(e types.Object) bool {
		name := e.Pkg().Path() + "." + e.Name()
		return e != o && used[name] && strings.Contains(surface(e), o.Pkg().Path()+"."+o.Name())
	})
}

// surface spells out the types that users of an object see.
func surface(o types.Object) string {
	var b strings.Builder
	b.WriteString(o.Type().String() + " " + o.Type().Underlying().String())
	if named, ok := o.Type().(*types.Named); ok {
		for m := range named.Methods() {
			b.WriteString(" " + m.Type().String())
		}
	}
	return b.String()
}

func fileHasDoc(f *ast.File) bool { return f.Doc != nil }
