package file

import (
	"maps"
	"slices"
	"strconv"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// A Source is a file as one who translates it sees it: its syntax, and what its expressions are worth in
// some instances.
type Source struct {
	Spec *model.Spec
	// Files are the syntax trees, of those that are loaded before those that load them.
	Files []*syntax.File
	// tried are the globals of the instances tried, and the library.
	tried []starlark.StringDict
}

// Open reads a file to translate it. It is executed for instances with the largest numbers that the
// parameters may have together, and with each word.
func Open(path string) (*Source, error) {
	spec, err := Load(path)
	if err != nil {
		return nil, err
	}
	s := &Source{Spec: spec}
	base := map[string]string{}
	if !s.try(path, base) {
		_, _, err := spec.Instantiate(nil)
		return nil, err
	}
	for _, p := range spec.Params {
		if r := p.Type.Range; r != nil && p.Type.Form == "number" {
			more := maps.Clone(base)
			more[p.Name] = strconv.Itoa(r[1])
			if s.try(path, more) {
				base = more
			}
		}
	}
	for _, p := range spec.Params {
		if p.Type.Form != "word" {
			continue
		}
		for _, w := range p.Type.Words {
			more := maps.Clone(base)
			more[p.Name] = w
			s.try(path, more)
		}
	}
	return s, nil
}

// try executes the file with some values of parameters, and keeps what its globals are then.
func (s *Source) try(path string, values map[string]string) (ok bool) {
	var given []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		given = append(given, name+"="+values[name])
	}
	args, err := s.Spec.ParseArgs(given)
	if err != nil {
		return false
	}
	defer func() { // what a model does wrong in this instance is not asked here
		if recover() != nil {
			ok = false
		}
	}()
	b := &builder{spec: &model.Spec{Name: path}, args: args, looks: true}
	b.room.Store(maxNodes)
	l := newLoading(b)
	l.keep = s.tried == nil
	if _, err := l.file(path); err != nil {
		return false
	}
	if s.tried == nil {
		s.Files = l.plain
	}
	all := maps.Clone(l.library)
	for _, globals := range l.files {
		maps.Copy(all, globals)
	}
	s.tried = append(s.tried, all)
	return true
}

// Values returns what an expression is worth in the instances tried, of those where it is worth something.
func (s *Source) Values(e syntax.Expr) (all []starlark.Value) {
	for _, globals := range s.tried {
		t := &starlark.Thread{Print: noPrint}
		(&call{loading: true, budget: newBudget()}).begin(t)
		if v, err := starlark.EvalExprOptions(options, t, e, globals); err == nil {
			all = append(all, v)
		}
	}
	return all
}
