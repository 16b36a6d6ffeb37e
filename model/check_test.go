package model_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/invariants"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/param"
)

var rewrite = flag.Bool("rewrite", false, "write the error of each mistake into docs/model-mistakes.ndjson")

// A ring of processes that pass a token on, with everything right.
type (
	local  struct{ Token, Inside bool }
	token  struct{}
	global = model.Global[local, token, model.None]
	ring   = model.Composition[local, token, model.None]
)

func tokenRing() *ring {
	return &ring{
		N:    3,
		Init: func(p model.Proc) local { return local{Token: p == 0} },
		Local: []model.Handler[local, token]{
			{Name: "enter", Do: func(_ model.Proc, l *local, _ *model.Outbox[token]) bool {
				enabled := l.Token && !l.Inside
				l.Inside = l.Inside || enabled
				return enabled
			}},
			{Name: "leave", Do: func(p model.Proc, l *local, out *model.Outbox[token]) bool {
				if !l.Inside {
					return false
				}
				*l = local{}
				out.Send((p+1)%3, token{})
				return true
			}},
		},
		Receive: []model.Receiver[local, token]{{
			Name: "receive", Accepts: func(token) bool { return true },
			Do: func(_, _ model.Proc, _ token, l *local, _ *model.Outbox[token]) bool {
				l.Token = true
				return true
			},
		}},
		Units: func(l *local) int {
			if l.Inside {
				return 1
			}
			return 0
		},
		Properties: []model.Property[global]{
			invariants.Of[local, token, model.None]{}.AtMost(1),
			invariants.Of[local, token, model.None]{}.RequestsServed(3,
				func(l *local) bool { return !l.Inside }),
		},
	}
}

// A counter from 0 to 4, with everything right.
type counter struct{ X uint8 }

func counting() *model.System[counter] {
	return &model.System[counter]{
		Init: []counter{{}},
		Actions: []model.SystemAction[counter]{{Name: "count", Do: func(s *counter, _ int,
			_ *model.Choice) bool {
			s.X++
			return s.X <= 4
		}}},
		Properties: []model.Property[counter]{{Name: "small", Holds: func(s *counter) bool {
			return s.X <= 4
		}}},
	}
}

func composed(spoil func(*ring)) func() error {
	return func() error {
		c := tokenRing()
		spoil(c)
		return model.Compose(*c).Check()
	}
}

func counted(spoil func(*model.System[counter])) func() error {
	return func() error {
		s := counting()
		spoil(s)
		return model.NewSystem(*s).Check()
	}
}

// specified makes a spec of the counter, spoils it and instantiates it.
func specified(spoil func(*model.Spec)) func() error {
	return func() error {
		s := model.Spec{
			Name:   "counter",
			Params: []param.Param{{Name: "n", Default: "3", Type: param.IntRange(1, 8)}},
			Build:  func(*model.Args) (model.Instance, error) { return model.NewSystem(*counting()), nil },
		}
		spoil(&s)
		_, _, err := s.Instantiate(nil)
		return err
	}
}

// asking makes a spec of the counter whose Build asks for what there is not.
func asking(ask func(*model.Args)) func() error {
	return specified(func(s *model.Spec) {
		s.Build = func(a *model.Args) (model.Instance, error) {
			ask(a)
			return model.Instance{}, nil
		}
	})
}

// reading is a Build that asks for a number.
func reading(a *model.Args) (model.Instance, error) {
	a.Int("n")
	return model.Instance{}, nil
}

