package report_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/atmostk/atmostk/specs"
)

// TestCatalogue holds what list and show write in JSON, of all models, against the schema,
// which allows no field that it does not name.
func TestCatalogue(t *testing.T) {
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(run(t, "list", "--format", "schema")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("catalogue.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("catalogue.json")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{} // fields that some model has
	check := func(args ...string) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(run(t, args...)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%v: %v", args, err)
		}
		fields(v, named)
	}
	check("list", "--format", "json")
	for _, s := range specs.All {
		check("show", s.Name, "--format", "json")
	}
	check("show", "../../../specs/files/raymond.star", "--format", "json")
	check("show", "raymond", "rounds=inf", "fairness=strong", "max-skew=2", "--format", "json")
	for _, def := range parsed.(map[string]any)["$defs"].(map[string]any) {
		for field := range def.(map[string]any)["properties"].(map[string]any) {
			if !named[field] {
				t.Errorf("no model has the field %q", field)
			}
		}
	}
}

// fields collects the names of the fields in a value.
func fields(v any, named map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			named[name] = true
			fields(inner, named)
		}
	case []any:
		for _, inner := range v {
			fields(inner, named)
		}
	}
}

// TestShowJSON looks at what one model shows of itself.
func TestShowJSON(t *testing.T) {
	var m struct {
		Parameters []struct {
			Name, About, Form, Default string
			Range                      []int
			Words                      []string
		}
		Instance struct {
			Arguments  map[string]string
			Capacity   int
			Processes  []string
			Properties []struct{ Name, Kind, Source string }
			Actions    []struct{ Name, Source, Kind string }
		}
	}
	out := run(t, "show", "timerfree", "n=4", "k=3", "f=1", "--format", "json")
	if err := json.Unmarshal([]byte(out), &m); err != nil {
		t.Fatal(err)
	}
	about := map[string]string{}
	for _, p := range m.Parameters {
		about[p.Name] = p.About + " " + p.Form
		if p.Name == "n" && (!slices.Equal(p.Range, []int{1, 16}) || p.Default == "") {
			t.Errorf("n has the range %v and the default %q", p.Range, p.Default)
		}
		if p.Name == "channel" && !slices.Equal(p.Words, []string{"bag", "fifo"}) {
			t.Errorf("channel has the words %v", p.Words)
		}
	}
	for name, want := range map[string]string{"n": "algorithm number", "losses": "network number",
		"crashable": "network processes", "fairness": "search word"} {
		if about[name] != want {
			t.Errorf("%s is %q, want %q", name, about[name], want)
		}
	}
	i := m.Instance
	if i.Capacity != 3 || i.Arguments["crashes"] != "1" ||
		!slices.Equal(i.Processes, []string{"p1", "p2", "p3", "p4"}) {
		t.Errorf("the instance is %+v", i)
	}
	if i.Properties[0].Name != "at-most-k" || i.Properties[0].Kind != "invariant" ||
		i.Actions[0].Source == "" {
		t.Errorf("the first property is %+v, the first action %+v", i.Properties[0], i.Actions[0])
	}
}
