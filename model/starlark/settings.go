package starfile

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model/usage"
)

// settings are the arguments of a declaration.
type settings struct {
	of     string // the declaration, for messages
	names  []string
	fields map[string]starlark.Value
	rest   starlark.Tuple // arguments behind the one that may have more behind it
	named  []starlark.Tuple
	err    error // the first
}

// settingsOf reads the arguments of a declaration: those without a name in the order of names. Behind a name
// with a star any number may stand. A star alone: all arguments are read elsewhere.
func settingsOf(of, names string, args starlark.Tuple, named []starlark.Tuple) *settings {
	s := &settings{of: of, fields: map[string]starlark.Value{}, named: named}
	if names == "*" {
		s.rest = args
		return s
	}
	for i, name := range strings.Fields(names) {
		first, many := strings.CutSuffix(name, "*")
		if s.names = append(s.names, first); many && len(args) > i+1 {
			args, s.rest = args[:i+1], args[i+1:]
		}
	}
	if len(args) > len(s.names) {
		s.fail("it takes at most %d arguments, and %d were given", len(s.names), len(args))
		return s
	}
	for i, v := range args {
		if _, is := v.(*starlark.Function); is && s.names[i] == "name" {
			s.fail("the name comes first: %s(\"name\", ...)", of)
		}
		s.fields[s.names[i]] = v
	}
	for _, pair := range named {
		name := string(pair[0].(starlark.String))
		if _, twice := s.fields[name]; twice {
			s.fail("%s is given twice", name)
		}
		if !slices.Contains(s.names, name) {
			s.fail("there is no argument %q%s; there are %s",
				name, usage.Nearest(name, s.names), words(s.names))
		}
		s.fields[name] = pair[1]
	}
	return s
}

func words(names []string) (all string) { return strings.Join(names, ", ") }

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

// setting returns a value of some type; its zero value if there is none.
func setting[T starlark.Value](s *settings, name, allowed string) (v T) {
	given := s.given(name)
	if given == nil {
		return v
	}
	v, ok := given.(T)
	if !ok {
		s.fail("%s is %s; allowed: %s", name, short(given), allowed)
	}
	return v
}

func (s *settings) text(name string) string {
	return string(setting[starlark.String](s, name, "a string"))
}
func (s *settings) flag(name string) bool {
	return bool(setting[starlark.Bool](s, name, "True and False"))
}

func (s *settings) function(name string) starlark.Callable {
	return setting[starlark.Callable](s, name, "a function")
}

// needs is function, of something that has to be given.
func (s *settings) needs(name string) starlark.Callable {
	if s.given(name) == nil {
		s.fail("%s is missing: a function", name)
	}
	return s.function(name)
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

// typeIn reads a type.
func (s *settings) typeIn(name string) valueType {
	v := s.given(name)
	if v == nil {
		s.fail("%s is missing: a type", name)
		return nil
	}
	t, err := typeOf(v)
	if err != nil {
		s.fail("%s: %v", name, err)
	}
	return t
}

// oneOf returns which of some words a setting is; -1 if it is not given.
func (s *settings) oneOf(name string, allowed ...string) int {
	if s.given(name) == nil {
		return -1
	}
	i := slices.Index(allowed, s.text(name))
	if i < 0 {
		s.fail("%s is %s; allowed: %s", name, short(s.given(name)), words(allowed))
	}
	return i
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
	list, ok := v.(starlark.Iterable)
	if !ok {
		return nil, misfit(v, "lists, ranges and sets")
	}
	for x := range starlark.Elements(list) {
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
