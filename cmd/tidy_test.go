package cmd_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/atmostk/atmostk/"

// below are the rooms below the language, which all others but the kernel and the graphs may import: the
// words that models and the kernel have in common, what those see of a model who search, play, follow or run
// it, and what knows of no model at all.
var below = []string{
	spoken, "model/lts", "model/interp",
	"model/usage", "model/drawing", "model/values", "model/param", "model/codec",
	"model/check", "model/movers",
}

// allowedImports is the plan of the house: which rooms a room may import, besides those below.
var allowedImports = map[string][]string{
	"model":      {},
	"invariants": {"model"},
	theKernel:    {},
	graphs:       {},
	theStore:     {theKernel},
	"explore":    {"model", "invariants", theKernel, theStore, graphs},
	"traces":     {"model", "invariants", graphs},
	"specs":      {"model", modelFiles, "invariants", "specs"},
	"cmd": {
		"model", modelFiles, "invariants", "explore", theStore, "traces", "specs", "cmd", "docs",
	},
	"docs":     {},
	modelTests: {"model", "explore"},
	modelFiles: {"model", "invariants"},
}

// theKernel is the room of the search on integers, theStore the room of states in files, and spoken the room
// of the words that the kernel shares with models: it imports nothing else of them.
const (
	theKernel = "explore/kernel"
	theStore  = "explore/store"
	spoken    = "model/protocol"
)

// graphs is the room of what searches in graphs, whatever these are of.
const graphs = "explore/graph"

// modelTests is the room of what modellers test their models with: it searches, as nothing
// else in model does.
const modelTests = "model/modeltest"

// modelFiles is the room of models that are files.
const modelFiles = "model/starlark"

// loaded are all packages of the module with their tests, which takes long enough to be done
// once for all that look at them. Their types are found in their sources: packages.Load would have
// all of them compiled, also while `go test ./...` compiles them.
var loaded = sync.OnceValues(func() ([]*packages.Package, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(1000)) // nearly all of it is kept
	ps, err := packages.Load(&packages.Config{
		Dir: "..", Tests: true,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedFiles | packages.NeedSyntax,
	}, "./...")
	if err != nil {
		return nil, err
	}
	foreign := map[string]bool{}
	for _, p := range ps {
		for path, to := range p.Imports {
			if len(to.Syntax) == 0 {
				foreign[path] = true
			}
		}
	}
	for _, path := range callers {
		foreign[path] = true
	}
	compiled, err = compiledTypes(slices.Sorted(maps.Keys(foreign))...)
	for _, p := range ps {
		if err == nil {
			err = findTypes(p, compiled)
		}
	}
	return ps, err
})

// compiled imports the packages from outside the module, once all are loaded.
var compiled types.Importer

// callers are the packages whose interfaces have methods that the standard library calls.
var callers = []string{"fmt", "encoding", "encoding/json", "sort", "io", "container/heap"}

// compiledTypes imports packages from outside the module, whose types are in what the compiler left.
func compiledTypes(paths ...string) (types.Importer, error) {
	ps, err := packages.Load(&packages.Config{
		Dir: "..", Mode: packages.NeedName | packages.NeedExportFile,
	}, paths...)
	files := map[string]string{}
	for _, p := range ps {
		files[p.PkgPath] = p.ExportFile
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(files[path])
	}), err
}

// findTypes gives a package its types, after its imports from the module.
func findTypes(p *packages.Package, compiled types.Importer) (err error) {
	if p.Types != nil || len(p.Errors) > 0 {
		return nil
	}
	p.TypesInfo = &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
	}
	config := types.Config{Importer: importing(func(path string) (*types.Package, error) {
		to := p.Imports[path]
		if to == nil || len(to.Syntax) == 0 {
			return compiled.Import(path)
		}
		err := findTypes(to, compiled)
		return to.Types, err
	})}
	files := slices.Clone(p.Syntax)
	for i, file := range files {
		name := p.Fset.Position(file.FileStart).Filename
		if config.DisableUnusedImportCheck = isTest(p); isTest(p) && !strings.HasSuffix(name, "_test.go") {
			files[i] = bodiless(file)
		}
	}
	p.Types, err = config.Check(p.PkgPath, p.Fset, files, p.TypesInfo)
	return err
}

