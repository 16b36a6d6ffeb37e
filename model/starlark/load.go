// Package starfile reads models from files in Starlark (https://github.com/bazelbuild/starlark), a
// deterministic dialect of Python without access to the machine: [Load] reads a file and returns its
// model.Spec. docs/files.md is the reference of the language; specs/files has examples.
//
// A file is executed once to find its parameters, with their defaults, and once for each instance, with the
// values of that instance, to make the model. So parameters are plain values in the file.
//
// A model in a file becomes the same as a model in Go: processes a model.Composition, a system a model.System
// over words. One codec packs local states, messages, histories and states of systems in bits: equal values,
// equal bits, on every machine. The kernel calls a handler of processes once for each memo key; actions of
// systems, and all properties, are remembered here by the variables that they read: see memo.
//
// Before the model is made, a static pass goes through the functions that the model calls, with the types of
// their arguments: see pass. A mistake in all instances is an error.
//
// From below: bits, types, containers and records are values and their codec; run executes functions of the
// model, memo remembers their results; library and declare are the names of the language; tree and premise
// change the syntax tree; shape, infer and pass are the static pass; steps, property, compose, global and
// system make the model; load executes files.
package starfile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/model/usage"
)

// Extension is the extension of files that hold a model.
const Extension = ".star"

// maxSource bounds the size of a file in bytes.
const maxSource = 256 << 10

// Load reads a model from a file, whose path is the name of the model. An error begins with its place in the
// file.
func Load(path string) (*model.Spec, error) { return LoadWith(path, os.ReadFile) }

// LoadWith is Load with the function that reads files. Its error for a missing one is os.ErrNotExist.
func LoadWith(path string, read readFunc) (*model.Spec, error) {
	spec := &model.Spec{Name: path}
	first, err := execute(path, read, spec, nil)
	if err != nil {
		return nil, err
	}
	spec.Title = cmp.Or(spec.Title, filepath.Base(path))
	spec.Build = func(a *model.Args) (model.Instance, error) {
		b, err := execute(path, read, &model.Spec{Name: path, Params: spec.Params}, a)
		if err != nil {
			return model.Instance{}, err
		}
		b.made.Text = b.text().Digest()
		if draw := b.spec.Picture; draw != nil {
			b.made.Picture = func(at model.State) drawing.Drawing { return draw(a, at) }
		}
		return *b.made, b.readsOnly(first)
	}
	return spec, nil
}

// A builder is one execution of a file, with the files that it loads: it keeps what they declare.
type builder struct {
	path  string
	read  readFunc
	spec  *model.Spec     // that is filled in
	args  *model.Args     // nil: the execution that finds the parameters
	looks bool            // the file is executed for the static pass only
	made  *model.Instance // nil: the file has made no model yet; empty where none is to be built

	call    call                           // of all files together
	files   map[string]starlark.StringDict // nil: the file is being executed
	sources map[string][]byte
	library starlark.StringDict

	entries  entries               // the functions that the model calls
	premises map[string][]*premise // of properties, by where their functions stand
	rounds   []int
	roles    int                   // that the file declares
	inRoles  int                   // processes in them
	procs    []string              // their names
	endless  bool                  // endless_params() was called
	seen     map[syntax.Node]shape // for editors: see pass
	at, in   string                // where the declaration stands that is executed, and its file
	words    map[string]*valueType // of parameters whose values are words, by where they stand

	abstract    bool              // another file implements the model
	bounded     bool              // a constraint leaves states of the model out, or times have no end
	refinements []*refinement     // that the file declares
	beside      map[string][]byte // files of the models that the model implements
	// filled returns the state of the model that has some values.
	filled func(values *starlark.Dict) (model.State, error)

	room     atomic.Int64 // for nodes of memos
	searches cancelGroup
}

// A readFunc reads a file; the error of a missing one is os.ErrNotExist.
type readFunc = func(path string) ([]byte, error)

func newBuilder(path string, read readFunc, spec *model.Spec, args *model.Args) *builder {
	b := &builder{path: path, read: read, spec: spec, args: args, files: map[string]starlark.StringDict{},
		sources: map[string][]byte{}, beside: map[string][]byte{}, premises: map[string][]*premise{},
		words: map[string]*valueType{}}
	b.call = call{loading: true, searches: &b.searches, steps: maxSteps, left: maxSteps}
	b.room.Store(maxNodes)
	b.library = b.names()
	return b
}

// execute executes a file once; args are nil in the execution that finds the parameters.
func execute(path string, read readFunc, spec *model.Spec, args *model.Args) (*builder, error) {
	b := newBuilder(path, read, spec, args)
	return b, b.execute()
}

func (b *builder) execute() error {
	_, err := b.file(b.path)
	if err == nil && b.made != nil && b.args != nil {
		err = b.mistaken()
	}
	if err != nil {
		return reported(err)
	}
	if b.made == nil {
		return &located{Where: b.path, What: "it makes no model: processes(...) or system(...) does"}
	}
	return nil
}

func (b *builder) makes(in model.Instance, err error) error {
	if b.made != nil {
		return fmt.Errorf("a file makes one model, and this is the second")
	}
	in.Until = b.searches.until
	b.made = &in
	for _, r := range b.refinements {
		r.begin(in)
	}
	return err
}

var options = &syntax.FileOptions{Set: true, TopLevelControl: true, GlobalReassign: true}

