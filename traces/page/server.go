//go:build !js

package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
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

// A Server serves the live page of a model, on which users can take other steps from every state. It keeps no
// path: each question has its own.
type Server struct {
	In     model.Instance
	Header traces.Header // of the runs: model, parameters, tool
	// About describes the model for the page of a run with the given path.
	About func(*traces.Trace, Path) About
	Start Path // the path that the page opens first

	token      string
	busy       sync.Mutex  // one call of the model at a time: models need not be safe for concurrent use
	known      *vocabulary // nil: not yet computed
	background background
}

// locked calls ask while no other question uses the model. A model error becomes an error. If a function of
// the model never returns, the lock is kept.
func locked[T any](s *Server, ask func() (T, error)) (none T, _ error) {
	var answer T
	var err error
	e := check.Apart(time.After(answerTime+time.Second), func() {
		s.busy.Lock()
		defer s.busy.Unlock()
		answer, err = ask()
	})
	if e != nil {
		return none, e
	}
	return answer, err
}

// Handler returns the handler of the page, and its path on the host. The path
// has a random token: the handler refuses requests without it, and requests from other pages.
func (s *Server) Handler(host string) (h http.Handler, path string) {
	s.token = rand.Text()
	path = "/" + s.token + "/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{token}/{$}", s.page)
	mux.HandleFunc("POST /{token}/api/{what}", s.question)
	return s.guarded(mux, host), path
}

// guarded refuses requests that do not come from the page itself.
func (s *Server) guarded(next http.Handler, host string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		origin := r.Header.Get("Origin")
		switch {
		case r.Host != host:
			http.Error(w, "this is not the host that the page is served from", http.StatusForbidden)
			return
		case origin != "" && origin != "http://"+host, r.Method == http.MethodPost && origin == "":
			http.Error(w, "requests from another origin are refused", http.StatusForbidden)
			return
		case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
			http.Error(w, "the address lacks the token that the program printed", http.StatusForbidden)
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

func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	var b bytes.Buffer
	d, err := s.Open(s.Start)
	if err == nil {
		d.API = "/" + s.token + "/api/"
		err = Write(&b, d)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // the client may be gone
}

// words returns the vocabulary of the model. It computes it once.
func (s *Server) words() *vocabulary {
	if s.known == nil {
		s.known = newVocabulary(s.In)
	}
	return s.known
}

func (s *Server) run(p Path) (*traces.Run, error) {
	taken, err := p.follow(s.In)
	if err != nil {
		return nil, err
	}
	return traces.FromRun(s.In, s.Header, taken[0].Next, taken[1:])
}

// opened returns the page of a path with the rows from step from on. If the last step violates a property
// or reaches a goal, the head of the page reports it.
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
	d.Example, d.Conditions, d.Labels = s.words().example(), s.words().conditions(), p.labels(s.In)
	if judged := s.judged(r); judged != r {
		d.show(judged)
	}
	return d, nil
}

// judged returns the run as a counterexample to the first property that its last step violates or, if there
// is none, as a witness of the first goal that it reaches. If there is no goal either, it returns r.
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

// A question is a request of the page. Each kind uses some of the fields.
type question struct {
	Path
	From     int      `json:"from"`     // run: index of the first row
	Property *int     `json:"property"` // shortest: property to reach or violate; nil: see Where
	Where    string   `json:"where"`    // shortest: conditions on variables
	Steps    int      `json:"steps"`    // random: number of steps
	Labels   []string `json:"labels"`   // link: the steps by name
	Step     int      `json:"step"`     // undo: index of the crash to leave out
}

type asking func(context.Context, *question) (any, error)

func (s *Server) question(w http.ResponseWriter, r *http.Request) {
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "not a question: "+err.Error(), http.StatusBadRequest)
		return
	}
	ask, known := map[string]asking{
		"ahead": func(ctx context.Context, q *question) (any, error) { return s.Ahead(ctx, q.Path) },
		"run": s.alone(func(_ context.Context, q *question) (any, error) {
			return s.opened(q.Path, q.From)
		}),
		"shortest": s.alone(s.askShortest), "random": s.alone(s.askRandom),
		"undo": s.alone(s.askUndo), "link": s.alone(s.askLink),
		"trace": s.saved(false), "scenario": s.saved(true),
	}[r.PathValue("what")]
	switch {
	case !known:
		http.Error(w, "there is no such question", http.StatusNotFound)
		return
	case max(len(q.Choices), len(q.Labels)) > maxPath:
		http.Error(w, fmt.Sprintf("the path has %d steps; at most %d can be followed",
			max(len(q.Choices), len(q.Labels)), maxPath), http.StatusBadRequest)
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

// alone returns ask with the lock of the model.
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

// Check returns an error if the path Start is not a path of the model.
func (s *Server) Check() error {
	_, err := s.Start.follow(s.In)
	return err
}