// bodiless returns a file without the bodies of its functions, as far as Go lets them have none: the types in
// them are found in the package without its tests.
func bodiless(file *ast.File) *ast.File {
	less := *file
	less.Decls = slices.Clone(file.Decls)
	for i, d := range less.Decls {
		if fn, is := d.(*ast.FuncDecl); is && fn.Name.Name != "init" && fn.Type.TypeParams == nil {
			head := *fn
			head.Body = nil
			less.Decls[i] = &head
		}
	}
	return &less
}

// importing is a function that imports packages.
type importing func(path string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }

// load returns all packages of the module, with their variants with tests.
func load(t *testing.T) []*packages.Package {
	t.Helper()
	ps, err := loaded()
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

// untested returns all packages of the module as they are built.
func untested(t *testing.T) []*packages.Package {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(load(t)), isTest)
}

// isTest reports whether a package is one of tests, a variant with tests, or a test's program.
func isTest(p *packages.Package) bool {
	return p.ID != p.PkgPath || strings.HasSuffix(p.PkgPath, ".test")
}

// room returns the room of a package of this module, mostly its top-level folder; "" for others.
func room(path string) string {
	rest, ours := strings.CutPrefix(path, module)
	if !ours {
		return ""
	}
	if _, own := allowedImports[rest]; own || slices.Contains(below, rest) {
		return rest
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

// TestImportDirection keeps the rooms apart.
func TestImportDirection(t *testing.T) {
	for _, p := range untested(t) {
		from := room(p.PkgPath)
		allowed, known := allowedImports[from]
		switch {
		case from == theKernel || from == theStore:
			allowed = append(slices.Clone(allowed), spoken, "model/usage", "model/movers")
		case slices.Contains(below, from):
			known = true // go build keeps them from going round in circles
			fallthrough
		case from != graphs && from != "docs":
			allowed = append(slices.Clone(allowed), below...)
		}
		if !known {
			t.Errorf("%s is in no known room", p.PkgPath)
		}
		for path := range p.Imports {
			if to := room(path); to != "" && to != from && !slices.Contains(allowed, to) {
				t.Errorf("%s must not import %s", p.PkgPath, path)
			}
			if strings.Contains(path, "spf13") && from != "cmd" ||
				strings.Contains(path, "fatih/color") && from != "cmd" && p.PkgPath != module+"traces/tty" {
				t.Errorf("%s imports %s: only cmd knows of flags, and of colour cmd and the terminal",
					p.PkgPath, path)
			}
		}
	}
}

// TestPackageDocs wants a comment with the purpose of every package.
func TestPackageDocs(t *testing.T) {
	for _, p := range untested(t) {
		if !slices.ContainsFunc(p.Syntax, fileHasDoc) {
			t.Errorf("%s has no package comment", p.PkgPath)
		}
		for _, name := range linked(p.Syntax) {
			if of, method, is := strings.Cut(name, "."); p.Types.Scope().Lookup(of) == nil ||
				is && !hasMember(p.Types.Scope().Lookup(of), method) {
				t.Errorf("the package comment of %s refers to %s, which there is not", p.PkgPath, name)
			}
		}
	}
}

// link is a reference to a name of the package, as go doc has it.
var link = regexp.MustCompile(`\[([A-Z]\w*(?:\.\w+)?)\]`)

// linked returns the names to which a package comment refers.
func linked(files []*ast.File) (names []string) {
	for _, f := range files {
		for _, m := range link.FindAllStringSubmatch(f.Doc.Text(), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// hasMember reports whether a type has a method or a field of the given name.
func hasMember(o types.Object, name string) bool {
	member, _, _ := types.LookupFieldOrMethod(o.Type(), true, o.Pkg(), name)
	return member != nil
}

// TestNoUnusedExports finds names that are exported for nobody: package-level ones and
// methods that no other package, nor any test of one, uses.
func TestNoUnusedExports(t *testing.T) {
	used := map[string]bool{}
	var exported []types.Object
	met := map[*types.Interface]bool{}
	for _, p := range load(t) {
		for _, o := range p.TypesInfo.Uses {
			if o.Pkg() != nil && o.Pkg().Path() != p.PkgPath {
				used[fullName(o)] = true
			}
		}
		for _, x := range p.TypesInfo.Types {
			if i, ok := x.Type.Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
				met[i] = true
			}
		}
		if !isTest(p) {
			exported = append(exported, exports(p.Types.Scope())...)
		}
	}
	used[module+"model.Global.InUse"] = true // for properties of modellers
	imported, words := usedByTools(t)
	for _, o := range exported {
		if imported[o.Pkg().Path()] && words[o.Name()] {
			used[fullName(o)] = true
		}
	}
	interfaces := slices.AppendSeq(wellKnown(t), maps.Keys(met))
	for _, o := range exported {
		if strings.HasPrefix(fullName(o), module+"model/values.") { // likewise
			continue
		}
		if !used[fullName(o)] && !reachable(exported, used, o) && !required(interfaces, o) {
			t.Errorf("%s is exported and not used by any other package", fullName(o))
		}
	}
}

// usedByTools returns the packages that the other modules import, and the names that they select: by the
// words, without types.
func usedByTools(t *testing.T) (imported, words map[string]bool) {
	t.Helper()
	imported, words = map[string]bool{}, map[string]bool{}
	visit := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			imported[strings.Trim(i.Path.Value, `"`)] = true
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, is := n.(*ast.SelectorExpr); is {
				words[s.Sel.Name] = true
			}
			return true
		})
		return nil
	}
	for _, dir := range []string{"../tools", "atmostk-cluster"} {
		if err := filepath.WalkDir(dir, visit); err != nil {
			t.Fatal(err)
		}
	}
	return imported, words
}

// exports returns the exported objects of a package, and the exported methods of exported types.
func exports(scope *types.Scope) (all []types.Object) {
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		all = append(all, o)
		named, ok := o.Type().(*types.Named)
		if _, is := o.(*types.TypeName); !is || !ok {
			continue
		}
		for m := range named.Methods() {
			if m.Exported() {
				all = append(all, m)
			}
		}
	}
	return all
}

