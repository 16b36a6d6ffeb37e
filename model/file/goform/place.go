package goform

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/syntax"
)

// place is an expression that stands for a part of a state, a message or the like, as it is stored.
func (c *scope) place(e syntax.Expr) (code string, t *typ, ok bool) {
	switch e := bare(e).(type) {
	case *syntax.DotExpr:
		x, of, ok := c.owner(e.X)
		if !ok {
			return "", nil, false
		}
		if of.kind == kMember && e.Name.Name == "id" {
			return "", nil, false
		}
		f := of.rec.field(e.Name.Name)
		if f == nil {
			refuse(e, "the field %s", e.Name.Name)
		}
		return x + "." + f.goName, f.t, true
	case *syntax.IndexExpr:
		x, of, ok := c.place(e.X)
		if !ok || of.kind != kArray {
			return "", nil, false
		}
		return x + "[" + c.index(e.Y, of) + "]", of.of, true
	}
	return "", nil, false
}

// owner is what has fields: a process, a state, a record.
func (c *scope) owner(e syntax.Expr) (string, *typ, bool) {
	if x, of, ok := c.place(e); ok && of.kind == kRecord {
		return x, of, true
	}
	switch e := bare(e).(type) {
	case *syntax.Ident:
		if v := c.find(e.Name); v == nil || v.t.rec == nil {
			return "", nil, false
		}
	case *syntax.DotExpr:
	case *syntax.IndexExpr:
		if _, list, ok := c.place(e.X); ok && list.kind != kList {
			return "", nil, false
		}
	case *syntax.CallExpr:
	default:
		return "", nil, false
	}
	code, t := c.expr(e, nil)
	return code, t, t.rec != nil && (t.kind == kMember || t.kind == kRecord || t.kind == kEvent)
}

// index is where an array has the element of a key.
func (c *scope) index(key syntax.Expr, array *typ) string {
	k := array.key
	code := c.as(key, k)
	if k.kind != kInt {
		return "place(" + array.dom + ", " + code + ")"
	}
	if array.first == 0 {
		return code
	}
	if x, err := strconv.Atoi(code); err == nil {
		return strconv.Itoa(x - array.first)
	}
	return fmt.Sprintf("%s-%d", operand(code, "+"), array.first)
}

// part is a selector or an index.
func (c *scope) part(e syntax.Expr) (string, *typ) {
	if code, t, ok := c.place(e); ok {
		return t.load(code), t
	}
	if dot, ok := e.(*syntax.DotExpr); ok {
		return c.attribute(dot)
	}
	index := e.(*syntax.IndexExpr)
	if code, t, ok := c.place(index.X); ok && (t.kind == kDict || t.kind == kList) {
		if t.kind == kDict {
			return t.of.load(code + "[" + c.index(index.Y, t) + "].must()"), t.of
		}
		return t.of.load(code + ".At(" + c.position(index.Y, code+".Len()") + ")"), t.of
	}
	code, t := c.expr(index.X, nil)
	if t.kind == kOption {
		code, t = paren(code)+".must()", t.of
	}
	switch t.kind {
	case kTuple:
		if x, ok := bare(index.Y).(*syntax.Literal); ok {
			if i, ok := x.Value.(int64); ok && int(i) < len(t.items) {
				return paren(code) + "." + string(rune('a'+i)), t.items[i]
			}
		}
		refuse(index.Y, "an index of a tuple that is not a number")
	case kList:
		return paren(code) + "[" + c.position(index.Y, "len("+code+")") + "]", t.of
	case kArray:
		return paren(code) + "[" + c.index(index.Y, t) + "]", t.of
	case kDict:
		return paren(code) + "[" + c.as(index.Y, t.key) + "]", t.of
	case kGlobal:
		return "m.of(" + code + ", model.Proc(" + strings.TrimSuffix(c.as(index.Y, integer)+minus(c.t.first),
			" ") + "))", c.t.memberType
	}
	refuse(e, "an index of %s", describe(t))
	return "", nil
}

func minus(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("-%d", n)
}

