package page_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
)

// A live page that a test asks.
type live struct {
	t       testing.TB
	host    string
	address string
	server  *page.Server
}

// serve serves the page of a model.
func serve(t testing.TB, spec, args string) (*live, model.Instance) {
	t.Helper()
	tr := &traces.Trace{Header: traces.Header{Spec: spec, Parameters: map[string]string{}}}
	for _, arg := range strings.Fields(args) {
		key, value, _ := strings.Cut(arg, "=")
		tr.Parameters[key] = value
	}
	in := instance(t, tr)
	return serveInstance(t, tr.Header, in), in
}

// serveInstance serves the page of an instance of a model.
func serveInstance(t testing.TB, h traces.Header, in model.Instance) *live {
	t.Helper()
	about := func(*traces.Trace, page.Path) page.About { return page.About{} }
	s := &page.Server{In: in, Header: h, About: about}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	var path string
	handler, path = s.Handler(host)
	return &live{t, host, server.URL + path, s}
}

// ask asks a question, and returns the status and the answer.
func (l *live) ask(what, question string, change func(*http.Request)) (status int, answer string) {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodPost, l.address+"api/"+what,
		strings.NewReader(question))
	if err != nil {
		l.t.Fatal(err)
	}
	r.Header.Set("Origin", "http://"+l.host)
	if change != nil {
		change(r)
	}
	return l.send(r)
}

func (l *live) send(r *http.Request) (status int, answer string) {
	l.t.Helper()
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		l.t.Fatal(err)
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	return got.StatusCode, string(b)
}

// answered asks a question that has to be answered, and reads the answer.
func answered[T any](l *live, what, question string) (x T) {
	l.t.Helper()
	status, answer := l.ask(what, question, nil)
	if status != http.StatusOK {
		l.t.Fatalf("%s %s: %d %s", what, question, status, answer)
	}
	if err := json.Unmarshal([]byte(answer), &x); err != nil {
		l.t.Fatal(err)
	}
	return x
}

// TestForeignRequestsAreRefused refuses other origins and hosts, wrong tokens, and questions that are no
// good.
func TestForeignRequestsAreRefused(t *testing.T) {
	l, _ := serve(t, "die-hard", "")
	for name, change := range map[string]func(*http.Request){
		"origin":    func(r *http.Request) { r.Header.Set("Origin", "http://example.org") },
		"no origin": func(r *http.Request) { r.Header.Del("Origin") },
		"host":      func(r *http.Request) { r.Host = "example.org" },
		"localhost": func(r *http.Request) { r.Host = strings.Replace(l.host, "127.0.0.1", "localhost", 1) },
		"token": func(r *http.Request) {
			r.URL.Path = strings.Replace(r.URL.Path, r.URL.Path[1:5], "AAAA",
				1)
		},
		"no token": func(r *http.Request) { r.URL.Path = "/api/run" },
	} {
		if status, _ := l.ask("run", `{"path":[]}`, change); status != http.StatusForbidden {
			t.Errorf("another %s: %d", name, status)
		}
	}
	for question, want := range map[string]int{
		`{"path":[0],"from":0}`: 200, `{"path":[6]}`: 422, `{"path":[-1]}`: 422, `{"path":[0],"from":7}`: 422,
		`{"initial":1}`:  422,
		`{"path":["x"]}`: 400, "": 400, `{"path":[` + strings.Repeat("0,", 6000) + `0]}`: 400,
		strings.Repeat(" ", 1<<21): 400,
	} {
		if status, answer := l.ask("run", question, nil); status != want {
			t.Errorf("%.60s: %d %.100s", question, status, answer)
		}
	}
	if status, _ := l.ask("nothing", `{"path":[]}`, nil); status != http.StatusNotFound {
		t.Errorf("an unknown question: %d", status)
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, l.address, nil)
	if status, text := l.send(r); status != 200 || !strings.Contains(text, "connect-src 'self'") {
		t.Errorf("the page: %d", status)
	}
}

// A state is what the tests read of an answer about a path.
type shown struct {
	Sentence string
	Verdict  string
	Path     []int
	Text     string
	Steps    []page.Step
	Choices  []*struct {
		Text string
		Bad  string
	}
}

