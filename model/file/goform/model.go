package goform

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/syntax"
)

// statement is a declaration that stands alone.
func (t *translator) statement(c *scope, e *syntax.CallExpr, name string) (code string, known bool) {
	switch name {
	case "source", "paper", "claim", "reference":
		return "", true // the spec has them
	case "endless_params":
		t.endless = true
		return "", true
	case "require":
		args := arguments(e, "ok", "parameter", "allowed")
		p := t.textOf(c, args["parameter"])
		return fmt.Sprintf("if %s {\nreturn model.Instance{}, a.Reject(%s, a.String(%s), "+
			"\"allowed: \"+%s)\n}\n",
			negatedAll(c.condition(args["ok"])), p, p, t.textOf(c, args["allowed"])), true
	case "system":
		return t.withPrefix(func() { code = t.systemOf(c, e) }) + code, true
	case "processes":
		return t.withPrefix(func() { code = t.processes(c, e) }) + code, true
	}
	return "", false
}

// itemsOf are the items of a list that is written out.
func itemsOf(e syntax.Expr) []syntax.Expr {
	if e == nil {
		return nil
	}
	list, ok := bare(e).(*syntax.ListExpr)
	if !ok {
		refuse(e, "a list that is not written out here")
	}
	return list.List
}

// propertiesOf are the properties of a model, as a slice.
func (t *translator) propertiesOf(c *scope, e syntax.Expr) string {
	if e == nil {
		return "nil"
	}
	if list, ok := bare(e).(*syntax.ListExpr); ok {
		var all []string
		for _, x := range list.List {
			code, _ := c.expr(x, nil)
			all = append(all, code)
		}
		return "[]property{\n" + strings.Join(all, ",\n") + ",\n}"
	}
	return c.as(e, listOf(made("property")))
}

// systemOf is system(...).
func (t *translator) systemOf(c *scope, e *syntax.CallExpr) string {
	args := arguments(e, "state", "actions", "properties", "init", "constraint", "fairness", "members",
		"names", "units", "capacity", "dead")
	of := t.typeOf(c, args["state"], "state")
	t.main = of.rec
	t.main.name = "state"
	t.memberType = &typ{kind: kMember, rec: t.main}
	t.members = args["members"]
	var b strings.Builder
	set := func(field, code string) { fmt.Fprintf(&b, "sys.%s = %s\n", field, code) }
	b.WriteString("sys := model.System[state]{Vars: m.vars}\n")
	if t.members != nil {
		pattern := `"{}"`
		if args["names"] != nil {
			pattern = t.textOf(c, args["names"])
		}
		list, in := c.expr(t.members, nil)
		if in.numbers() {
			refuse(t.members, "members that are a set")
		}
		t.globals["owners"] = listOf(str)
		fmt.Fprintf(&b,
			"m.owners = mapped(%s, func(x %s) string { return strings.ReplaceAll(%s, \"{}\", show(x)) })\n",
			list, element(in), pattern)
		set("Processes", "m.owners")
	}
	if args["capacity"] != nil {
		set("Capacity", c.as(args["capacity"], integer))
	}
	if args["constraint"] != nil {
		set("Constraint", t.predicate(c, args["constraint"]))
	}
	if args["units"] != nil {
		set("Units", t.unitsOfSystem(c, args["units"]))
	}
	if args["dead"] != nil {
		set("Dead", t.each(c, args["dead"]))
	}
	var actions []string
	for _, x := range itemsOf(args["actions"]) {
		actions = append(actions, t.action(c, x))
	}
	set("Actions", "[]model.SystemAction[state]{\n"+strings.Join(actions, ",\n")+",\n}")
	set("Properties", t.propertiesOf(c, args["properties"]))
	b.WriteString(t.begins(args["init"]))
	b.WriteString(t.fairnessOf(c, args["fairness"], "sys"))
	b.WriteString("return model.NewSystem(sys), nil\n")
	return b.String()
}

// begins sets the initial states.
func (t *translator) begins(init syntax.Expr) string {
	first := t.main.zero()
	if first == "" {
		first = "state{}"
	}
	if init == nil {
		return "sys.Init = []state{" + first + "}\n"
	}
	return "sys.Init = initial(" + first + ", " + t.stepOf(init, nil, "s", "choice: c") + ")\n"
}

// stepOf is a step as a function of a state and a choice.
func (t *translator) stepOf(f syntax.Expr, values []*typ, state, rest string) string {
	made := t.stepFunction(f, append([]*typ{t.memberType}, values...)...)
	return fmt.Sprintf("func(s *state, c *model.Choice) bool { return m.%s(member{state: %s, %s}) }",
		made.name, state, rest)
}

// stepFunction is a function of the file as a step.
func (t *translator) stepFunction(e syntax.Expr, params ...*typ) *function {
	id, ok := bare(e).(*syntax.Ident)
	if !ok || t.functions[id.Name].def == nil {
		refuse(e, "a step that is not a function with def")
	}
	return t.instance(e, t.functions[id.Name], params, nil, true)
}

func (t *translator) unitsOfSystem(c *scope, e syntax.Expr) string {
	list, in := c.expr(t.members, nil)
	for _, of := range []*typ{boolean, integer} {
		if code, ok := t.try(func() string { return c.as(e, funcOf(of, t.memberType, element(in))) }); ok {
			call := "(" + code + ")(member{state: s}, " + list + "[p])"
			if of == boolean {
				call = "units(" + call + ")"
			}
			return "func(s *state, p int) int { return " + call + " }"
		}
	}
	refuse(e, "units that are neither a condition nor a number")
	return ""
}

