package report_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestSARIF checks the SARIF report of every log in the scripts of validate.
func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	var logs []string
	for _, script := range []string{"validate.txtar", "validate-bad.txtar"} {
		a, err := txtar.ParseFile(filepath.Join("..", "..", "testdata", "script", script))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "a b") // a blank has to be escaped
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			logs = append(logs, filepath.Join(dir, f.Name))
			if err := os.WriteFile(logs[len(logs)-1], f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	rules := map[string]bool{}
	for _, log := range logs {
		for _, args := range [][]string{{log}, {log, "--skew", "0s"}, {"raymond", "n=2", "k=1", log}} {
			if report := sarif(t, schema, append([]string{"validate"}, args...)); report != nil {
				sarifRules(t, report, rules)
			}
		}
	}
	for _, rule := range []string{"more-than-k", "possibly-more-than-k", "cycle", "backwards",
		"not-explained", "line-missing", "gap", "proves-little", "outlasts", "stale-token", "not-held"} {
		if !rules[rule] {
			t.Errorf("no log is reported by %s", rule)
		}
	}
}

// TestSARIFOfChecks checks the SARIF reports of check.
func TestSARIFOfChecks(t *testing.T) {
	schema, n := sarifSchema(t), 0
	writeLogs(t)
	for _, r := range reports {
		if args := strings.Fields(r.args); args[0] == "check" && sarif(t, schema, args) != nil {
			n++
		}
	}
	if n < 6 {
		t.Errorf("%d reports", n)
	}
}

// sarif runs a command and holds its report against the schema; nil: the command was not carried out.
func sarif(t *testing.T, schema *jsonschema.Schema, args []string) []byte {
	t.Helper()
	var out bytes.Buffer
	code := atmostk.Run(context.Background(), append(args, "--format", "sarif"), nil, &out, io.Discard)
	if code > 2 {
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%v: %v", args, err)
	}
	return out.Bytes()
}

// sarifSchema is the schema of reports: the used part of the standard, or the schema of the standard in the
// file that $ATMOSTK_SARIF_SCHEMA names.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(cmp.Or(os.Getenv("ATMOSTK_SARIF_SCHEMA"),
		"testdata/sarif.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// sarifRules collects the rules of results, and wants their indices to be right and
// their files to be addressed.
func sarifRules(t *testing.T, b []byte, rules map[string]bool) {
	t.Helper()
	var report struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	if err := json.Unmarshal(b, &report); err != nil {
		t.Fatal(err)
	}
	run := report.Runs[0]
	for _, r := range run.Results {
		rules[r.RuleID] = true
		if r.RuleIndex < 0 || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s has the wrong index %d", r.RuleID, r.RuleIndex)
		}
		for _, l := range r.Locations {
			if uri := l.PhysicalLocation.ArtifactLocation.URI; !strings.HasPrefix(uri, "file:///") ||
				!strings.Contains(uri, "a%20b") {
				t.Errorf("%s is at %s", r.RuleID, uri)
			}
		}
	}
}
