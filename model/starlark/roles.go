package starfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A roleValue is a role of processes: some processes with a local record, steps and handlers of their own. In
// a file it is the sequence of their numbers. Processes without roles are one role without a name.
type roleValue struct {
	typed
	set      *settings
	first, n int // the number of the first process in the file, and how many there are
	local    *valueType
}

var (
	_ starlark.Indexable = (*roleValue)(nil)
	_ starlark.Sequence  = (*roleValue)(nil)
	_ starlark.HasBinary = (*roleValue)(nil)
)

// role(n, local, steps, receive, ...) declares n processes; processes(NAME = role) names them.
func (b *builder) role(set *settings) (starlark.Value, error) {
	r := &roleValue{set: set, first: b.inRoles + 1, n: set.whole("n", 1)}
	r.local = set.record("local", "the variables of a process with their types")
	b.inRoles += r.n
	b.roles++
	return r, set.err
}

func (*roleValue) Type() string                 { return "role" }
func (r *roleValue) Len() int                   { return r.n }
func (r *roleValue) Index(i int) starlark.Value { return number(r.first + i) }
func (r *roleValue) Iterate() starlark.Iterator { return r.numbers().Iterate() }
func (r *roleValue) Truth() starlark.Bool       { return r.n > 0 }
func (r *roleValue) has(x int) bool             { return r.first <= x && x < r.first+r.n }
func (r *roleValue) numbers() (t starlark.Tuple) {
	for i := range r.n {
		t = append(t, r.Index(i))
	}
	return t
}

// Binary is `x in role`.
func (r *roleValue) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	if x, err := starlark.AsInt32(y); op == syntax.IN && side == starlark.Right && err == nil {
		return starlark.Bool(r.has(x)), nil
	}
	return nil, nil
}

// rolesOf returns the roles of processes: those with names, or one of all processes.
func (b *builder) rolesOf(set *settings) []*roleValue {
	if b.roles == 0 {
		all := &roleValue{set: set, first: set.whole("first", 1), n: set.whole("n", 0)}
		all.local = set.record("local", "the variables of a process with their types")
		return []*roleValue{all}
	}
	for _, name := range strings.Fields(
		"n first local steps receive init crash recover durable notice units constraint") {
		if set.given(name) != nil {
			set.fail("%s is an argument of each role(...) here", name)
		}
	}
	slices.SortFunc(set.roles, func(x, y *roleValue) int { return x.first - y.first })
	if len(set.roles) != b.roles {
		set.fail("there are %d roles, and %d have a name here: processes(client = ..., server = ...)",
			b.roles, len(set.roles))
	}
	b.procs = roleNames(set.roles)
	return set.roles
}

// roleNames are the names of the processes of roles: the role's, with a number if it has several; nil: no
// process is in a role.
func roleNames(roles []*roleValue) (names []string) {
	for _, r := range roles {
		for i := range r.n {
			switch {
			case r.name == "":
				return nil
			case r.n == 1:
				names = append(names, r.name)
			default:
				names = append(names, fmt.Sprint(r.name, i+1))
			}
		}
	}
	return names
}

// roleAt is the index of the role of a process.
func (c *composition) roleAt(p model.Proc) int {
	return slices.IndexFunc(c.roles, func(r *roleValue) bool { return r.has(int(p) + c.first) })
}

// roleOf is the role of a local state, with the bytes of its record. With several roles, the first byte is
// the role's index.
func (c *composition) roleOf(bytes string) (*roleValue, string) {
	if len(c.roles) == 1 || bytes == "" { // none: the zero value, whose variables are only listed
		return c.roles[0], bytes
	}
	if int(bytes[0]) >= len(c.roles) {
		panic(foreign("a local state of no role"))
	}
	return c.roles[bytes[0]], bytes[1:]
}

// packed is the local state that a function has made of a record of a process.
func (c *composition) packed(f starlark.Callable, p model.Proc, me *record) local {
	bytes := packedBy(f, me)
	if len(c.roles) > 1 {
		bytes = string([]byte{byte(c.roleAt(p))}) + bytes
	}
	return local{bytes}
}

// locals is the type of the local states of all roles.
func (c *composition) locals() *valueType {
	if len(c.roles) == 1 {
		return c.roles[0].local
	}
	return newUnion(mapped(c.roles, func(r *roleValue) *valueType { return r.local }))
}

// steps makes the steps of all roles. Steps that have one name in several roles have their role's before it.
func (c *composition) steps() (all []model.Handler[local, message]) {
	roles := map[string]int{}
	for _, r := range c.roles {
		for _, s := range r.set.steps("steps") {
			roles[s.name]++
		}
	}
	for k, r := range c.roles {
		for _, s := range r.set.steps("steps") {
			name := s.name
			if roles[name] > 1 && r.name != "" {
				name = r.name + " " + name
			}
			all = append(all, model.Handler[local, message]{
				Name: name, Source: s.lines, Kind: s.kind, Request: s.request,
				Do: func(p model.Proc, l *local, out *outbox) bool {
					return c.roleAt(p) == k && c.take(p, l, out, s.f)
				},
			})
		}
	}
	return all
}

