package goform

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model/file"
)

// about are the arguments that all properties have.
var about = []string{"doc", "source", "on_request", "moot", "excuse"}

func funcOf(of *typ, params ...*typ) *typ { return &typ{kind: kFunc, items: params, of: of} }

// viewed is what properties are functions of, in Go.
func (t *translator) viewed() string {
	if t.system {
		return "state"
	}
	return "global"
}

// predicate is a function of states as a property needs it; "nil" if there is none.
func (t *translator) predicate(c *scope, e syntax.Expr) string {
	if e == nil {
		return "nil"
	}
	if t.system {
		return "ofState(" + c.as(e, funcOf(boolean, t.memberType)) + ")"
	}
	return c.as(e, funcOf(boolean, &typ{kind: kGlobal}))
}

// predicates are several.
func (t *translator) predicates(c *scope, e syntax.Expr) string {
	view := &typ{kind: kGlobal}
	if t.system {
		view = t.memberType
	}
	list := c.as(e, listOf(funcOf(boolean, view)))
	if t.system {
		return "mapped(" + list + ", ofState)"
	}
	return list
}

// each is a function of a member, of a state: func(s *S, i int) bool.
func (t *translator) each(c *scope, e syntax.Expr) string {
	if t.system {
		if t.members == nil {
			refuse(e, "a property of each member of a system without members")
		}
		list, of := c.expr(t.members, nil)
		return "func(s *state, i int) bool { return (" + c.as(e, funcOf(boolean, t.memberType, element(of))) +
			")(member{state: s}, " + list + "[i]) }"
	}
	return "m.eachLive(" + c.as(e, funcOf(boolean, t.memberType)) + ")"
}

// number is an argument of a property.
func (t *translator) number(c *scope, e syntax.Expr, otherwise string) string {
	if e == nil {
		return otherwise
	}
	return c.as(e, integer)
}

// property is a declaration of one.
func (t *translator) property(c *scope, e *syntax.CallExpr, kind string) string {
	args := arguments(e, append(append([]string{}, file.PropertyForms[kind]...), about...)...)
	var p string
	switch kind {
	case "invariant":
		p = t.invariant(c, args)
	case "reachable":
		p = "property{Kind: model.Reachable, Holds: " + t.predicate(c, args["goal"]) + "}"
	case "at_end":
		p = "property{Kind: model.Quiet, Holds: " + t.predicate(c, args["holds"]) + "}"
	case "deadlock_free":
		p = "invariants.DeadlockFreedom[" + t.viewed() + `]("")`
	case "step_property":
		p = t.stepProperty(c, args)
	case "at_most", "can_reach":
		p = "invariants." + map[string]string{"at_most": "AtMost", "can_reach": "CanReach"}[kind] + "[" +
			t.viewed() + "](" + t.number(c, args["k"], "1") + ")"
	case "no_starvation":
		p = `property{Name: "no-starvation", Kind: model.Quiet, Doc: "when nothing is left to do but crashes, nobody waits", Holds: nobody(` +
			t.count(c) + ", " + t.each(c, args["waits"]) + ")}"
	case "served":
		p = "invariants.Served(" + t.count(c) + ", " + t.each(c, args["waits"]) + ")"
	case "messages", "messages_total":
		p = t.costs(c, kind, args)
	default:
		p = t.lasting(c, kind, args)
	}
	return t.told(c, p, args)
}

// told adds what is told of a property.
func (t *translator) told(c *scope, p string, args map[string]syntax.Expr) string {
	onRequest := "false"
	if args["on_request"] != nil {
		onRequest = c.condition(args["on_request"])
	}
	return fmt.Sprintf("told(%s, %s, %s, %s, %s, %s, %s)", p, t.textOf(c, args["name"]),
		t.textOf(c, args["doc"]),
		t.textOf(c, args["source"]), onRequest, t.textOf(c, args["moot"]), t.textOf(c, args["excuse"]))
}

// count is how many members there are.
func (t *translator) count(c *scope) string {
	if t.system {
		list, _ := c.expr(t.members, nil)
		return "len(" + list + ")"
	}
	return "m.processes"
}

func (t *translator) invariant(c *scope, args map[string]syntax.Expr) string {
	var all []string
	if args["use"] != nil {
		all = append(all, "OfUse: "+c.as(args["use"], funcOf(boolean, integer, integer)))
	}
	if args["holds"] != nil {
		all = append(all, "Holds: "+t.predicate(c, args["holds"]))
	}
	if args["each"] != nil && t.takes(args["each"]) == 2 {
		all = append(all, "Holds: m.eachAndDead("+c.as(args["each"], funcOf(boolean, t.memberType, ints))+")")
		args["each"] = nil
	}
	for _, x := range [][2]string{{"each", "OfLocal"}, {"clear", "Clear"}} {
		if args[x[0]] != nil {
			all = append(all, x[1]+": m.ofLocal("+c.as(args[x[0]], funcOf(boolean, t.memberType))+")")
		}
	}
	if args["inbox"] != nil {
		all = append(all, "OfInbox: m.ofInbox("+c.as(args["inbox"],
			funcOf(boolean, listOf(&typ{kind: kEnvelope})))+")")
	}
	of := func(name string) string { return c.as(args[name], funcOf(boolean, &typ{kind: kEnvelope})) }
	if args["message"] != nil {
		all = append(all, "OfInbox: m.ofMessages("+of("message")+")")
	}
	if args["count"] != nil || args["messages"] != nil {
		tally := []string{
			"Least: " + t.number(c, args["least"], "0"), "Most: " + t.number(c, args["most"], "1<<31 - 1"),
		}
		if args["count"] != nil {
			tally = append(tally, "Local: m.counted("+c.as(args["count"], funcOf(boolean, t.memberType))+")")
		}
		if args["messages"] != nil {
			tally = append(tally, "Inbox: m.countMessages("+of("messages")+")")
		}
		all = append(all, "OfCount: &model.Tally[global]{"+strings.Join(tally, ", ")+"}")
	}
	return "property{Kind: model.Invariant, " + strings.Join(all, ", ") + "}"
}

