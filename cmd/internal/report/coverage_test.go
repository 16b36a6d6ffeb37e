package report_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// coverageLogs are logs of runs, a folder each: p1 asks; p2 hears of it, and may ask then; a line is missing.
var coverageLogs = map[string]string{
	"logs/a": `{"node":"p1","event":"request"}`,
	"logs/b": `{"node":"p1","event":"request"}` + "\n" + `{"node":"p2","event":"receive"}` + "\n" +
		`{"node":"p2","event":"request","maybe":true}`,
	"logs/c": `{"node":"p1","event":"enter"}`,
}

// TestCoverageOfLogs covers three logs, one of which no run of the model explains.
func TestCoverageOfLogs(t *testing.T) {
	t.Chdir(t.TempDir())
	for dir, text := range coverageLogs {
		const head = `{"atmostk":"log","spec":"raymond","args":"n=2 k=1 rounds=1"}` + "\n"
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/all.log", []byte(head+text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	covered := func(code int, args string) (*bytes.Buffer, string) {
		var out, diag bytes.Buffer
		given := strings.Fields("validate --coverage " + args)
		if got := atmostk.Run(context.Background(), given, nil, &out, &diag); got != code {
			t.Errorf("%s: exit code %d, want %d\n%s%s", args, got, code, out.String(), diag.String())
		}
		return &out, diag.String()
	}
	const of = "raymond n=2 k=1 rounds=1 "
	text, _ := covered(1, of+"logs/a logs/b logs/c/all.log")
	for _, want := range []string{
		"3 logs, 2 explained by runs of the model\n", "covers nothing: logs/c/all.log: rejected\n",
		"\n      2        2   request\n", "\n           never   enter\n",
		"\n           never   release: changes Defer, State; sends REPLY\n",
		"\n      1        1   receive REQUEST as the first step\n",
		"\n      0        1   receive REQUEST, then request\n",
		"\n           never   receive REPLY, then enter\n",
		// p1 asks, p2 receives it, and perhaps p2 asks then.
		"transitions: certainly 2, possibly 3 of the 62 between reachable states (3.23%,\n4.84%)\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
	html, _ := covered(1, of+"logs/a logs/b logs/c/all.log --format html")
	for _, want := range []string{
		"<h1>raymond: 16 of 22 items never happened</h1>", "<p>covers nothing: logs/c/all.log: rejected</p>",
		`<tr><th scope="row"><a href="#effects">effects</a></th><td>1</td><td>3</td></tr>`,
		`<td colspan="2"><strong>never</strong></td><th scope="row">release: changes State</th>`,
	} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	schema, _ := covered(0, "--format schema")
	parsed, err := jsonschema.UnmarshalJSON(schema)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("coverage", parsed); err != nil {
		t.Fatal(err)
	}
	for args, code := range map[string]int{of + "logs/*": 3, of + "logs/a logs/c": 1,
		of + "logs/a logs/b --max-states 10": 0} {
		out, _ := covered(code, args+" --format json")
		if code == 3 { // there is no file of that name
			continue
		}
		v, err := jsonschema.UnmarshalJSON(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.MustCompile("coverage").Validate(v); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
	for args, want := range map[string]string{
		"logs/a":                        "name the model before the logs",
		of + "logs/a --format sarif":    "allowed are --format=text, json, html and schema",
		of + "logs/a --assume no-model": "name the model before the logs",
	} {
		if _, diag := covered(64, args); !strings.Contains(diag, want) {
			t.Errorf("%s: the error lacks %q: %s", args, want, diag)
		}
	}
}