// try does what may be refused.
func (t *translator) try(f func() string) (code string, ok bool) {
	methods := t.methods.Len()
	defer func() {
		if r := recover(); r != nil {
			if _, refused := r.(refusal); !refused {
				panic(r)
			}
			t.methods.Truncate(methods)
			ok = false
		}
	}()
	return f(), true
}

// action is an action of a system.
func (t *translator) action(c *scope, e syntax.Expr) string {
	call, ok := bare(e).(*syntax.CallExpr)
	if !ok {
		f := t.stepFunction(e, t.memberType)
		return fmt.Sprintf("{Name: %q, Do: func(s *state, _ int, c *model.Choice) bool { return "+
			"m.%s(member{state: s, choice: c}) }}",
			bare(e).(*syntax.Ident).Name, f.name)
	}
	if name, ok := call.Fn.(*syntax.Ident); !ok || name.Name != "action" {
		refuse(e, "this action")
	}
	var domains, named []syntax.Expr
	for _, x := range call.Args[1:] {
		if b, ok := x.(*syntax.BinaryExpr); ok && b.Op == syntax.EQ {
			named = append(named, x)
		} else {
			domains = append(domains, x)
		}
	}
	args := arguments(&syntax.CallExpr{Fn: call.Fn, Args: named}, "name", "lines", "kind", "fair", "text")
	values, counts := []string{}, []string{}
	params := []*typ{t.memberType}
	for i, d := range domains {
		list, of := c.expr(d, nil)
		if !sequence(of) {
			refuse(d, "values of a parameter that are not a list")
		}
		at := "i"
		if len(domains) > 1 {
			at = fmt.Sprintf("is[%d]", i)
		}
		values, counts = append(values, paren(list)+"["+at+"]"), append(counts, "len("+list+")")
		params = append(params, of.of)
	}
	f := t.stepFunction(call.Args[0], params...)
	name := strconv.Quote(bare(call.Args[0]).(*syntax.Ident).Name)
	if args["name"] != nil {
		name = t.textOf(c, args["name"])
	}
	code := "{Name: " + name + t.facts(c, args)
	do := fmt.Sprintf("return m.%s(member{state: s, choice: c}%s)", f.name,
		strings.Join(append([]string{""}, values...), ", "))
	switch len(domains) {
	case 0:
		return code + ", Do: func(s *state, _ int, c *model.Choice) bool { " + do + " }}"
	case 1:
		code += ", Instances: " + counts[0] + ", Do: func(s *state, i int, c *model.Choice) bool { " + do +
			" }"
	default:
		code += ", Ranges: []int{" + strings.Join(counts, ", ") +
			"}, DoAll: func(s *state, is []int, c *model.Choice) bool { " + do + " }"
	}
	if t.sameValues(domains[0], t.members) {
		code += ", Owner: model.First"
	}
	return code + ", Text: func(is ...int) string { return " + t.says(c, args["text"], name, values) + " }}"
}

// says describes a step by its values.
func (t *translator) says(c *scope, text syntax.Expr, name string, values []string) string {
	for i, v := range values {
		values[i] = strings.Replace(v, "[i]", "[is[0]]", 1)
	}
	if text == nil {
		return "call(" + name + ", " + strings.Join(values, ", ") + ")"
	}
	code := t.textOf(c, text)
	return "fmt.Sprintf(" + strings.ReplaceAll(code, "{}", "%v") + ", " + strings.Join(values, ", ") + ")"
}

// facts are the settings that all steps have.
func (t *translator) facts(c *scope, args map[string]syntax.Expr) (code string) {
	if args["lines"] != nil {
		code += ", Source: " + t.textOf(c, args["lines"])
	}
	for _, x := range [][3]string{{"kind", "Kind", ""}, {"fair", "Fair", "Fairness"}} {
		if e := args[x[0]]; e != nil {
			word, ok := bare(e).(*syntax.Literal)
			if !ok {
				refuse(e, "a %s that depends on parameters", x[0])
			}
			value := capital(word.Value.(string))
			if value == "Ordinary" { // as are those of which nothing is said
				continue
			}
			if value == "None" {
				value = "No"
			}
			code += ", " + x[1] + ": model." + value + x[2]
		}
	}
	return code
}

// sameValues reports whether two lists have the same values in all instances tried.
func (t *translator) sameValues(a, b syntax.Expr) bool {
	if a == nil || b == nil {
		return false
	}
	x, y := t.source.Values(a), t.source.Values(b)
	for i := range x {
		if i >= len(y) || listing(x[i]) != listing(y[i]) {
			return false
		}
	}
	return len(x) > 0
}

// fairnessOf sets the fairness: a word, or a list of conditions.
func (t *translator) fairnessOf(c *scope, e syntax.Expr, of string) string {
	if e == nil {
		return ""
	}
	if list, ok := bare(e).(*syntax.ListExpr); ok && len(list.List) == 0 {
		return ""
	}
	code, u := c.expr(e, nil)
	switch {
	case u.kind == kStr:
		return of + ".Fair(" + code + ")\n"
	case t.system && sequence(u) && u.of != nil && u.of.name == "demand":
		count := "1"
		if t.members != nil {
			count = t.count(c)
		}
		return "sys.Fairness = fair(sys.Actions, " + count + ", " + code + ")\n"
	}
	refuse(e, "this fairness")
	return ""
}
