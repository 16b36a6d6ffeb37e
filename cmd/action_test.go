package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// An action is what action.yml declares, as far as a shell carries it out.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Run string
			Env       map[string]string
		}
	}
}

// expression is what GitHub replaces in an action.
var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// TestAction carries out the steps of action.yml in a repository, but for building the program.
func TestAction(t *testing.T) {
	text, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	jugs, err := os.ReadFile("../specs/files/die-hard.star")
	if err != nil {
		t.Fatal(err)
	}
	log := `{"node":"a","event":"acquire","time":"2026-05-01T10:00:00Z"}
{"node":"b","event":"acquire","time":"2026-05-01T10:00:01Z"}
{"node":"a","event":"release","time":"2026-05-01T10:00:02Z"}
`
	violated := "timerfree order=footnote n=2 k=1 f=0 --property at-most-k"
	for _, c := range []struct {
		name   string
		inputs map[string]string
		code   int
		files  string // of the reports
		sarif  string // its content
		says   string // an annotation
	}{
		{"violated", map[string]string{"check": violated}, 1, "atmostk.sarif page.html run.ndjson",
			`"name": "lines 15-16"`,
			"its last step: p2 enter (lines 15-16)%0AThe page"},
		{"file", map[string]string{"check": "jugs.star"}, 1, "atmostk.sarif page.html run.ndjson",
			`"uri": "jugs.star"`,
			"violated by jugs.star: the big jug never holds 4 gallons"},
		{"holds", map[string]string{"check": "raymond n=2 k=1 --property at-most-k", "reports": "kept"}, 0,
			"atmostk.sarif", `"results": []`, "nothing is violated"},
		{"undecided", map[string]string{"check": "raymond n=3\n--max-states 10"}, 2, "atmostk.sarif",
			`"level": "warning"`, "::warning title=atmostk::undecided"},
		{"passed", map[string]string{"check": "raymond n=3 --max-states 10", "undecided": "pass"}, 0,
			"atmostk.sarif", `"verdict": "unknown"`, "::warning title=atmostk::undecided"},
		{"rejected", map[string]string{"validate": "lock.ndjson --skew 0s"}, 1, "atmostk.sarif page.html",
			`"ruleId": "more-than-k"`, "2 units in use at once"},
		{"wrong", map[string]string{"check": "raymnd; touch $HOME/seen"}, 64, "", "",
			"::error title=atmostk::exit code 64"},
		{"neither", nil, 64, "", "", "::error title=atmostk::exit code 64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "lock.ndjson"), log)
			write(t, filepath.Join(dir, "jugs.star"), string(jugs))
			code, said := a.carryOut(t, dir, c.inputs)
			if code != c.code || !strings.Contains(said, c.says) {
				t.Errorf("exit code %d, want %d, and %q:\n%s", code, c.code, c.says, said)
			}
			reports := filepath.Join(dir, "atmostk-reports")
			if name := c.inputs["reports"]; name != "" {
				reports = filepath.Join(dir, name)
			}
			entries, err := os.ReadDir(reports)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
			}
			if is := strings.Join(names, " "); is != c.files {
				t.Errorf("the reports are %s, want %s", is, c.files)
			}
			if c.sarif == "" {
				return
			}
			report, err := os.ReadFile(filepath.Join(reports, "atmostk.sarif"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(report), c.sarif) {
				t.Errorf("the report does not hold %s:\n%s", c.sarif, report)
			}
		})
	}
}

// carryOut runs the steps that are commands in a folder, until one fails, and returns the exit code and what
// they print.
func (a *action) carryOut(t *testing.T, dir string, inputs map[string]string) (code int, said string) {
	t.Helper()
	temp := t.TempDir()
	tool, err := exec.LookPath("atmostk")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(tool, filepath.Join(temp, "atmostk")); err != nil {
		t.Fatal(err)
	}
	outputs := filepath.Join(temp, "outputs")
	for _, step := range a.Runs.Steps {
		if step.Run == "" || step.Name == "build" {
			continue
		}
		// as GitHub does
		c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		c.Dir = dir
		c.Env = append(os.Environ(), "GITHUB_OUTPUT="+outputs, "GITHUB_STEP_SUMMARY="+filepath.Join(temp,
			"summary"), "HOME="+dir)
		for name, value := range step.Env {
			c.Env = append(c.Env, name+"="+expression.ReplaceAllStringFunc(value, func(e string) string {
				return a.value(t, expression.FindStringSubmatch(e)[1], inputs, temp, outputs)
			}))
		}
		out, err := c.CombinedOutput()
		said += string(out)
		if err != nil {
			return c.ProcessState.ExitCode(), said
		}
	}
	return 0, said
}

// value is what GitHub replaces an expression by.
func (a *action) value(t *testing.T, e string, inputs map[string]string, temp, outputs string) string {
	t.Helper()
	if e == "runner.temp" {
		return temp
	}
	if name, ok := strings.CutPrefix(e, "inputs."); ok {
		declared, ok := a.Inputs[name]
		if !ok {
			t.Fatalf("there is no input %s", name)
		}
		if value, ok := inputs[name]; ok {
			return value
		}
		return declared.Default
	}
	name, ok := strings.CutPrefix(e, "steps.judge.outputs.")
	if !ok {
		t.Fatalf("what is %s?", e)
	}
	text, err := os.ReadFile(outputs)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return value
		}
	}
	t.Fatalf("no output %s in %s", name, strconv.Quote(string(text)))
	return ""
}
