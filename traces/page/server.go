//go:build !js

package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/traces"
)

// Limits on a question to the server.
const (
	maxQuestion = 1 << 20          // bytes
	maxPath     = 5_000            // steps
	answerTime  = 15 * time.Second // for one answer
	mostStates  = 400_000          // visited for one answer
)

// A Server serves the live page of a model, on which one can go on from every state. Each question names its
// path.
type Server struct {
	In     model.Instance
	Header traces.Header // of the runs: model, parameters, tool
	// About is what the page says of the model beside a run, which has that path.
	About func(*traces.Trace, Path) About
	Start Path // that is open at first

	token      string
	busy       sync.Mutex  // one answer at a time: models need not be safe for two
	known      *vocabulary // once it was wanted
	background background  // behind the page
}

// locked asks the model when it answers no other question. A
// mistake of the model that shows on the way is an error.
func locked[T any](s *Server, ask func() (T, error)) (answer T, err error) {
	s.busy.Lock()
	defer s.busy.Unlock()
	if e := check.Caught(func() { answer, err = ask() }); e != nil {
		err = atFault(e.Error())
	}
	return answer, err
}

// Handler returns the handler of the page, and its address below the host. The address
// holds a random token: requests without it are refused, and so are requests of another page.
func (s *Server) Handler(host string) (h http.Handler, path string) {
	s.token = rand.Text()
	path = "/" + s.token + "/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{token}/{$}", s.page)
	mux.HandleFunc("POST /{token}/api/{what}", s.question)
	return s.guarded(mux, host), path
}

// guarded refuses what does not come from the page itself.
func (s *Server) guarded(next http.Handler, host string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		origin := r.Header.Get("Origin")
		switch {
		case r.Host != host:
			http.Error(w, "this is not the host that the page is served from", http.StatusForbidden)
			return
		case origin != "" && origin != "http://"+host, r.Method == http.MethodPost && origin == "":
			http.Error(w, "the page of another origin may not ask", http.StatusForbidden)
			return
		case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
			http.Error(w, "the address lacks the token that the program has printed", http.StatusForbidden)
			return
		}
		head := w.Header()
		head.Set("Cache-Control", "no-store")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("X-Frame-Options", "DENY")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		r.Body = http.MaxBytesReader(w, r.Body, maxQuestion)
		next.ServeHTTP(w, r)
	})
}

// Open returns the page of a path.
func (s *Server) Open(p Path) (*Data, error) {
	return locked(s, func() (*Data, error) { return s.opened(p, 0) })
}

// Text returns a path as the text of a trace, or of a scenario.
func (s *Server) Text(p Path, scenario bool) (string, error) {
	return locked(s, func() (string, error) { return s.text(p, scenario) })
}

// page answers with the page, in which the path is open that the program was started with.
func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	d, err := s.Open(s.Start)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	d.API = "/" + s.token + "/api/"
	var b bytes.Buffer
	if err := Write(&b, d); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // the client may be gone
}

// words returns what the first states of the model have.
func (s *Server) words() *vocabulary {
	if s.known == nil {
		s.known = newVocabulary(s.In)
	}
	return s.known
}

// run executes a path.
func (s *Server) run(p Path) (*traces.Run, error) {
	initial, taken, err := p.follow(s.In)
	if err != nil {
		return nil, err
	}
	return traces.FromRun(s.In, s.Header, initial, taken)
}

// opened returns the page of a path with the rows from a step on; for a run that ends in a violation, its
// head is about that.
func (s *Server) opened(p Path, from int) (*Data, error) {
	r, err := s.run(p)
	if err != nil {
		return nil, err
	}
	if from < 0 || from > len(r.States) {
		return nil, fmt.Errorf("there is no row %d", from)
	}
	d := dataOf(r, s.About(r.Trace, p), from)
	d.Kind, d.Path, d.Initial, d.Initials = "live", p.Choices, p.Initial, len(s.In.Plain.Init())
	d.Example = s.words().example()
	if judged := s.judged(r); judged != r {
		d.Sentence, d.Verdict, d.Culprits = judged.Sentence(), judged.Trace.Verdict,
			append([]string{}, judged.Culprits()...)
		d.Roots = roots(r.Trace.Steps, d.Culprits)
	}
	return d, nil
}

// judged returns the run as one that shows the first property that its last step violates, or reaches if it
// violates nothing; the run itself if it shows nothing.
func (s *Server) judged(r *traces.Run) *traces.Run {
	verdicts := r.Verdicts(len(r.States) - 1)
	for _, wanted := range []string{traces.Violated, traces.Reached} {
		for i, info := range s.In.Space.Properties() {
			if verdicts[i] != wanted {
				continue
			}
			h := s.Header
			h.Property, h.Kind, h.Verdict = info.Name, "", ""
			if judged, err := traces.FromRun(s.In, h, r.States[0], r.Taken); err == nil {
				return judged
			}
		}
	}
	return r
}

// A question is what the page asks.
type question struct {
	Path
	From     int    `json:"from"`     // the first row that is wanted
	Property *int   `json:"property"` // to which a run is wanted
	Where    string `json:"where"`    // or to which values of variables
	Steps    int    `json:"steps"`    // of a random run
	Step     int    `json:"step"`     // the crash to leave out
}

// asking answers a question.
type asking func(context.Context, *question) (any, error)

// question answers a question in JSON.
func (s *Server) question(w http.ResponseWriter, r *http.Request) {
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "not a question: "+err.Error(), http.StatusBadRequest)
		return
	}
	ask, known := map[string]asking{
		"ahead": s.askAhead, // which waits for the model by itself
		"run":   s.alone(s.askRun), "shortest": s.alone(s.askShortest), "random": s.alone(s.askRandom),
		"undo": s.alone(s.askUndo), "trace": s.saved(false), "scenario": s.saved(true),
	}[r.PathValue("what")]
	switch {
	case !known:
		http.Error(w, "there is no such question", http.StatusNotFound)
		return
	case len(q.Choices) > maxPath:
		http.Error(w, fmt.Sprintf("the path has %d steps; at most %d can be followed", len(q.Choices),
			maxPath), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTime)
	defer cancel()
	answer, err := ask(ctx, &q)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}

// alone asks while the model answers no other question.
func (s *Server) alone(ask asking) asking {
	return func(ctx context.Context, q *question) (any, error) {
		return locked(s, func() (any, error) { return ask(ctx, q) })
	}
}

// saved answers with a path as the text of a trace, or of a scenario.
func (s *Server) saved(scenario bool) asking {
	return func(_ context.Context, q *question) (any, error) {
		text, err := s.Text(q.Path, scenario)
		return answer{Text: text}, err
	}
}

// atFault is the error of a mistake of the model.
func atFault(mistake string) error { return errors.New("the model is at fault: " + mistake) }

// Check returns why the path at the start cannot be followed; nil if it can.
func (s *Server) Check() error {
	_, _, err := s.Start.follow(s.In)
	return err
}