// TestExploredRunIsSaved finds the solution of the puzzle from a state on, saves it as a trace and as a
// scenario, and both are good.
func TestExploredRunIsSaved(t *testing.T) {
	l, in := serve(t, "die-hard", "")
	begun := answered[shown](l, "run", `{"path":[0,4],"from":0}`)
	if len(begun.Steps) != 3 || begun.Steps[2].Text != "SmallToBig" || len(begun.Steps[2].Choices) != 6 {
		t.Fatalf("%+v", begun)
	}
	near := answered[shown](l, "ahead", `{"path":[0,4]}`)
	to := answered[shown](l, "shortest", `{"path":[0,4],"property":0}`)
	least := ""
	for k, n := range near.Choices { // the shortest run begins with a choice that is nearest
		if k == to.Path[2] {
			least = n.Bad
		}
	}
	if want := fmt.Sprintf("big-not-4 violated %d steps later", len(to.Path)-3); least != want {
		t.Errorf("%q, want %q", least, want)
	}
	path, _ := json.Marshal(to.Path)
	end := answered[shown](l, "run", fmt.Sprintf(`{"path":%s,"from":0}`, path))
	if end.Verdict != "violated" || !strings.HasPrefix(end.Sentence, "big-not-4 is violated after step") {
		t.Errorf("%s: %s", end.Verdict, end.Sentence)
	}
	trace := answered[shown](l, "trace", fmt.Sprintf(`{"path":%s}`, path)).Text
	tr, err := traces.Read(strings.NewReader(trace))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := traces.Replay(in, tr); err != nil || r.Trace.Property != "big-not-4" {
		t.Errorf("the trace: %v", err)
	}
	scenario := answered[shown](l, "scenario", fmt.Sprintf(`{"path":%s}`, path)).Text
	s, err := traces.ReadScenario(strings.NewReader(scenario))
	if err != nil {
		t.Fatalf("%v in\n%s", err, scenario)
	}
	if trial, err := s.Try(t.Context(), in, traces.Header{Spec: "die-hard"}, 1000); err != nil ||
		!trial.Expected {
		t.Errorf("the scenario: %+v, %v\n%s", trial, err, scenario)
	}
	if to := answered[shown](l, "shortest", `{"path":[],"where":"Big=1; Small=3"}`); len(to.Path) == 0 {
		t.Errorf("%+v", to)
	}
	if to := answered[shown](l, "shortest", `{"path":[],"where":"Big=9"}`); to.Path != nil ||
		!strings.Contains(to.Text, "all 16 states") {
		t.Errorf("%+v", to)
	}
	if free := answered[shown](l, "random", `{"path":[0],"steps":7}`); len(free.Path) != 8 ||
		free.Path[0] != 0 {
		t.Errorf("%+v", free)
	}
	if status, _ := l.ask("shortest", `{"path":[],"where":"Bug=9"}`,
		nil); status != http.StatusUnprocessableEntity {
		t.Error("an unknown variable is looked for")
	}
}

// TestUndoLeavesACrashOut leaves a crash out of a counterexample.
func TestUndoLeavesACrashOut(t *testing.T) {
	l, in := serve(t, "raymond", "n=3 k=2 rounds=2,1,0 crashes=1")
	to := answered[shown](l, "shortest", `{"path":[],"property":`+fmt.Sprint(property(in,
		"capacity-naive"))+`}`)
	if len(to.Path) != 9 {
		t.Fatalf("%+v", to)
	}
	path, _ := json.Marshal(to.Path)
	crash := 0
	for i, s := range answered[shown](l, "run", fmt.Sprintf(`{"path":%s,"from":0}`, path)).Steps {
		if s.Crashed {
			crash = i
		}
	}
	undone := answered[shown](l, "undo", fmt.Sprintf(`{"path":%s,"step":%d}`, path, crash))
	if len(undone.Path) != 8 || !strings.Contains(undone.Text, "All later steps") {
		t.Errorf("%+v", undone)
	}
	path, _ = json.Marshal(undone.Path)
	if end := answered[shown](l, "run", fmt.Sprintf(`{"path":%s,"from":0}`, path)); strings.HasPrefix(
		end.Sentence, "capacity-naive") {
		t.Errorf("without the crash: %s", end.Sentence)
	}
}