// receivers makes one receiver of each type of messages, for all roles.
func (c *composition) receivers() (all []model.Receiver[local, message]) {
	for _, of := range c.messages.types {
		by := make([]*stepValue, len(c.roles))
		var first *stepValue
		for k, r := range c.roles {
			for _, s := range r.set.steps("receive") {
				if s.of.equals(of) && by[k] == nil {
					by[k], first = s, cmp.Or(first, s)
				}
			}
		}
		all = append(all, model.Receiver[local, message]{
			Name: first.name, Source: first.lines,
			Accepts: func(m message) bool { return c.messages.kindOf(&unpacker{bytes: m.bytes}) == of },
			Do: func(p, from model.Proc, m message, l *local, out *outbox) bool {
				s := by[c.roleAt(p)]
				if s == nil {
					panic(mistakeIn(first.f, fmt.Sprintf("%s receives no %s; its receive = [on(...)] lists "+
						"the messages", c.roles[c.roleAt(p)].name, of.tag)))
				}
				return c.take(p, l, out, s.f, c.id(from), c.messages.unpackedMessage(m.bytes))
			},
		})
	}
	return all
}

// event is the first step that some role declares under a name, or a step that does nothing if a role has
// another argument instead; nil: no role has either.
func (c *composition) event(name string, instead ...string) (first *stepValue) {
	for _, r := range c.roles {
		s := r.event(name)
		if s == nil && slices.ContainsFunc(instead, func(n string) bool { return r.set.given(n) != nil }) {
			s = &stepValue{name: name}
		}
		first = cmp.Or(first, s)
	}
	return first
}

func (r *roleValue) event(name string) *stepValue {
	v := r.set.given(name)
	if v == nil {
		return nil
	}
	s, is := stepOf(v)
	if !is {
		r.set.fail("%s is %s; allowed: a function, or what step(...) returns", name, short(v))
	}
	return s
}

// occurs runs the step of an event of a process. A role without it, and without what is durable, does not
// take part.
func (c *composition) occurs(name string, p model.Proc, l *local, out *outbox, more ...starlark.Value) bool {
	r := c.roles[c.roleAt(p)]
	if s := r.event(name); s != nil {
		return c.take(p, l, out, s.f, more...)
	}
	return r.set.given("durable") != nil && name == "recover"
}

// ofRoles makes a function of local states of one function of each role; roles without it have a value. Nil:
// no role has it.
func (c *composition) ofRoles(name, want string, otherwise int) func(*local) int {
	all, some := make([]func(*local) int, len(c.roles)), false
	for k, r := range c.roles {
		all[k] = c.ofLocal(r.set.function(name), want)
		some = some || all[k] != nil
	}
	if !some {
		return nil
	}
	return func(l *local) int {
		k := 0
		if len(all) > 1 {
			k = int(l.bytes[0])
		}
		if all[k] == nil {
			return otherwise
		}
		return all[k](l)
	}
}

// change lets a function, unless it is nil, change a local state, and returns the result.
func (c *composition) change(f starlark.Callable, p model.Proc, me *record) local {
	if f != nil {
		c.b.searches.run(&call{}, f, me)
	}
	return c.packed(f, p, me)
}

// initial makes the initial local states: the first value of the type, changed by init.
func (c *composition) initial(p model.Proc) local {
	return c.change(c.roles[c.roleAt(p)].set.function("init"), p, c.zero(p))
}

// zero is the first value of the record of a process.
func (c *composition) zero(p model.Proc) *record {
	me := c.roles[c.roleAt(p)].local.zero().(*record)
	me.id = c.id(p)
	return me
}

// crash leaves the first value of each variable that is not durable. Without durable ones, the file's
// function alone decides, if there is one.
func (c *composition) crash() func(model.Proc, *local) {
	kept := mapped(c.roles, (*roleValue).durable)
	return func(p model.Proc, l *local) {
		k := c.roleAt(p)
		me, f := c.see(p, l), c.roles[k].set.function("crash")
		if kept[k] != nil || f == nil {
			was := me
			me = c.zero(p)
			for _, i := range kept[k] {
				me.xs[i] = was.get(i)
			}
		}
		*l = c.change(f, p, me)
	}
}

// durable returns the indices of the fields that outlive a crash; nil: the file names none.
func (r *roleValue) durable() (all []int) {
	for _, name := range r.set.strings("durable") {
		i := slices.Index(r.local.fields, name)
		if all = append(all, i); i < 0 {
			r.set.fail("durable: there is no field %q%s; there are %s", name,
				usage.Nearest(name, r.local.fields), words(r.local.fields))
		}
	}
	return all
}
