package goform

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// arguments are those of a call, by the names of the parameters.
func arguments(e *syntax.CallExpr, names ...string) map[string]syntax.Expr {
	all := map[string]syntax.Expr{}
	for i, x := range e.Args {
		name := ""
		if named, ok := x.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			name, x = named.X.(*syntax.Ident).Name, named.Y
		} else if i < len(names) {
			name = names[i]
		}
		if !slices.Contains(names, name) {
			refuse(x, "this argument")
		}
		if id, ok := bare(x).(*syntax.Ident); !ok || id.Name != "None" {
			all[name] = x
		}
	}
	return all
}

// textOf is a string of a declaration, in Go.
func (t *translator) textOf(c *scope, e syntax.Expr) string {
	if e == nil {
		return `""`
	}
	return c.as(e, str)
}

// param is name = param(...). What it may be the spec says.
func (t *translator) param(c *scope, name string, e *syntax.CallExpr) string {
	args := arguments(e, "name", "default", "values", "doc")
	key := t.textOf(c, args["name"])
	values := t.source.Values(args["values"])
	if len(values) == 0 {
		refuse(e, "a parameter whose values are not known")
	}
	it := starlark.Iterate(values[0])
	var v starlark.Value
	it.Next(&v) // there is one
	it.Done()
	if _, isNumber := v.(starlark.Int); !isNumber {
		return c.assignValue(&syntax.Ident{Name: name}, "a.String("+key+")", str)
	}
	for _, p := range t.source.Spec.Params {
		if strconv.Quote(p.Name) == key && p.Type.Form == "number" {
			return c.assignValue(&syntax.Ident{Name: name}, "a.Int("+key+")", integer)
		}
	}
	return c.assignValue(&syntax.Ident{Name: name}, "number(a.String("+key+"))", integer)
}

const giveUp = "if err != nil {\nreturn model.Instance{}, err\n}\n"

func (t *translator) roundsParam(c *scope, name string, e *syntax.CallExpr) string {
	args := arguments(e, "n", "first")
	n := c.as(args["n"], integer)
	first := t.constant(args["first"], 1)
	t.globals[name] = &typ{kind: kArray, of: rounds, key: integer, dom: "m." + goName(name), first: first,
		most: 64}
	return "m." + goName(name) + ", err = a.Rounds(" + n + ")\n" + giveUp
}

func (t *translator) networkParams(c *scope, name string, e *syntax.CallExpr) string {
	args := arguments(e, "n", "crashes", "crash_sends", "first")
	crashes := "0"
	if args["crashes"] != nil {
		crashes = c.as(args["crashes"], integer)
	}
	t.globals[name] = made("model.Network")
	return fmt.Sprintf("m.%s, err = a.Network(%s, %d, %s)\n%s", goName(name), c.as(args["n"], integer),
		t.constant(args["first"], 1), crashes, giveUp)
}

// constant is a number that is the same in all instances.
func (t *translator) constant(e syntax.Expr, otherwise int) int {
	if e == nil {
		return otherwise
	}
	lo, hi, ok := limits(t.source.Values(e))
	if !ok || lo != hi {
		refuse(e, "a number here that depends on parameters")
	}
	return lo
}

