package report_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSimulationSchema holds what simulate writes in JSON against the schema that it prints.
func TestSimulationSchema(t *testing.T) {
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(run(t, "simulate", "raymond", "--format",
		"schema")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("simulation.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("simulation.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"raymond --runs 10", "raymond n=4 --runs 10 --coverage=false --scheduler pct",
		"die-hard --runs 50 --trace x.ndjson",
		"raymond rounds=inf --runs 2 --steps 100 --within 3 --keep-going",
	} {
		t.Chdir(t.TempDir())
		all := append([]string{"simulate"}, strings.Fields(args+" --format json")...)
		var out, diag bytes.Buffer
		atmostk.Run(context.Background(), all, nil, &out, &diag)
		v, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err, diag.String())
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}
