package starfile

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// Extension is that of files that hold a model.
const Extension = ".star"

// maxSource bounds the size of a file in bytes, and maxNesting how deep its brackets are nested: what
// reads it is recursive.
const (
	maxSource  = 256 << 10
	maxNesting = 100
)

// Load reads a model from a file, whose path is the name of the model. What is wrong with the file is
// an error that begins with its place.
func Load(path string) (*model.Spec, error) {
	spec := &model.Spec{Name: path}
	if _, err := execute(path, spec, nil); err != nil {
		return nil, err
	}
	spec.Build = func(a *model.Args) (model.Instance, error) {
		b, err := execute(path, &model.Spec{Name: path, Params: spec.Params}, a)
		if err != nil {
			return model.Instance{}, err
		}
		return *b.built, nil
	}
	return spec, nil
}

// execute executes a file once; args are nil to find out what it declares.
func execute(path string, spec *model.Spec, args *model.Args) (*builder, error) {
	b := &builder{spec: spec, args: args}
	b.room.Store(maxNodes)
	b.premises = map[string][]*premise{}
	l := newLoading(b)
	_, err := l.file(path)
	if err == nil && b.made && args != nil {
		err = l.mistaken(path)
	}
	if err != nil {
		return nil, b.because(err)
	}
	if args == nil {
		spec.Title = cmp.Or(spec.Title, filepath.Base(path))
	}
	if !b.made {
		return nil, &located{Where: path, What: "it makes no model: processes(...) or system(...) does"}
	}
	return b, nil
}

// because returns what is to be told of an error in a file.
func (b *builder) because(err error) error {
	var misuse *usage.Error
	var known *located
	var failed *model.Error
	if errors.As(err, &misuse) {
		return misuse
	}
	if errors.As(err, &known) {
		return known
	}
	if errors.As(err, &failed) {
		return failed
	}
	what, where := explain(err)
	return &located{where, what}
}

// loading is the execution of a file with those that it loads.
type loading struct {
	b       *builder
	call    call                           // of all files together
	files   map[string]starlark.StringDict // nil: it is being executed
	library starlark.StringDict
	sources map[string][]byte
}

func newLoading(b *builder) *loading {
	return &loading{
		b: b, call: call{loading: true, searches: &b.searches, left: maxSteps},
		files:   map[string]starlark.StringDict{},
		sources: map[string][]byte{},
	}
}

// options are those of the language.
var options = &syntax.FileOptions{Set: true, TopLevelControl: true, GlobalReassign: true}

// file executes a file, for another one that has to be named in errors, at a place of it.
func (l *loading) file(path string) (starlark.StringDict, error) {
	source, err := read1(path)
	if err != nil {
		return nil, err
	}
	l.files[path], l.sources[path] = nil, source
	if l.library == nil {
		l.library = l.b.library()
	}
	parsed, err := l.parse(path, source)
	if err != nil {
		return nil, err
	}
	program, err := starlark.FileProgram(parsed, l.library.Has)
	if err != nil {
		return nil, misspelt(err, l.library)
	}
	if len(l.files) == 1 {
		l.b.describe(parsed)
	}
	t := &starlark.Thread{
		Print: noPrint,
		Load: func(_ *starlark.Thread, name string) (starlark.StringDict, error) {
			return l.load(path, name)
		},
	}
	l.call.begin(t)
	globals, err := program.Init(t, l.library)
	if err != nil {
		return nil, err
	}
	globals.Freeze()
	l.files[path] = globals
	return globals, nil
}

// load executes what a file loads: one below the same folder.
func (l *loading) load(from, name string) (starlark.StringDict, error) {
	if !filepath.IsLocal(name) || filepath.Ext(name) != Extension {
		return nil, fmt.Errorf("load(%q): allowed are %s files in the same folder, or in folders in it",
			name, Extension)
	}
	path := filepath.Join(filepath.Dir(from), name)
	if globals, begun := l.files[path]; begun {
		if globals == nil {
			return nil, fmt.Errorf("load(%q): the files load each other in a circle", name)
		}
		return globals, nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("load(%q): there is no such file", name)
	}
	return l.file(path)
}

// read1 reads a file.
func read1(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, &located{path, "there is no such file"}
	case err != nil:
		return nil, &located{path, err.Error()}
	case !info.Mode().IsRegular():
		return nil, &located{path, "it is no file"}
	case info.Size() > maxSource:
		return nil, &located{path, fmt.Sprintf("it has %d bytes; allowed are %d", info.Size(), maxSource)}
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, &located{path, err.Error()}
	}
	return source, nil
}

// parse reads the syntax of a file.
func (l *loading) parse(path string, source []byte) (*syntax.File, error) {
	if err := nested(path, source); err != nil {
		return nil, err
	}
	f, err := options.Parse(path, source, 0)
	var e syntax.Error
	if errors.As(err, &e) {
		if e.Msg == "got for, want ','" || e.Msg == "got for, want ')'" {
			e.Msg = "what goes through something stands in brackets: all([x > 0 for x in xs])"
		}
		return nil, &located{e.Pos.String(), e.Msg}
	}
	if err == nil {
		err = onceEach(f)
	}
	if err == nil {
		l.notePremises(f, source)
		err = rewrite(f)
	}
	return f, err
}

// nested refuses brackets that are nested too deep, be they in strings.
func nested(path string, source []byte) error {
	depth, line := 0, 1
	for _, c := range source {
		switch c {
		case '\n':
			line++
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
		if depth > maxNesting {
			return &located{
				fmt.Sprintf("%s:%d", path, line),
				fmt.Sprintf("brackets are nested more than %d deep", maxNesting),
			}
		}
	}
	return nil
}

// misspelt tells all names that are not known, with those that are near.
func misspelt(err error, library starlark.StringDict) error {
	var all resolve.ErrorList
	if !errors.As(err, &all) || len(all) == 0 {
		return err
	}
	what := all[0].Msg
	if name, is := strings.CutPrefix(what, "undefined: "); is {
		name, _, _ = strings.Cut(name, " ")
		what = fmt.Sprintf(
			"there is no %s%s",
			name,
			usage.Nearest(name, append(library.Keys(), starlark.Universe.Keys()...)),
		)
	}
	return &located{all[0].Pos.String(), what}
}

// describe takes the title and the text of a model from the string with which its file begins.
func (b *builder) describe(f *syntax.File) {
	if len(f.Stmts) == 0 {
		return
	}
	first, _ := f.Stmts[0].(*syntax.ExprStmt)
	if first == nil {
		return
	}
	if text, ok := first.X.(*syntax.Literal); ok && text.Token == syntax.STRING {
		title, doc, _ := strings.Cut(strings.TrimSpace(text.Value.(string)), "\n")
		b.spec.Title, b.spec.Doc = strings.TrimSuffix(title, "."), strings.Join(strings.Fields(doc), " ")
	}
}

// makes keeps the model that the file makes.
func (b *builder) makes(in model.Instance, err error) error {
	if b.made {
		return fmt.Errorf("a file makes one model, and this is the second")
	}
	in.Until = b.searches.until
	b.made, b.built = true, &in
	return err
}