// limits are the least and the largest of some numbers.
func limits(values []starlark.Value) (lo, hi int, ok bool) {
	for i, v := range values {
		x, err := starlark.AsInt32(v)
		if err != nil {
			return 0, 0, false
		}
		if i == 0 {
			lo, hi = x, x
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi, len(values) > 0
}

var typeCalls = []string{"record", "message", "enum", "array", "set_of", "list_of", "dict_of", "optional",
	"proc"}

// isType reports whether an expression can only be a type.
func (t *translator) isType(e syntax.Expr) bool {
	switch e := bare(e).(type) {
	case *syntax.CallExpr:
		f, ok := e.Fn.(*syntax.Ident)
		return ok && slices.Contains(typeCalls, f.Name) && t.functions[f.Name].def == nil
	case *syntax.Ident:
		return t.types[e.Name] != nil || slices.Contains([]string{"bool", "int", "str", "time", "stamp",
			"Rounds"}, e.Name)
	case *syntax.CondExpr:
		return t.isType(e.True) && t.isType(e.False)
	}
	return false
}

// typeOf is the type that an expression stands for; hint is what it is called if it needs a name in Go.
func (t *translator) typeOf(c *scope, e syntax.Expr, hint string) *typ {
	switch x := bare(e).(type) {
	case *syntax.Ident:
		if known := t.types[x.Name]; known != nil {
			return known
		}
		switch x.Name {
		case "bool":
			return boolean
		case "int":
			return integer
		case "str":
			if t.system {
				refuse(e, "str in the state of a system")
			}
			return str
		case "time", "stamp":
			return &typ{kind: kInt, store: "uint32", time: true, stamp: x.Name == "stamp"}
		case "Rounds":
			return rounds
		}
	case *syntax.CondExpr:
		return t.either(c, x, hint)
	case *syntax.CallExpr:
		if f, ok := x.Fn.(*syntax.Ident); ok && slices.Contains(typeCalls, f.Name) {
			return t.typeCall(c, x, f.Name, hint)
		}
	}
	return t.listed(c, e)
}

// either is one type or another: of the same values, of which some are times only under the condition.
func (t *translator) either(c *scope, e *syntax.CondExpr, hint string) *typ {
	a, b := t.typeOf(c, e.True, hint), t.typeOf(c, e.False, hint)
	if a.kind != kInt || b.kind != kInt {
		if same(a, b) {
			return a
		}
		refuse(e, "a type that depends on parameters")
	}
	if !a.time && !b.time {
		return integer
	}
	condition := c.condition(e.Cond)
	if !a.time {
		a, condition = b, negated(condition)
	}
	if b.time && a.time {
		refuse(e, "a choice between times")
	}
	return &typ{kind: kInt, store: "uint32", time: true, stamp: a.stamp, timeIf: condition}
}

func (t *translator) typeCall(c *scope, e *syntax.CallExpr, f, hint string) *typ {
	switch f {
	case "record", "message":
		return t.recordOf(c, e, f == "message", hint)
	case "enum":
		return t.enum(c, e, hint)
	case "proc":
		return t.listed(c, argument(e, 0, 1))
	case "optional":
		return &typ{kind: kOption, of: t.typeOf(c, argument(e, 0, 1), hint)}
	case "set_of":
		of := t.typeOf(c, argument(e, 0, 1), hint)
		if of.kind == kInt {
			if lo, hi, ok := t.among(argument(e, 0, 1)); ok && (lo < 0 || hi > 63) {
				refuse(e, "a set of numbers other than 0 to 63")
			}
			return &typ{kind: kSet, of: integer}
		}
		if of.dom == "" || of.most > 64 {
			refuse(e, "a set of %s that are not listed, or more than 64", describe(of))
		}
		return &typ{kind: kSet, of: &typ{kind: of.kind, items: of.items, name: of.name, words: of.words},
			dom: of.dom}
	case "list_of":
		args := arguments(e, "of", "max")
		list := &typ{kind: kList, of: t.typeOf(c, args["of"], hint), most: 16}
		if args["max"] != nil {
			_, hi, ok := limits(t.source.Values(args["max"]))
			if !ok {
				refuse(e, "a list whose length is not known")
			}
			list.most = room(hi)
		}
		return list
	case "dict_of":
		args := arguments(e, "keys", "of")
		d := t.keyed(c, args["keys"], hint)
		return &typ{kind: kDict, key: d.key, dom: d.dom, first: d.first, most: d.most,
			of: t.typeOf(c, args["of"], hint)}
	}
	args := arguments(e, "keys", "of")
	a := t.keyed(c, args["keys"], hint)
	a.of = t.typeOf(c, args["of"], hint)
	return a
}

// among are the limits of the numbers that an expression lists, in all instances tried.
func (t *translator) among(e syntax.Expr) (lo, hi int, ok bool) {
	var all []starlark.Value
	for _, v := range t.source.Values(e) {
		if it := starlark.Iterate(v); it != nil {
			var x starlark.Value
			for it.Next(&x) {
				all = append(all, x)
			}
			it.Done()
		}
	}
	return limits(all)
}

// room is a capacity that a sequence may have.
func room(n int) int {
	for _, c := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 24, 28, 32, 40, 48,
		64} {
		if n <= c {
			return c
		}
	}
	return 128
}

// keyed is the type of an array with some keys.
func (t *translator) keyed(c *scope, keys syntax.Expr, hint string) *typ {
	k := t.typeOf(c, keys, hint)
	if k.kind == kBool || k.dom == "" {
		refuse(keys, "keys that are not listed")
	}
	a := &typ{kind: kArray, key: k, dom: k.dom, most: k.most}
	if k.kind == kInt {
		if k.lo != strconv.Itoa(k.first) {
			refuse(keys, "keys that are not numbers in a row")
		}
		a.key, a.first = integer, k.first
	} else {
		a.key = &typ{kind: k.kind, items: k.items}
	}
	return a
}

// listed is the type of the values that an expression lists.
func (t *translator) listed(c *scope, e syntax.Expr) *typ {
	code, list := c.expr(e, nil)
	of := element(list)
	if of == nil {
		refuse(e, "this type")
	}
	values := t.source.Values(e)
	if len(values) == 0 {
		refuse(e, "a type whose values are not known")
	}
	if list.numbers() {
		code = paren(code) + ".each()"
	}
	if id, ok := bare(e).(*syntax.Ident); !ok || t.globals[id.Name] == nil {
		t.keys++
		name := fmt.Sprintf("values%d", t.keys)
		t.globals[name] = listOf(of)
		t.prefix += "m." + name + " = " + code + "\n"
		code = "m." + name
	}
	x := &typ{kind: of.kind, of: of.of, items: of.items, dom: code}
	var all []starlark.Value
	rows, firsts := true, map[int]bool{}
	for _, v := range values {
		var mine []starlark.Value
		it := starlark.Iterate(v)
		var w starlark.Value
		for it.Next(&w) {
			mine = append(mine, w)
		}
		it.Done()
		x.most = max(x.most, len(mine))
		if lo, hi, ok := limits(mine); ok {
			rows = rows && hi-lo+1 == len(mine)
			firsts[lo] = true
		}
		all = append(all, mine...)
	}
	if of.kind == kInt {
		lo, hi, _ := limits(all)
		x.store = t.narrow(lo, hi)
		if rows {
			x.lo, x.hi = code+"[0]", code+"[len("+code+")-1]"
			if len(firsts) == 1 {
				x.first, x.lo = lo, strconv.Itoa(lo)
			}
		}
		return x
	}
	if t.system || of.kind == kAny {
		x.store = t.narrow(0, x.most)
	}
	return x
}

// narrow is the type of stored numbers between limits. States of systems are stored as they are.
func (t *translator) narrow(lo, hi int) string {
	switch {
	case !t.system && lo >= 0 || !t.system:
		return "int"
	case lo >= 0 && hi < 1<<8:
		return "uint8"
	case lo >= -1<<7 && hi < 1<<7:
		return "int8"
	case lo >= -1<<15 && hi < 1<<15:
		return "int16"
	}
	return "int32"
}

// enum is a type of words, with a constant for each.
func (t *translator) enum(c *scope, e *syntax.CallExpr, hint string) *typ {
	var words []string
	for _, x := range e.Args {
		word, ok := bare(x).(*syntax.Literal)
		if !ok || word.Token != syntax.STRING {
			return t.listed(c, &syntax.ListExpr{Lbrack: e.Lparen, List: e.Args, Rbrack: e.Rparen})
		}
		words = append(words, word.Value.(string))
	}
	x := &typ{kind: kEnum, name: hint + "Kind", words: words}
	for i := 2; t.names[x.name]; i++ {
		x.name = fmt.Sprintf("%s%dKind", hint, i)
	}
	t.names[x.name] = true
	var consts, texts []string
	for i, w := range words {
		name := x.constant(w)
		if i == 0 {
			name += " " + x.name + " = iota"
		}
		consts, texts = append(consts, name), append(texts, strconv.Quote(w))
	}
	fmt.Fprintf(&t.declarations, "\ntype %s uint8\n\nconst (\n%s\n)\n\nvar %[1]sWords = []string{%[3]s}\n\n"+
		"func (x %[1]s) String() string { return %[1]sWords[x] }\n", x.name, strings.Join(consts, "\n"),
		strings.Join(texts, ", "))
	return x
}

// recordOf is the type of records or of messages.
func (t *translator) recordOf(c *scope, e *syntax.CallExpr, isMessage bool, hint string) *typ {
	r := &record{name: goName(hint), message: isMessage}
	args := e.Args
	if isMessage {
		tag, ok := bare(args[0]).(*syntax.Literal)
		if !ok {
			refuse(e, "a message whose name is not written out")
		}
		r.tag, args = tag.Value.(string), args[1:]
	}
	for _, x := range args {
		named := x.(*syntax.BinaryExpr)
		f := field{name: named.X.(*syntax.Ident).Name}
		f.goName = t.fieldName(f.name)
		of, first := named.Y, syntax.Expr(nil)
		if pair, ok := bare(of).(*syntax.TupleExpr); ok && len(pair.List) == 2 {
			of, first = pair.List[0], pair.List[1]
		}
		f.t = t.typeOf(c, of, f.name)
		if first != nil {
			f.first = f.t.save(c.as(first, f.t))
		} else {
			f.first = f.t.begins()
		}
		r.fields = append(r.fields, f)
	}
	if isMessage {
		t.messages = append(t.messages, r)
	}
	t.records[hint] = r
	return &typ{kind: kRecord, rec: r}
}

// fieldName is the name of a field in Go, beside which a member has a few of its own.
func (t *translator) fieldName(name string) string {
	if token.IsKeyword(name) || slices.Contains([]string{"box", "choice", "send", "note", "pick",
		t.mainName()}, name) {
		return name + "_"
	}
	return name
}

// mainName is the type of local states, or of the states of a system.
func (t *translator) mainName() string {
	if t.system {
		return "state"
	}
	return "local"
}

// declare writes the type of a record.
func (t *translator) declare(r *record) {
	fmt.Fprintf(&t.declarations, "\ntype %s struct {\n", r.name)
	for _, f := range r.fields {
		fmt.Fprintf(&t.declarations, "%s %s\n", f.goName, f.t.stored())
	}
	t.declarations.WriteString("}\n")
}
