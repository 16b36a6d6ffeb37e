package starfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model/usage"
)

// A declaration is a function that declares a part of a model, with the names of its arguments. Behind the
// name of an argument that is a function of the model stand the roles of its arguments in round brackets, or
// in square ones if the argument is a list of functions. A role with a question mark is passed only to a
// function with that many arguments. Behind a name with a star there may be any number of arguments; a star
// alone means fields.
type declaration struct {
	name, args string
	make       func(b *builder, s *settings) (starlark.Value, error) // nil: the arguments are the value
}

// declarations are all of them, in the order of docs/files.md, their reference.
var declarations = []declaration{
	{"param", "name default values doc", (*builder).param},
	{"require", "ok parameter allowed", (*builder).require},
	{"fairness_param", "", (*builder).fairnessParam},
	{"rounds_param", "n first", (*builder).roundsParam},
	{"network_params", "n crashes crash_sends first recover", (*builder).networkParams},
	{"endless_params", "", (*builder).endlessParams},
	{"reference", "args states depth generated violated origin large", (*builder).reference},
	{"source", "text", (*builder).source},

	{"record", "*", (*builder).record},
	{"message", "*", (*builder).message},
	{"enum", "*", (*builder).typeFrom},
	{"union", "*", (*builder).typeFrom},
	{"timer", "most", (*builder).timer},
	{"array", "keys of", (*builder).typeFrom},
	{"set_of", "of", (*builder).typeFrom},
	{"list_of", "of max", (*builder).typeFrom},
	{"dict_of", "keys of", (*builder).typeFrom},
	{"optional", "of", (*builder).typeFrom},
	{"proc", "of", (*builder).typeFrom},

	{"processes", "n local steps[me] receive[me,sender,message] properties init(me) notice(me,victim) " +
		"units(me) capacity crash(me) recover(me) durable network channel history constraint(me) fairness " +
		"first links under_way(id) charge(sender,receiver,message) rounds within(me) limit symmetric",
		(*builder).processes},
	{"role", "n local steps[me] receive[me,sender,message] init(me) notice(me,victim) units(me) crash(me) " +
		"recover(me) durable constraint(me)", (*builder).role},
	{"step", "do name lines kind request", (*builder).step},
	{"on", "message do name lines", (*builder).step},
	{"history", "of step(past,event) guards", nil},

	{"system", "state actions[state] properties init[state] constraint(state) fairness members names " +
		"units(one) capacity dead(one) symmetric vessels", (*builder).system},
	{"action", "do* name lines kind fair text owner", (*builder).step},
	{"tick", "urgent(state) name", (*builder).tick},
	{"weak", "name steps by values", nil},
	{"strong", "name steps by values", nil},

	{"invariant", "name holds(state,member?) each(me,dead?) inbox(inbox) message(envelope) count(me) " +
		"messages(envelope) least most use(used) clear(me)" + ofRole, nil},
	{"reachable", "name goal(state)" + about, nil},
	{"at_end", "name holds(state,member?)" + ofRole, nil},
	{"deadlock_free", "name" + about, nil},
	{"step_property", "name holds(states,taker) steps" + about, nil},
	{"eventually", "name p(state,member?) begins(state,member?)" + ofRole, nil},
	{"always_eventually", "name p(state,member?)" + ofRole, nil},
	{"eventually_always", "name p(state,member?)" + ofRole, nil},
	{"leads_to", "name p(state,member?) q(state,member?)" + ofRole, nil},
	{"infinitely_often", "name ps[state] q(state)" + about, nil},
	{"no_run", "name start(state) initially never(state) avoids(state) visits[state]" + about, nil},
	{"served", "name waits(one)" + ofRole, nil},
	{"at_most", "k name" + about, nil},
	{"can_reach", "k name" + about, nil},
	{"no_starvation", "waits(one) name" + ofRole, nil},
	{"implements", "file mapping(state) name parameters" + about, nil}, // see names
	{"messages", "name opens closes least most" + about, nil},
	{"messages_total", "name served(state) least most" + about, nil},
}

// about are the arguments that all properties have; ofRole has the role that some are about, too.
const (
	about  = " doc source on_request moot excuse"
	ofRole = " of" + about
)

// names returns the names that a file may use besides Starlark's own.
func (b *builder) names() starlark.StringDict {
	all := starlark.StringDict{"time": newTime(false), "stamp": newTime(true), "Rounds": roundsType}
	for name, f := range helpers {
		all[name] = starlark.NewBuiltin(name, f)
	}
	for _, d := range declarations {
		all[d.name] = starlark.NewBuiltin(d.name, func(
			t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple,
		) (starlark.Value, error) {
			if !callOf(t).loading {
				return nil, fmt.Errorf(
					"%s declares something, and cannot be called in a step or a property", d.name)
			}
			for _, pair := range named {
				pair.Freeze()
			}
			args.Freeze()
			pos := t.CallFrame(1).Pos
			b.at, b.in = pos.String(), pos.Filename()
			s := settingsOf(d.name, d.args, args, named)
			if s.err != nil {
				return nil, s.err
			}
			if d.name == "implements" {
				err := b.implements(s)
				return s, cmp.Or(s.err, err)
			}
			if d.make == nil {
				return s, nil
			}
			v, err := d.make(b, s)
			return v, cmp.Or(s.err, err)
		})
	}
	return all
}