// mistakes are made on purpose: in words, and in a model that was right before.
var mistakes = []struct {
	what string
	made func() error
}{
	{"a spec with the name of another, such as a built-in one", func() error {
		return model.CheckNames([]model.Spec{{Name: "raymond"}, {Name: "2pc"}, {Name: "raymond"}})
	}},
	{"a spec's name that cannot be typed", specified(func(s *model.Spec) { s.Name = "my counter" })},
	{"a spec that builds nothing", specified(func(s *model.Spec) { s.Build = nil })},
	{"a `Build` that forgets to return the instance", specified(func(s *model.Spec) {
		s.Build = func(*model.Args) (model.Instance, error) { return model.Instance{}, nil }
	})},
	{"a parameter whose default is outside its range", specified(func(s *model.Spec) {
		s.Params[0].Default = "9"
	})},
	{"a parameter without a type", specified(func(s *model.Spec) { s.Params[0].Type = param.Type{} })},
	{"a `Build` that misspells a parameter", asking(func(a *model.Args) { a.Int("nn") })},
	{"a `Build` that asks whether a parameter that is not declared has a value", asking(func(a *model.Args) {
		a.Is("symmetry", "on")
	})},
	{"a `Build` that reads the network without `param.Network`", asking(func(a *model.Args) {
		a.Network(3, 1, 0)
	})},
	{"a number without a default", specified(func(s *model.Spec) {
		s.Params[0].Default = ""
		s.Build = reading
	})},
	{"a word that is read as a number", specified(func(s *model.Spec) {
		s.Params[0].Type, s.Params[0].Default = param.OneOf("few", "many"), "few"
		s.Build = reading
	})},
	{"an `Init` that draws lots", composed(func(c *ring) {
		asked := 0
		c.Init = func(model.Proc) local {
			asked++
			return local{Token: asked == 1 || asked == 11}
		}
	})},
	{"`UnderWay` of what is under way the first time only", composed(func(c *ring) {
		asked := 0
		c.UnderWay = func(p model.Proc) (sent []model.Sent[token]) {
			if asked++; asked <= 3 {
				sent = append(sent, model.Sent[token]{To: (p + 1) % 3})
			}
			return sent
		}
	})},
	{"two parameters of one name",
		specified(func(s *model.Spec) { s.Params = append(s.Params, s.Params[0]) })},
	{"two properties of one name", composed(func(c *ring) {
		c.Properties = append(c.Properties, c.Properties[0])
	})},
	{"a property without a name", composed(func(c *ring) { c.Properties[0].Name = "" })},
	{"a property that judges nothing", composed(func(c *ring) { c.Properties[0].OfUse = nil })},
	{"a property in two forms", composed(func(c *ring) {
		c.Properties[0].Holds = func(*global) bool { return true }
	})},
	{"a form that belongs to another kind", composed(func(c *ring) {
		c.Properties[0].Lassos = []model.Lasso[global]{{}}
	})},
	{"a form of compositions in a system", counted(func(s *model.System[counter]) {
		s.Properties[0].Clear = func(*counter, model.Proc) bool { return true }
	})},
	{"`AtMostK` without `Units`", composed(func(c *ring) { c.Units = nil })},
	{"a step invariant of a misspelt action", composed(func(c *ring) {
		c.Properties[0] = model.Property[global]{Name: "order", Kind: model.StepInvariant,
			Steps:     []string{"entre"},
			HoldsStep: func(*global, model.Proc, *global) bool { return true }}
	})},
	{"a step invariant of no action", composed(func(c *ring) {
		c.Properties[0] = model.Property[global]{Name: "order", Kind: model.StepInvariant,
			HoldsStep: func(*global, model.Proc, *global) bool { return true }}
	})},
	{"`Messages` from a misspelt action", composed(func(c *ring) {
		c.Properties[0] = invariants.Of[local, token, model.None]{}.Messages("entre", "leave", 0, 3)
	})},
	{"`Messages` with limits that exclude each other", composed(func(c *ring) {
		c.Properties[0] = invariants.Of[local, token, model.None]{}.Messages("enter", "leave", 4, 3)
	})},
	{"a liveness property without lassos", composed(func(c *ring) {
		c.Properties[0] = model.Property[global]{Name: "live", Kind: model.Liveness}
	})},
	{"`Each` of nothing", composed(func(c *ring) {
		c.Properties[0] = model.Property[global]{Name: "each", Each: []model.Property[global]{}}
	})},
	{"`Each` of an invariant and a liveness property", composed(func(c *ring) {
		one := model.Property[global]{Name: "one", Holds: func(*global) bool { return true }}
		c.Properties[0] = invariants.Each(one, c.Properties[1])
	})},
	{"two actions of one name", composed(func(c *ring) { c.Local[1].Name = "enter" })},
	{"a handler without `Do`", composed(func(c *ring) { c.Local[0].Do = nil })},
	{"a receiver without `Accepts`", composed(func(c *ring) { c.Receive[0].Accepts = nil })},
	{"more processes than there can be", composed(func(c *ring) { c.N = 65 })},
	{"a channel in a message", func() error {
		return model.Compose(model.Composition[local, struct{ Reply chan int }, model.None]{}).Check()
	}},
	{"a function in a map of the local state", func() error {
		return model.Compose(model.Composition[map[string]func(), token, model.None]{}).Check()
	}},
	{"a tree", func() error {
		type tree struct{ Kids []tree }
		return model.Compose(model.Composition[struct{ Root tree }, token, model.None]{}).Check()
	}},
	{"times as keys of a map", func() error {
		type local struct{ At map[float64]bool }
		return model.Compose(model.Composition[local, token, model.None]{}).Check()
	}},
	{"a pointer in the local state", func() error {
		return model.Compose(model.Composition[struct{ Next *int }, token, model.None]{
			N: 1, Init: func(model.Proc) struct{ Next *int } { return struct{ Next *int }{} },
		}).Check()
	}},
	{"crashes of nobody", composed(func(c *ring) { c.Network.Crashes = 1 })},
	{"a process that may crash and does not exist", composed(func(c *ring) {
		c.Network.Crashes, c.Network.Crashable = 1, model.SetOf(1, 2, 3)
	})},
	{"fairness of an action that does not exist", composed(func(c *ring) {
		c.Fairness = []model.Fairness{{Name: "of leaving", Has: func(l model.Label) bool {
			return l.Action == 3
		}}}
	})},
	{"fairness of a process that does not exist", composed(func(c *ring) {
		of4 := func(l model.Label) bool { return l.Action == 1 && l.Proc == 3 }
		c.Fairness = []model.Fairness{{Name: "of p4", Has: of4}}
	})},
	{"fairness of what is never forced", counted(func(s *model.System[counter]) {
		s.Actions[0].Kind = model.Spontaneous
		s.Fairness = []model.Fairness{{Name: "of counting", Has: func(l model.Label) bool {
			return l.Action == 0
		}}}
	})},
	{"no initial state", counted(func(s *model.System[counter]) { s.Init = nil })},
	{"a constraint that rejects all initial states", counted(func(s *model.System[counter]) {
		s.Constraint = func(s *counter) bool { return s.X > 0 }
	})},
	{"a constraint that rejects how a process begins", composed(func(c *ring) {
		c.Constraint = func(_ model.Proc, l *local) bool { return !l.Token }
	})},
	{"a number of instances below 0",
		counted(func(s *model.System[counter]) { s.Actions[0].Instances = -3 })},
	{"more instances than there can be", counted(func(s *model.System[counter]) { s.Actions[0].Instances = 256 * 257 })},
	{"an owner that is no process", counted(func(s *model.System[counter]) {
		s.Actions[0].Instances = 3
		s.Processes, s.Actions[0].Owner = []string{"a", "b"}, func(i int) int { return i }
	})},
	{"two processes of one name", counted(func(s *model.System[counter]) {
		s.Processes = []string{"a", "b",
			"a"}
	})},
	{"`Units` of nobody", counted(func(s *model.System[counter]) {
		s.Units = func(*counter, int) int { return 1 }
	})},
	{"a `Capacity` of nothing", counted(func(s *model.System[counter]) { s.Capacity = 1 })},
	{"`AtMost` in a system without `Units`", counted(func(s *model.System[counter]) {
		s.Properties = append(s.Properties, invariants.For[counter]{}.AtMost(2))
	})},
	{"fairness, beside an action, of what is never forced", counted(func(s *model.System[counter]) {
		s.Actions[0].Kind, s.Actions[0].Fair = model.Spontaneous, model.WeakFairness
	})},
	{"fairness about states without `Then`", counted(func(s *model.System[counter]) {
		s.Assume = []model.StateFairness[counter]{{When: func(s *counter) bool { return s.X == 0 }}}
	})},
	{"a symmetry without `Colour`", counted(func(s *model.System[counter]) {
		s.Symmetry = []model.Symmetry[counter]{{Size: 2, Swap: func(*counter, int, int) {}}}
	})},
}

