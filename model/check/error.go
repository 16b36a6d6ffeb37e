// Package check has the mistakes of models: an [Error] says what is wrong and where, [Catch] makes one of a
// panic, a [Checker] looks at what a model declares.
package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// An Error is a mistake in a model, as opposed to one in what was asked of it: Check finds it
// in what the model declares, or it shows while the model is executed, when one of its functions
// fails or does what a model cannot do. Who executes a model gets it as a panic, which Catch
// turns into a value.
type Error struct {
	What string // what is wrong: "index out of range [3] with length 3"
	// the function of the model in which it shows: "handler enter", "property mutex"; "": in none
	Part    string
	Where   string // the innermost line of the model itself: "ring/ring.go:35"; "" if not known
	Process string // whose step it is; "" if nobody's in particular
	Action  string // the action of the step; "" where none was under way
	State   string // what the function was given: the local state, or the state
	Message string // the message received, with its sender; "" if none was

	// Stopped: it is no mistake. A function that takes long was ended, because the search is to end.
	Stopped bool
	// Ended: the function ended its goroutine. Nothing stops that: Catch panics again with the Error, so
	// that it comes to whoever waits for the goroutine.
	Ended bool

	// First and Second are two results of the function for the same arguments; "" if the
	// mistake is another.
	First, Second string

	Label    protocol.Label `json:"-"` // of the step, where there is an Action
	Receives lts.Message    `json:"-"` // Message for a drawing
}

// Error says in one sentence what is wrong, and where.
func (e *Error) Error() string {
	s := "model error: "
	if e.Part != "" {
		s += e.Subject() + ": "
	}
	s += e.What
	if e.Where != "" {
		s += " (" + e.Where + ")"
	}
	return s
}

// Subject says what of the model fails, and whose: "handler enter of p2".
func (e *Error) Subject() string {
	s := cmp.Or(e.Part, "the model")
	if e.Process != "" {
		s += " of " + e.Process
	}
	return s
}

// Catch is deferred by those who execute a model, and puts what goes wrong in it into e. Panics that are not
// the model's go on. Where a goroutine begins returned is passed, which is set when what was called has
// returned: if it has not, and nothing panics, a function of the model has ended the goroutine.
func Catch(e **Error, returned ...*bool) {
	r := recover()
	if r == nil && len(returned) > 0 && !*returned[0] {
		mistake := ended()
		mistake.Part = "a function of the model"
		r = mistake
	}
	if r == nil {
		return
	}
	if *e = blame(r); (*e).Ended {
		panic(*e)
	}
}

// ended is the mistake that a function of the model ended its goroutine.
func ended() *Error {
	where, _ := culprit()
	return &Error{Ended: true, Where: where,
		What: "it ends its goroutine by runtime.Goexit, as t.FailNow does: allowed is to return, or to panic"}
}

// Named is deferred around a call of a function of a model. If that panics, it says in the
// Error what is not said yet and context knows.
func Named(context func() Error) {
	if r := recover(); r != nil {
		tell(r, context)
	}
}

// Returns is named where the function may also end its goroutine: done is set when it has returned.
func Returns(done *bool, context func() Error) {
	r := recover()
	if r == nil && !*done {
		r = ended()
	}
	if r != nil {
		tell(r, context)
	}
}

// tell panics with what was recovered, as an Error with what the context knows.
func tell(recovered any, context func() Error) {
	e, c := blame(recovered), context()
	if e.Process == "" && e.Action == "" {
		e.Process, e.Action, e.Message = c.Process, c.Action, c.Message
		e.Label, e.Receives = c.Label, c.Receives
	}
	e.Part, e.State = cmp.Or(e.Part, c.Part), cmp.Or(e.State, c.State)
	panic(e)
}

// Part is the context of a call of which only the function is known.
func Part(name string) func() Error {
	return func() Error { return Error{Part: name} }
}

// blame makes an Error of what was recovered. If nothing of the model was being executed it
// panics again: the mistake is then in this program.
func blame(recovered any) *Error {
	if e, ok := recovered.(*Error); ok {
		return e
	}
	where, ofModel := culprit()
	if m, ok := recovered.(protocol.Mistake); ok {
		return &Error{Part: m.Part, What: m.What, Where: where}
	}
	if !ofModel {
		panic(recovered)
	}
	what := fmt.Sprint(recovered)
	if err, ok := recovered.(runtime.Error); ok {
		what = strings.TrimPrefix(err.Error(), "runtime error: ")
	}
	return &Error{What: what, Where: where}
}

