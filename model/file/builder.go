package file

import (
	"fmt"
	"sync/atomic"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A builder is one execution of a file: it keeps what the file declares.
type builder struct {
	made  bool        // it has made its model
	looks bool        // no model is made: the file is only gone through
	spec  *model.Spec // that is filled in
	args  *model.Args // nil: the execution that finds out which parameters there are
	built *model.Instance
	room  atomic.Int64 // for nodes of memos
	vigil vigil

	entries  entries               // what the model calls
	premises map[string][]*premise // of properties, by where their functions stand

	rounds  []int
	endless bool // endless() was called
}

// A settable is a setting of the language that many declarations have: name, doc and so on.
type settings struct {
	fields map[string]starlark.Value
	of     string // the declaration, for messages
	err    error  // the first
}

// settingsOf reads the arguments of a declaration: those without a name in the order of names.
func settingsOf(of string, args starlark.Tuple, named []starlark.Tuple, names ...string) *settings {
	s := &settings{fields: map[string]starlark.Value{}, of: of}
	if len(args) > len(names) {
		s.fail("it takes at most %d arguments, and %d were given", len(names), len(args))
		return s
	}
	for i, v := range args {
		if _, is := v.(*starlark.Function); is && names[i] == "name" {
			s.fail("the name comes first: %s(\"name\", ...)", of)
		}
		s.fields[names[i]] = v
	}
	for _, pair := range named {
		name := string(pair[0].(starlark.String))
		if _, twice := s.fields[name]; twice {
			s.fail("%s is given twice", name)
		}
		known := false
		for _, n := range names {
			known = known || n == name
		}
		if !known {
			s.fail("there is no argument %q%s; there are %s", name, usage.Nearest(name, names), words(names))
		}
		s.fields[name] = pair[1]
	}
	return s
}

func words(names []string) (all string) {
	for i, n := range names {
		if i > 0 {
			all += ", "
		}
		all += n
	}
	return all
}

func (s *settings) fail(format string, a ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(s.of+": "+format, a...)
	}
}

// given returns a value; nil if there is none, or None.
func (s *settings) given(name string) starlark.Value {
	if v := s.fields[name]; v != starlark.None {
		return v
	}
	return nil
}

func (s *settings) text(name string) string {
	v := s.given(name)
	if v == nil {
		return ""
	}
	text, ok := starlark.AsString(v)
	if !ok {
		s.fail("%s is %s; allowed: a string", name, short(v))
	}
	return text
}

func (s *settings) flag(name string) bool {
	v := s.given(name)
	if v == nil {
		return false
	}
	b, ok := v.(starlark.Bool)
	if !ok {
		s.fail("%s is %s; allowed: True and False", name, short(v))
	}
	return bool(b)
}

// whole reads a number from 0 on.
func (s *settings) whole(name string, otherwise int) int {
	v := s.given(name)
	if v == nil {
		return otherwise
	}
	x, err := starlark.AsInt32(v)
	if err != nil || x < 0 {
		s.fail("%s is %s; allowed: a whole number from 0 on", name, short(v))
	}
	return x
}

func (s *settings) function(name string) starlark.Callable {
	v := s.given(name)
	if v == nil {
		return nil
	}
	f, ok := v.(starlark.Callable)
	if !ok {
		s.fail("%s is %s; allowed: a function", name, short(v))
		return nil
	}
	return f
}

// needs is function, of something that has to be given.
func (s *settings) needs(name string) starlark.Callable {
	if s.given(name) == nil {
		s.fail("%s is missing: a function", name)
	}
	return s.function(name)
}

// list returns the elements of a list; nil if there is none.
func (s *settings) list(name string) (all []starlark.Value) {
	v := s.given(name)
	if v == nil {
		return nil
	}
	all, err := elements(v)
	if err != nil {
		s.fail("%s: %v", name, err)
	}
	return all
}

// elements returns the elements of anything that can be gone through.
func elements(v starlark.Value) (all []starlark.Value, err error) {
	it := starlark.Iterate(v)
	if it == nil {
		return nil, misfit(v, "lists, ranges and sets")
	}
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		if all = append(all, x); len(all) > longest {
			return nil, fmt.Errorf("it has more than %d elements", longest)
		}
	}
	return all, nil
}

// strings returns a list of strings.
func (s *settings) strings(name string) (all []string) {
	for _, v := range s.list(name) {
		switch x := v.(type) {
		case starlark.String:
			all = append(all, string(x))
		case *stepValue:
			all = append(all, x.name)
		case starlark.Callable:
			all = append(all, x.Name())
		default:
			s.fail("%s holds %s; allowed: strings, and functions of the model", name, short(v))
		}
	}
	return all
}

// builtin makes a function of the language.
func (b *builder) builtin(
	name string,
	f func(args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error),
) *starlark.Builtin {
	return starlark.NewBuiltin(
		name,
		func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (
			starlark.Value, error) {
			if c, _ := t.Local(callKey).(*call); c != nil && !c.loading {
				return nil, fmt.Errorf(
					"%s declares something, and cannot be called in a step or a property",
					name,
				)
			}
			if err := seal(args, named); err != nil {
				return nil, err
			}
			return f(args, named)
		},
	)
}