// TestMistakes makes each mistake, and compares its error with docs/model-mistakes.ndjson.
func TestMistakes(t *testing.T) {
	for name, err := range map[string]error{
		"ring":    composed(func(*ring) {})(),
		"counter": counted(func(*model.System[counter]) {})(),
		"spec":    specified(func(*model.Spec) {})(),
	} {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var rows []mistakeRow
	said := map[string]string{}
	for _, m := range mistakes {
		err := m.made()
		var mistake *model.Error
		if !errors.As(err, &mistake) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", m.what, err)
			continue
		}
		if other, twice := said[err.Error()]; twice {
			t.Errorf("%s is told like %s: %v", m.what, other, err)
		}
		said[err.Error()] = m.what
		what := mistake.What
		if mistake.Impure() {
			what = mistake.Subject() + ": " + what
		}
		rows = append(rows, mistakeRow{"before the search", m.what, what})
	}
	asKept(t, rows)
}

// A mistakeRow is a line of docs/model-mistakes.ndjson.
type mistakeRow struct {
	Met     string `json:"met"` // when
	Mistake string `json:"mistake"`
	Says    string `json:"says"` // the error, without "model error: "
}

// asKept compares rows with those of docs/model-mistakes.ndjson that are met at the same time.
func asKept(t *testing.T, rows []mistakeRow) {
	t.Helper()
	const file = "../docs/model-mistakes.ndjson"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var before, kept, after []mistakeRow
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var row mistakeRow
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		switch {
		case row.Met == rows[0].Met:
			kept = append(kept, row)
		case kept == nil:
			before = append(before, row)
		default:
			after = append(after, row)
		}
	}
	if slices.Equal(kept, rows) {
		return
	}
	if !*rewrite {
		t.Fatalf("%s has\n%v\nbut the errors are\n%v", file, kept, rows)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, row := range slices.Concat(before, rows, after) {
		if err := e.Encode(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