// TestLinkFitsAsFarAsTheModelHasItsSteps follows a link of names in its model, and in one without crashes.
func TestLinkFitsAsFarAsTheModelHasItsSteps(t *testing.T) {
	l, in := serve(t, "raymond", "n=3 k=2 rounds=2,1,0 crashes=1")
	to := answered[shown](l, "shortest", `{"path":[],"property":`+fmt.Sprint(property(in,
		"capacity-naive"))+`}`)
	path, _ := json.Marshal(to.Path)
	names := answered[page.Data](l, "run", fmt.Sprintf(`{"path":%s}`, path)).Labels
	link, _ := json.Marshal(names)
	asked := fmt.Sprintf(`{"labels":%s}`, link)
	if again := answered[shown](l, "link", asked); !slices.Equal(again.Path, to.Path) || again.Text != "" {
		t.Errorf("%v, want %v; %s", again.Path, to.Path, again.Text)
	}
	crash := slices.IndexFunc(names, func(s string) bool { return strings.Contains(s, "crash") })
	l, _ = serve(t, "raymond", "n=3 k=2 rounds=2,1,0")
	if part := answered[shown](l, "link", asked); len(part.Path) != crash ||
		!strings.HasPrefix(part.Text, fmt.Sprintf("The link fits the model up to step %d of 9", crash)) {
		t.Errorf("without crashes: %v %s; step %d is the crash", part.Path, part.Text, crash+1)
	}
}

func property(in model.Instance, name string) int {
	for i, p := range in.Space.Properties() {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// TestModelsHaveChoicesAndAnExample: random steps lead on in the last reference of each model, and a run
// meets the example of a condition. Both use the words of the model, found in its first states once.
func TestModelsHaveChoicesAndAnExample(t *testing.T) {
	for i := range specs.All {
		name, args := specs.All[i].Name, ""
		if refs := specs.All[i].Loaded().References; len(refs) > 0 {
			args = refs[len(refs)-1].Args
		}
		l, _ := serve(t, name, args)
		far := answered[shown](l, "random", `{"path":[],"steps":12}`)
		path, _ := json.Marshal(far.Path)
		if got := answered[shown](l, "run", fmt.Sprintf(`{"path":%s,"from":0}`, path)); len(got.Steps) !=
			len(far.Path)+1 {
			t.Errorf("%s %s: %d rows", name, args, len(got.Steps))
		}
		d, err := l.server.Open(page.Path{Choices: []int{}})
		if err != nil {
			t.Fatal(err)
		}
		if status, run, text := l.where(d.Example); d.Example == "" || run == nil {
			t.Errorf("%s %s: %q: %d %s", name, args, d.Example, status, text)
		}
	}
}

// TestFaultyModelIsAnError: a property that fails, or ends its goroutine, is the answer to the questions that
// meet it. The server answers others. A step that fails is among the choices.
func TestFaultyModelIsAnError(t *testing.T) {
	for says, fail := range map[string]func(){
		"runtime.Goexit":        runtime.Goexit,
		"the property gives up": func() { panic("the property gives up") },
	} {
		in := model.NewSystem(model.System[uint8]{
			Init: []uint8{0},
			Actions: []model.SystemAction[uint8]{{Name: "up",
				Do: func(s *uint8, _ int, _ *model.Choice) bool {
					if *s++; *s == 4 {
						panic("the step gives up")
					}
					return true
				}}},
			Properties: []model.Property[uint8]{{Name: "p", Kind: model.Invariant,
				Holds: func(s *uint8) bool {
					if *s == 2 {
						fail()
					}
					return true
				}}},
		})
		l := serveInstance(t, traces.Header{Spec: "faulty", Parameters: map[string]string{}}, in)
		for range 2 {
			status, text := l.ask("ahead", `{"path":[0,0]}`, nil)
			if status != http.StatusUnprocessableEntity || !strings.Contains(text, says) {
				t.Errorf("%s: %d %s", says, status, text)
			}
		}
		if status, text := l.ask("run", `{"path":[0,0,0],"from":3}`, nil); status != http.StatusOK ||
			!strings.Contains(text, "the step gives up") { // in place of the choices
			t.Errorf("%s: behind it: %d %s", says, status, text)
		}
	}
}