func (b *builder) file(path string) (starlark.StringDict, error) {
	source, err := readFile(b.read, path)
	if err != nil {
		return nil, err
	}
	b.files[path], b.sources[path] = nil, source
	parsed, err := b.parse(path, source)
	if err != nil {
		return nil, err
	}
	program, err := starlark.FileProgram(parsed, b.library.Has)
	if err != nil {
		return nil, misspelt(err, b.library)
	}
	t := &starlark.Thread{Load: func(_ *starlark.Thread, name string) (starlark.StringDict, error) {
		return b.load(path, name)
	}}
	b.call.begin(t)
	globals, err := program.Init(t, b.library)
	if err != nil {
		return nil, err
	}
	globals.Freeze()
	b.files[path] = globals
	return globals, nil
}

// find returns the path of a file that another one names: in the same folder or below it. how is the call.
func (b *builder) find(how, from, name string) (path string, err error) {
	path = filepath.Join(filepath.Dir(from), name)
	if !filepath.IsLocal(name) || filepath.Ext(name) != Extension {
		return "", fmt.Errorf("%s(%q): allowed are %s files in the same folder, or in folders in it",
			how, name, Extension)
	}
	if _, err := b.read(path); errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s(%q): there is no such file", how, name)
	}
	return path, nil
}

// load executes a file that another one loads.
func (b *builder) load(from, name string) (starlark.StringDict, error) {
	path, err := b.find("load", from, name)
	if err != nil {
		return nil, err
	}
	if globals, begun := b.files[path]; begun {
		if globals == nil {
			return nil, fmt.Errorf("load(%q): the files load each other in a circle", name)
		}
		return globals, nil
	}
	return b.file(path)
}

// Parse reads the syntax of a file with a model, for readers that do not execute it.
func Parse(path string) (*syntax.File, error) {
	source, err := readFile(os.ReadFile, path)
	if err != nil {
		return nil, err
	}
	f, err := options.Parse(path, source, 0)
	if e, is := errors.AsType[syntax.Error](err); is {
		return nil, locate(e.Pos, "%s", e.Msg)
	}
	return f, err
}

func readFile(read readFunc, path string) ([]byte, error) {
	source, err := read(path)
	if errors.Is(err, os.ErrNotExist) {
		err = errors.New("there is no such file")
	} else if at := bytes.IndexByte(source, 0); at >= 0 {
		err = fmt.Errorf("byte %d is 0, where Starlark would end the file", at)
	} else if len(source) > maxSource {
		err = fmt.Errorf("it has %d bytes; allowed are %d", len(source), maxSource)
	}
	if err != nil {
		return nil, &located{Where: path, What: err.Error()}
	}
	return source, nil
}

// parse reads the syntax of a file, checks it and changes it.
func (b *builder) parse(path string, source []byte) (*syntax.File, error) {
	f, err := options.Parse(path, source, 0)
	if e, is := errors.AsType[syntax.Error](err); is {
		return nil, locate(e.Pos, "%s", unlearn(e.Msg))
	}
	if err == nil {
		err = onceEach(f.Stmts, map[string]syntax.Position{})
	}
	if err != nil {
		return nil, err
	}
	if path == b.path {
		b.describe(f)
	}
	b.notePremises(f, source)
	return f, rewrite(f)
}

// misspelt names the first name that is not known, with a near one.
func misspelt(err error, library starlark.StringDict) error {
	all, _ := errors.AsType[resolve.ErrorList](err)
	if len(all) == 0 {
		return err
	}
	what := unlearn(all[0].Msg)
	if name, is := strings.CutPrefix(what, "undefined: "); is {
		name, _, _ = strings.Cut(name, " ")
		what = fmt.Sprintf("there is no %s%s", name,
			usage.Nearest(name, append(library.Keys(), starlark.Universe.Keys()...)))
	}
	return locate(all[0].Pos, "%s", what)
}

// describe takes the title and the text of a model from the string with which its file begins.
func (b *builder) describe(f *syntax.File) {
	var text *syntax.Literal
	if len(f.Stmts) > 0 {
		if first, is := f.Stmts[0].(*syntax.ExprStmt); is {
			text, _ = first.X.(*syntax.Literal)
		}
	}
	if text != nil && text.Token == syntax.STRING {
		title, doc, _ := strings.Cut(strings.TrimSpace(text.Value.(string)), "\n")
		b.spec.Title, b.spec.Doc = strings.TrimSuffix(title, "."), strings.Join(strings.Fields(doc), " ")
	}
}

// A Source is the text of a model: of its file, and of the files that this one loads or implements, by
// their paths with slashes from the folder of the first. Which files there are does not depend on
// parameters: load stands at the top level only, and for implements see readsOnly. A Source makes the model
// on another machine.
type Source map[string]string

// ReadSource reads the file of a model, and the files that it loads.
func ReadSource(path string) (Source, error) {
	b, err := execute(path, os.ReadFile, &model.Spec{Name: path}, nil)
	if err != nil {
		return nil, err
	}
	return b.text(), nil
}

// Load reads the model, as [Load] reads it from the file at path; no file is read.
func (s Source) Load(path string) (*model.Spec, error) {
	return LoadWith(path, func(file string) ([]byte, error) {
		text, ok := s[inSource(path, file)]
		if !ok {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	})
}

// Digest identifies the text: 32 hexadecimal digits.
func (s Source) Digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(h, "%q %q\n", name, s[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// text is the text that was executed.
func (b *builder) text() Source {
	s := Source{}
	for _, files := range []map[string][]byte{b.sources, b.beside} {
		for file, text := range files {
			s[inSource(b.path, file)] = string(text)
		}
	}
	return s
}

// inSource is the name in a Source of a file that the file at path loads, or of that file itself.
func inSource(path, file string) string {
	name, err := filepath.Rel(filepath.Dir(path), file)
	if err != nil {
		name = file // never: a file is loaded from the folder of the first, or below
	}
	return filepath.ToSlash(name)
}