// culprit returns the innermost line of a panic's stack that is neither of the runtime and the
// standard library nor of this package. It is not one of a model if it is of those that
// execute models.
func culprit() (where string, ofModel bool) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	library := ""
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if root, ok := strings.CutSuffix(f.File, "runtime/panic.go"); ok && library == "" {
			library = root
		}
		of := Owner(f.Function)
		switch {
		case of == "runtime", of == "reflect", library != "" && strings.HasPrefix(f.File, library):
		case inside(of) && !strings.HasSuffix(f.File, "_test.go"):
		case executes[of] && !strings.HasSuffix(f.File, "_test.go"):
			return "", false
		case f.File != "":
			return place(f.File, f.Line), true
		}
	}
	return "", false
}

// place names a line as reports do, by its file and the folder of that.
func place(path string, line int) string {
	dir, file := filepath.Split(path)
	return fmt.Sprintf("%s/%s:%d", filepath.Base(dir), file, line)
}

// DeclaredAt returns the line in which a function of a model begins, for what is wrong with its result; "" if
// the model is read from a file, so that the function is one of this program.
func DeclaredAt(function any) string {
	f := runtime.FuncForPC(reflect.ValueOf(function).Pointer())
	path, line := f.FileLine(f.Entry())
	if of := Owner(f.Name()); of == Own || strings.HasPrefix(of, Own+"/") {
		return ""
	}
	return place(path, line)
}

// FunctionName returns the full name of a function.
func FunctionName(function any) string {
	return runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name()
}

// Own is the name of the language's package, and executes are those that execute models.
const Own = "github.com/atmostk/atmostk/model"

// BuiltIn begins the names of the packages of the models that come with this program.
const BuiltIn = "github.com/atmostk/atmostk/specs/"

// rooms are the packages of the language below it.
var rooms = []string{"adapter", "check", "codec", "instance", "interp", "lts", "processes", "property",
	"protocol", "system", "values"}

// inside reports whether a package is the language, or a room of it.
func inside(of string) bool {
	room, below := strings.CutPrefix(of, Own+"/")
	return of == Own || below && slices.Contains(rooms, room)
}

var executes = map[string]bool{
	"github.com/atmostk/atmostk/explore/kernel": true,
	"github.com/atmostk/atmostk/explore":        true, "github.com/atmostk/atmostk/traces": true,
	"github.com/atmostk/atmostk/explore/simulate": true,
	"github.com/atmostk/atmostk/traces/explain":   true, "github.com/atmostk/atmostk/traces/cluster": true,
	"github.com/atmostk/atmostk/cmd/internal/cli": true,
}

// Owner returns the package of a function, given its full name: what is before the first
// dot behind the last slash, not counting the slashes of type arguments.
func Owner(function string) string {
	name, _, _ := strings.Cut(function, "[")
	slash := strings.LastIndexByte(name, '/') + 1
	before, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + before
}

// Step returns the step from a state in which the mistake shows, as one that changes nothing;
// nil if it does not show in a step.
func (e *Error) Step(from lts.State) *lts.Transition {
	if e.Action == "" {
		return nil
	}
	t := &lts.Transition{Owner: e.Process, Next: from}
	t.SetLabel(e.Label)
	what := strings.TrimSpace(e.Process + " " + e.Action)
	if e.Receives.Text != "" {
		t.Received = &e.Receives
		what = fmt.Sprintf("%s receives %s", e.Process, e.Message)
	}
	t.Text = func() string { return what + ", which fails" }
	return t
}

// What is wrong with a function that came to two results, and with one that changes its arguments.
const (
	Nondeterministic = "the model is not a function: for the same arguments it came to two results"
	MutatesInput     = "it changes what it is given only to look at"
)

// NoFunction is the mistake that a part of the model came to two results in a state.
func NoFunction(part string, s lts.State, first, second any) *Error {
	return &Error{Part: part, What: Nondeterministic, State: Described(s),
		First: fmt.Sprint(first), Second: fmt.Sprint(second)}
}

// Impure reports whether the mistake is that something is no function: it may not show again.
func (e *Error) Impure() bool { return e.First != "" || e.Second != "" }