// takes returns how many arguments a function takes that stands somewhere; 0 if that does not show.
func (t *translator) takes(e syntax.Expr) int {
	switch e := bare(e).(type) {
	case *syntax.LambdaExpr:
		return len(e.Params)
	case *syntax.Ident:
		if def := t.functions[e.Name].def; def != nil {
			return len(def.Params)
		}
	}
	return 0
}

func (t *translator) stepProperty(c *scope, args map[string]syntax.Expr) string {
	holds := ""
	if t.system {
		holds = "func(from *state, _ model.Proc, to *state) bool { return (" + c.as(args["holds"],
			funcOf(boolean, t.memberType, t.memberType)) +
			")(member{state: from}, member{state: to}) }"
	} else {
		view := &typ{kind: kGlobal}
		holds = "func(from *global, by model.Proc, to *global) bool { return (" + c.as(args["holds"],
			funcOf(boolean, view, view, integer)) +
			")(from, to, int(by)" + plus(t.first) + ") }"
	}
	return "property{Kind: model.StepInvariant, Steps: " + t.stepNames(args["steps"]) + ", HoldsStep: " +
		holds + "}"
}

func plus(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("+%d", n)
}

// stepNames are the names of steps, which stand in a list: strings or functions.
func (t *translator) stepNames(e syntax.Expr) string {
	list, ok := bare(e).(*syntax.ListExpr)
	if !ok {
		refuse(e, "steps that are not a list")
	}
	var names []string
	for _, x := range list.List {
		switch x := bare(x).(type) {
		case *syntax.Ident:
			names = append(names, fmt.Sprintf("%q", x.Name))
		case *syntax.Literal:
			names = append(names, fmt.Sprintf("%q", x.Value))
		default:
			refuse(x, "this step")
		}
	}
	return "[]string{" + strings.Join(names, ", ") + "}"
}

func (t *translator) costs(c *scope, kind string, args map[string]syntax.Expr) string {
	bound := fmt.Sprintf("Least: %s, Most: %s", t.number(c, args["least"], "0"), t.number(c, args["most"],
		"0"))
	name, served := "messages", ""
	if kind == "messages" {
		bound += ", Opens: " + t.stepNames(args["opens"]) + ", Closes: " + t.stepNames(args["closes"])
	} else {
		name = "messages-total"
		view := &typ{kind: kGlobal}
		served = ", Served: " + c.as(args["served"], funcOf(integer, view))
	}
	return fmt.Sprintf(`property{Name: %q, Kind: model.Costs, Doc: "requests cost messages within bounds", `+
		"Cost: &model.Cost[%s]{Bound: model.Bound{%s}%s}}", name, t.viewed(), bound, served)
}

// lasting are properties of runs without end.
func (t *translator) lasting(c *scope, kind string, args map[string]syntax.Expr) string {
	one := func(name string) string { return t.predicate(c, args[name]) }
	switch kind {
	case "eventually":
		return "invariants.Eventually(" + one("begins") + ", " + one("p") + ")"
	case "always_eventually", "eventually_always":
		return "invariants." + strings.ReplaceAll(joined(kind), "_", "") + "(" + one("p") + ")"
	case "leads_to":
		return "invariants.LeadsTo(" + one("p") + ", " + one("q") + ")"
	case "infinitely_often":
		return "invariants.InfinitelyOften(" + t.predicates(c, args["ps"]) + ", " + one("q") + ")"
	}
	lasso := "Start: " + one("start") + ", Never: " + one("never") + ", Avoids: " + one("avoids")
	if args["initially"] != nil {
		lasso += ", Initially: " + c.condition(args["initially"])
	}
	if args["visits"] != nil {
		lasso += ", Visits: " + t.predicates(c, args["visits"])
	}
	return fmt.Sprintf(`invariants.NoRun("no_run", "no such run", model.Lasso[%s]{%s})`, t.viewed(), lasso)
}

// condition is one of fairness.
func (t *translator) condition(c *scope, e *syntax.CallExpr, strong bool) string {
	args := arguments(e, "name", "steps", "by")
	by := "-1"
	if args["by"] != nil {
		list, of := c.expr(t.members, nil)
		by = "place(" + list + ", " + c.as(args["by"], element(of)) + ")"
	}
	return fmt.Sprintf("demand{name: %s, steps: %s, by: %s, strong: %t}", t.textOf(c, args["name"]),
		t.stepNames(args["steps"]), by, strong)
}