// position is a place in a list; from its end if it is negative.
func (c *scope) position(e syntax.Expr, length string) string {
	if x, ok := bare(e).(*syntax.UnaryExpr); ok && x.Op == syntax.MINUS {
		return length + "-" + paren(c.as(x.X, integer))
	}
	return c.as(e, integer)
}

// attribute is a part of what the language makes: states, messages under way, events.
func (c *scope) attribute(e *syntax.DotExpr) (string, *typ) {
	code, t := c.expr(e.X, nil)
	name := e.Name.Name
	switch t.kind {
	case kMember:
		if name == "id" && !c.t.system {
			return code + ".id", integer
		}
	case kGlobal:
		switch name {
		case "live", "all":
			return "m." + name + "(" + code + ")", listOf(c.t.memberType)
		case "dead":
			return "m.ids(" + code + ".Dead)", ints
		case "procs":
			return "m.ids(model.All(" + code + ".N))", ints
		case "in_use":
			return code + ".InUse()", integer
		case "history":
			if c.t.past != nil {
				return code + ".History()", &typ{kind: kRecord, rec: c.t.past}
			}
		case "messages":
			return "m.messages(" + code + ")", listOf(&typ{kind: kEnvelope})
		}
	case kEnvelope:
		switch name {
		case "src", "dst":
			return code + "." + name, integer
		case "kind":
			return code + ".message.kind.String()", str
		case "message":
			return code + ".message", &typ{kind: kMessage}
		}
	case kMessage:
		for _, r := range c.t.messages {
			if f := r.field(name); f != nil { // of the one kind that has it
				return f.t.load(code + "." + r.name + "." + f.goName), f.t
			}
		}
	case kEvent:
		switch name {
		case "proc", "note":
			return code + "." + name, integer
		case "crash":
			return code + ".crash", boolean
		case "procs", "dead":
			return code + "." + name, ints
		}
	}
	refuse(e, "%s of %s", name, describe(t))
	return "", nil
}

// placeTruth is the condition that something stored is neither 0 nor empty, if it need not be read for it.
func (c *scope) placeTruth(e syntax.Expr) (string, bool) {
	code, t, ok := c.place(e)
	if !ok {
		return "", false
	}
	switch t.kind {
	case kList:
		return code + ".Len() > 0", true
	case kDict:
		return "size(" + code + "[:]) > 0", true
	case kSet:
		return code + " != 0", true
	case kArray:
		return "len(" + t.dom + ") > 0", true
	}
	return "", false
}

// slice is x[a:b].
func (c *scope) slice(e *syntax.SliceExpr) (string, *typ) {
	code, t := c.expr(e.X, nil)
	if !sequence(t) || e.Step != nil {
		refuse(e, "a slice of %s", describe(t))
	}
	limit := func(x syntax.Expr) string {
		if x == nil {
			return ""
		}
		return "min(len(" + code + "), " + c.position(x, "len("+code+")") + ")"
	}
	return paren(code) + "[" + limit(e.Lo) + ":" + limit(e.Hi) + "]", listOf(t.of)
}