// settings are the arguments of a declaration. Those of a property, a history or a condition of fairness are
// its value in the file, until it is known whether the model is a system or processes.
type settings struct {
	typed
	of     string // the declaration
	names  []string
	takes  []string // roles of the arguments of functions, parallel to names
	fields map[string]starlark.Value
	rest   starlark.Tuple // arguments behind a name with a star
	roles  []*roleValue   // of processes, as named arguments
	named  []starlark.Tuple
	err    error // the first mistake

	refines *refinement // of implements
}

// settingsOf reads the arguments of a declaration: those without a name in the order of names.
func settingsOf(of, names string, args starlark.Tuple, named []starlark.Tuple) *settings {
	s := &settings{typed: typed{name: of}, of: of, fields: map[string]starlark.Value{}, named: named}
	if names == "*" {
		s.rest = args
		return s
	}
	for i, arg := range strings.Fields(names) {
		at := strings.IndexAny(arg+"(", "[(")
		name, many := strings.CutSuffix(arg[:at], "*")
		if s.names, s.takes = append(s.names, name), append(s.takes, arg[at:]); many && len(args) > i+1 {
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
		if r, is := pair[1].(*roleValue); is && of == "processes" {
			r.name = name
			s.roles = append(s.roles, r)
			continue
		}
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

func (s *settings) fail(format string, a ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(s.of+": "+format, a...)
	}
}

// given returns a value; nil if it is missing or None.
func (s *settings) given(name string) starlark.Value {
	if v := s.fields[name]; v != starlark.None {
		return v
	}
	return nil
}

// setting returns a value of some type; the zero value if it is missing.
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

// required is setting, where a value has to be given.
func required[T starlark.Value](s *settings, name, allowed string) T {
	if s.given(name) == nil {
		s.fail("%s is missing: %s", name, allowed)
	}
	return setting[T](s, name, allowed)
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

// needs is function, where one has to be given.
func (s *settings) needs(name string) starlark.Callable {
	return required[starlark.Callable](s, name, "a function")
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

// typeIn reads a type that has to be given.
func (s *settings) typeIn(name string) *valueType {
	t, err := typeOf(required[starlark.Value](s, name, "a type"))
	if err != nil {
		s.fail("%s: %v", name, err)
		return boolType
	}
	return t
}

// oneOf returns the index of a setting among some words; -1 if it is missing.
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

// list returns the elements of a list, or a function alone; nil if it is missing.
func (s *settings) list(name string) (all []starlark.Value) {
	v := s.given(name)
	if v == nil {
		return nil
	}
	if _, one := v.(*starlark.Function); one {
		return []starlark.Value{v}
	}
	all, err := elements(v)
	if err != nil {
		s.fail("%s: %v", name, err)
	}
	return all
}

// record reads a type of records that has to be given.
func (s *settings) record(name, holds string) *valueType {
	of := required[*recordType](s, name, "record(...), "+holds)
	if of == nil || of.tag != "" {
		s.fail("%s is %s; allowed: record(...), %s", name, short(s.given(name)), holds)
		return given(name)
	}
	return of.valueType
}

// listOf returns the elements of a list, which a function converts or refuses.
func listOf[T any](s *settings, name, allowed string, as func(v starlark.Value) (T, bool)) (all []T) {
	for _, v := range s.list(name) {
		x, ok := as(v)
		if !ok {
			s.fail("%s holds %s; allowed: %s", name, short(v), allowed)
			return nil
		}
		all = append(all, x)
	}
	return all
}

func cast[T starlark.Value](v starlark.Value) (T, bool) { x, ok := v.(T); return x, ok }

// having converts what declarations with an argument return.
func having(argument string) func(starlark.Value) (*settings, bool) {
	return func(v starlark.Value) (*settings, bool) {
		s, ok := v.(*settings)
		return s, ok && slices.Contains(s.names, argument)
	}
}

// strings returns a list of strings, or of functions and steps, which have names.
func (s *settings) strings(name string) []string {
	return listOf(s, name, "strings, and functions of the model", func(v starlark.Value) (string, bool) {
		text, ok := starlark.AsString(v)
		if step, is := stepOf(v); is {
			return step.name, true
		}
		return text, ok
	})
}
