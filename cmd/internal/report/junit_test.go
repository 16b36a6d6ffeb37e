package report_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The logs of the tests of reports.
var reportLogs = map[string]string{
	"right.log": "1 a request\n2 a acquire\n3 b request\n4 a release\n5 b acquire\n6 b " +
		"release\n7 c request\n",
	"unheld.log": "1 a acquire x\n2 b use y\n3 a release x\n",
	"idle.log":   "1 a request\n",
	"words.log": "2026-05-01 10:00:00.000 worker=w1 lock acquired key=stock\n" +
		"2026-05-01 10:00:01.000 worker=w1 lock released key=stock\n",
	"restarted.ndjson": `{"atmostk":"log","spec":"lamport-mutex","args":"n=2 max-clock=6"}` + "\n" +
		`{"node":"p1","event":"Request","seq":1}` + "\n" + `{"node":"p1","event":"RecvAck","seq":1}` + "\n" +
		`{"node":"p2","event":"RecvReq"}` + "\n",
	"broken.log": "1 a acquire\n2 b acquire\n3 c acquire\n4 c release\n5 b release\n6 a release\n",
	"locks.log": "1 a acquire disk\n2 b acquire net\n3 c acquire net\n4 c release net\n5 b release " +
		"net\n6 a release disk\n",
	"twice.log": "1 a acquire\n2 a acquire\n3 b acquire\n4 b release\n",
	"back.ndjson": `{"node":"a","event":"enter","clock":{"a":2}}` + "\n" +
		`{"node":"a","event":"release","clock":{"a":1}}` + "\n",
	"late.log": "1000 a acquire\n2000 a release\n1999 b acquire\n3000 b release\n2999 a acquire\n4000 " +
		"a release\n3999 b acquire\n5000 b release\n",
	"raymond.log": `{"atmostk":"log","spec":"raymond","args":"n=2 k=1 rounds=1"}` + "\n" +
		`{"node":"p1","event":"enter","state":{"State":"CS"}}` + "\n" + `{"node":"p1","event":"release"}` +
		"\n",
	"explained.log": `{"atmostk":"log","spec":"raymond","args":"n=2 k=1 rounds=1"}` + "\n" +
		`{"node":"p1","event":"request"}` + "\n" +
		`{"node":"p2","event":"receive REQUEST","from":"p1","id":"m"}` + "\n",
	"gap.ndjson": `{"node":"a","event":"acquire","seq":1}` + "\n" + `{"node":"a","event":"acquire","seq":4}` +
		"\n",
}

// reports has commands whose reports are looked at, with the verdict and the numbers of cases that fail and
// of those with an error.
var reports = []struct {
	args           string
	code           int
	failed, errors int
}{
	{"check raymond n=2 k=1", 0, 0, 0},
	{"check raymond n=3 k=2 rounds=1,1,0 crashes=1 --property capacity-naive", 1, 1, 0},
	{"check raymond n=3 k=2 rounds=1,1,0 crashes=1 --property capacity-naive,at-most-k", 1, 1, 0},
	{"check raymond n=3 k=2 --max-states 10 --property at-most-k", 2, 0, 1},
	{"check raymond n=3 k=2 rounds=1,0,0", 0, 0, 0},
	{"check raymond n=2 k=1 --costs --keep-going --out-of-reach --strict", 0, 0, 0},
	{"check timerfree n=2 k=1", 1, 1, 0},
	{"check raymond n=2 k=1 --store disk=files", 0, 0, 0},
	{"validate right.log --skew 0s", 0, 0, 0},
	{"validate broken.log --skew 0s", 1, 1, 0},
	{"validate broken.log", 2, 0, 1},
	{"validate locks.log --skew 0s", 1, 1, 0},
	{"validate twice.log --skew 0s", 2, 0, 1},
	{"validate back.ndjson", 1, 1, 0},
	{"validate late.log --skew 0s", 1, 1, 0},
	{"validate raymond.log", 1, 1, 0},
	{"check raynal --reduce movers", 0, 0, 0},
	{"validate explained.log", 0, 0, 0},
	{"validate gap.ndjson", 2, 0, 1},
	{"validate words.log --skew 0s", 2, 0, 1},
	{"validate words.log --skew 0s --node worker", 0, 0, 0},
	{"validate restarted.ndjson", 2, 0, 1},
	{"validate unheld.log --skew 0s", 0, 0, 0},
	{"validate idle.log --skew 0s", 2, 0, 1},
}

// TestJUnit reads the reports of several commands in the form of JUnit. Something fails if and only if the
// verdict is that something is violated, and something has an error if something was not decided.
func TestJUnit(t *testing.T) {
	writeLogs(t)
	for _, c := range reports {
		var out, diag bytes.Buffer
		args := append(strings.Fields(c.args), "--format", "junit")
		if code := atmostk.Run(context.Background(), args, nil, &out, &diag); code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s%s", c.args, code, c.code, out.String(), diag.String())
			continue
		}
		var r struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
				Skipped *struct{} `xml:"skipped"`
			} `xml:"testsuite>testcase"`
		}
		if err := xml.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v\n%s", c.args, err, out.String())
		}
		var failed, errors, skipped int
		for _, x := range r.Cases {
			if x.Failure != nil {
				failed++
			}
			if x.Error != nil {
				errors++
			}
			if x.Skipped != nil {
				skipped++
			}
		}
		if r.Tests != len(r.Cases) || r.Tests == 0 || r.Failures != failed || r.Errors != errors ||
			r.Skipped != skipped {
			t.Errorf("%s: %+v", c.args, r)
		}
		if failed != c.failed || errors != c.errors {
			t.Errorf("%s: %d failed and %d errors\n%s", c.args, failed, errors, out.String())
		}
	}
}

// TestReportSchemas holds what check and validate write in JSON against their schemas, which allow no field
// that they do not name. Fields that the commands here do not bring about are listed.
func TestReportSchemas(t *testing.T) {
	writeLogs(t)
	rare := map[string][]string{
		"check": {"model-error", "rp-stuck-depth", "trace", "part", "vacuous-because", "beyond",
			"never-asked-for", "fairness-never-enabled"},
		"validate": {"line"},
	}
	for verb, unseen := range rare {
		parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(run(t, verb, "--format", "schema")))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(verb, parsed); err != nil {
			t.Fatal(err)
		}
		schema, err := c.Compile(verb)
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]bool{}
		for _, r := range reports {
			args := strings.Fields(r.args)
			if args[0] != verb {
				continue
			}
			var out bytes.Buffer
			atmostk.Run(context.Background(), append(args, "--format", "json"), nil, &out, io.Discard)
			v, err := jsonschema.UnmarshalJSON(&out)
			if err != nil {
				t.Fatalf("%s: %v", r.args, err)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s: %v", r.args, err)
			}
			fields(v, named)
		}
		report := parsed.(map[string]any)["$defs"].(map[string]any)["report"].(map[string]any)
		for field := range report["properties"].(map[string]any) {
			if !named[field] && !slices.Contains(unseen, field) {
				t.Errorf("no report of %s has the field %q", verb, field)
			}
		}
	}
}