// over is the head of a loop over what an expression has, with variables that it declares in a scope.
func (c *scope) over(vars, in syntax.Expr) (head string, inside string) {
	if call, ok := bare(in).(*syntax.CallExpr); ok {
		if f, ok := call.Fn.(*syntax.Ident); ok && f.Name == "range" {
			if id, ok := bare(vars).(*syntax.Ident); ok && len(call.Args) <= 2 {
				lo, hi := "0", c.outer.as(call.Args[len(call.Args)-1], integer)
				if len(call.Args) == 2 {
					lo = c.outer.as(call.Args[0], integer)
				}
				v := c.declare(id.Name, integer)
				if lo == "0" {
					return fmt.Sprintf("for %s := range %s {", v.name, hi), ""
				}
				return fmt.Sprintf("for %s := %s; %[1]s < %[3]s; %[1]s++ {", v.name, lo, hi), ""
			}
		}
		if f, ok := call.Fn.(*syntax.Ident); ok && f.Name == "enumerate" && len(call.Args) == 1 {
			names, ok := bare(vars).(*syntax.TupleExpr)
			code, t := c.outer.expr(call.Args[0], nil)
			if !ok || !sequence(t) {
				refuse(in, "this enumerate")
			}
			i := c.declare(names.List[0].(*syntax.Ident).Name, integer)
			x := c.declare(names.List[1].(*syntax.Ident).Name, t.of)
			return fmt.Sprintf("for %s, %s := range %s {", i.name, x.name, code), ""
		}
	}
	code, t := c.outer.expr(uncopied(in), nil)
	if t.kind == kOption {
		code, t = paren(code)+".must()", t.of
	}
	of := element(t)
	if of == nil {
		refuse(in, "a loop over %s", describe(t))
	}
	switch {
	case t.numbers():
		code = paren(code) + ".each()"
	case t.kind == kDict:
		code = "keysOf(" + code + ")"
	}
	switch vars := bare(vars).(type) {
	case *syntax.Ident:
		v := c.declare(vars.Name, of)
		return fmt.Sprintf("for _, %s := range %s {", v.name, code), ""
	case *syntax.TupleExpr:
		if of.kind != kTuple || len(of.items) != len(vars.List) {
			refuse(vars, "%d variables for %s", len(vars.List), describe(of))
		}
		for i, x := range vars.List {
			v := c.declare(x.(*syntax.Ident).Name, of.items[i])
			inside += fmt.Sprintf("%s := each.%c\n_ = %[1]s\n", v.name, 'a'+i)
		}
		return fmt.Sprintf("for _, each := range %s {", code), inside
	}
	refuse(vars, "this loop")
	return "", ""
}

// unused replaces the variable of a loop that nobody reads.
func (c *scope) unused(head string) string {
	for _, v := range c.vars {
		if !v.used {
			head = strings.Replace(head, "for _, "+v.name+" := range", "for range", 1)
			head = strings.Replace(head, "for "+v.name+", ", "for _, ", 1)
			head = strings.Replace(head, ", "+v.name+" := range", " := range", 1)
			head = strings.Replace(head, "for "+v.name+" := range", "for range", 1)
		}
	}
	return head
}

// loop goes through the clauses of a comprehension; body is given the innermost scope.
func (c *scope) loop(e *syntax.Comprehension, body func(*scope) string) string {
	var heads []string
	in, closing := c, ""
	type opened struct {
		at int
		s  *scope
	}
	var scopes []opened
	for _, clause := range e.Clauses {
		switch clause := clause.(type) {
		case *syntax.ForClause:
			in = in.inner()
			head, inside := in.over(clause.Vars, clause.X)
			scopes = append(scopes, opened{len(heads), in})
			heads = append(heads, head+"\n"+inside)
		case *syntax.IfClause:
			heads = append(heads, "if "+in.condition(clause.Cond)+" {\n")
		}
		closing += "}\n"
	}
	inner := body(in)
	for _, o := range scopes {
		heads[o.at] = o.s.unused(heads[o.at])
	}
	return strings.Join(heads, "") + inner + closing
}

// comprehension makes a list (or, with want, a set) of what is gone through.
func (c *scope) comprehension(e *syntax.Comprehension, want *typ) (string, *typ) {
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		t := &typ{kind: kDict}
		if want != nil && want.kind == kDict {
			t.key, t.of = want.key, want.of
		}
		code := c.loop(e, func(in *scope) string {
			key, k := in.expr(entry.Key, t.key)
			value, v := in.expr(entry.Value, t.of)
			t.key, t.of = k, v
			return "all[" + key + "] = " + value + "\n"
		})
		return fmt.Sprintf("func() %s {\nall := %[1]s{}\n%sreturn all\n}()", t, code), t
	}
	if e.Curly {
		refuse(e, "a set comprehension; set([...])")
	}
	var of *typ
	if want != nil {
		of = element(want)
	}
	code := c.loop(e, func(in *scope) string {
		x, t := in.expr(e.Body, of)
		if of != nil && of.kind != kVoid {
			x = in.convert(e.Body, x, t, of)
		} else {
			of = t
		}
		return "all = append(all, " + x + ")\n"
	})
	return fmt.Sprintf("func() (all []%s) {\n%sreturn all\n}()", of, code), listOf(of)
}