// fullName returns the name of an object: the same wherever it is used, and whatever types
// its type parameters stand for.
func fullName(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			if named := namedOf(recv.Type()); named != nil {
				return o.Pkg().Path() + "." + named.Obj().Name() + "." + o.Name()
			}
		}
	}
	return o.Pkg().Path() + "." + o.Name()
}

// namedOf returns the type of a receiver.
func namedOf(t types.Type) *types.Named {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := t.(*types.Named)
	return named
}

// wellKnown returns interfaces whose methods the standard library calls.
func wellKnown(t *testing.T) (all []*types.Interface) {
	t.Helper()
	all = append(all, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
	for _, path := range callers {
		p, err := compiled.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			if i, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
				all = append(all, i)
			}
		}
	}
	return all
}

// required reports whether a type needs a method to satisfy one of the interfaces, or for errors.Is and
// errors.As.
func required(interfaces []*types.Interface, o types.Object) bool {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	recv := f.Signature().Recv().Type()
	if f.Name() == "Unwrap" {
		return true
	}
	return slices.ContainsFunc(interfaces, func(i *types.Interface) bool {
		m, _, _ := types.LookupFieldOrMethod(i, false, f.Pkg(), f.Name())
		return m != nil && satisfies(recv, i)
	})
}

// satisfies reports whether a type has methods with the names of the methods of an interface. Their types are
// not compared, because the types of one package may have been loaded twice.
func satisfies(t types.Type, i *types.Interface) bool {
	if _, ok := t.(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for m := range i.Methods() {
		if methods.Lookup(m.Pkg(), m.Name()) == nil {
			return false
		}
	}
	return true
}

// reachable reports whether a type occurs in the signature or fields of a used one, so that
// its values are used without its name; or whether a constant is one of a choice that is offered:
// another one of its type is used; or a variable of a named type, which specs refer to.
func reachable(exported []types.Object, used map[string]bool, o types.Object) bool {
	return slices.ContainsFunc(exported, func(e types.Object) bool {
		if e == o || !used[fullName(e)] {
			return false
		}
		switch o.(type) {
		case *types.TypeName:
			return strings.Contains(surface(e), fullName(o))
		case *types.Const:
			named, ok := o.Type().(*types.Named)
			_, isConst := e.(*types.Const)
			return ok && isConst && named.Obj().Pkg() != nil && types.Identical(e.Type(), named)
		case *types.Var:
			named, ok := o.Type().(*types.Named)
			return ok && named.Obj().Pkg() != nil
		}
		return false
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
