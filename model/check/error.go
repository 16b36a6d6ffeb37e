// Package check has the mistakes of models: an [Error] describes a mistake and its place, [Catch] turns a
// panic into one, a [Checker] collects mistakes in declarations.
package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/values"
)

// An Error is a mistake in a model, not in its arguments: Check finds it
// in the declarations, or it shows while the model is executed, when one of its functions
// fails or does something that no model may do. It comes as a panic, which Catch
// turns into a value.
type Error struct {
	What string // the mistake: "index out of range [3] with length 3"
	// the function of the model in which it shows: "handler enter", "property mutex"; "": none
	Part    string
	Where   string // the innermost line of the model itself: "ring/ring.go:35"; "": not known
	Process string // that takes the step; "": none in particular
	Action  string // the action of the step; "": no step
	State   string // the argument of the function: the local state, or the state
	Message string // the message received, with its sender; "": none

	// Stopped: it is no mistake. A slow function was ended, because the search has to end.
	Stopped bool
	// Ended: the function ended its goroutine. Nothing stops that: Catch panics again with the Error, so
	// that the creator of the goroutine gets it.
	Ended bool

	// First and Second are two results of the function for the same arguments; "": it is
	// another mistake.
	First, Second string

	Label    protocol.Label `json:"-"` // of the step, where there is an Action
	Receives lts.Message    `json:"-"` // Message for a drawing
}

// Error describes the mistake and its place in one sentence.
func (e *Error) Error() string {
	s := map[bool]string{false: "model error: "}[e.Stopped]
	if e.Part != "" {
		s += e.Subject() + ": "
	}
	s += e.What
	if e.Where != "" {
		s += " (" + e.Where + ")"
	}
	return s
}

// Subject names the function that fails, and the process: "handler enter of p2".
func (e *Error) Subject() string {
	s := cmp.Or(e.Part, "the model")
	if e.Process != "" {
		s += " of " + e.Process
	}
	return s
}

// Catch is deferred where a model is executed, and stores its mistake in e. Panics of other code
// go on. A goroutine passes returned, which is true after the deferring function's calls have
// returned: if they have not, and nothing panics, a function of the model has ended the goroutine.
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

// Caught calls a function, and returns the mistake of the model that shows in it; nil: none.
func Caught(do func()) (e *Error) {
	defer Catch(&e)
	do()
	return nil
}

// Unreturned is the text of an Error with Stopped.
const Unreturned = "a function of the model has not returned"

// Apart is Caught in a goroutine of its own, which a function of the model may end, or keep for ever: then
// it is left behind when late has a value.
func Apart(late <-chan time.Time, do func()) *Error {
	var panics any
	ended := make(chan *Error, 1)
	go func() {
		var e *Error
		defer func() {
			if x := recover(); x != nil { // not a mistake of the model, or that it ends the goroutine
				panics = fmt.Sprintf("%v\n\n%s", x, debug.Stack())
			}
			ended <- e
		}()
		returned := false
		defer Catch(&e, &returned)
		do()
		returned = true
	}()
	select {
	case <-late:
		return &Error{What: Unreturned, Stopped: true}
	case e := <-ended:
		if e == nil && panics != nil {
			panic(panics)
		}
		return e
	}
}

// ended returns the mistake that a function of the model ended its goroutine.
func ended() *Error {
	where, _ := culprit()
	return &Error{Ended: true, Where: where,
		What: "it ends its goroutine by runtime.Goexit, as t.FailNow does: allowed is to return, or to panic"}
}

// Named is deferred around a call of a function of a model. If that panics, it fills in empty fields of the
// Error from context.
func Named(context func() Error) {
	if r := recover(); r != nil {
		fail(r, context)
	}
}

// Returns is named where the function may also end its goroutine: done is set when it has returned.
func Returns(done *bool, context func() Error) {
	r := recover()
	if r == nil && !*done {
		r = ended()
	}
	if r != nil {
		fail(r, context)
	}
}

// fail panics with a recovered value as an Error, completed from its context.
func fail(recovered any, context func() Error) {
	e, c := blame(recovered), context()
	if e.Process == "" && e.Action == "" {
		e.Process, e.Action, e.Message = c.Process, c.Action, c.Message
		e.Label, e.Receives = c.Label, c.Receives
	}
	e.Part, e.State = cmp.Or(e.Part, c.Part), cmp.Or(e.State, c.State)
	panic(e)
}

// Part is a context that names only the function.
func Part(name string) func() Error {
	return func() Error { return Error{Part: name} }
}

// blame turns a recovered value into an Error. If no function of a model was being executed it
// panics again: the mistake is in this program.
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

// culprit returns the innermost line of a panic's stack that is neither in the runtime and the
// standard library nor in this package, and whether it is in a model: packages that
// execute models are not models.
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
		of := ownerOf(f.Function)
		switch {
		case of == "runtime", of == "reflect", library != "" && strings.HasPrefix(f.File, library):
		case inside(of) && !strings.HasSuffix(f.File, "_test.go"):
		case executes(of) && !strings.HasSuffix(f.File, "_test.go"):
			return "", false
		case f.File != "":
			return place(f.File, f.Line), true
		}
	}
	return "", false
}

// place names a line as reports do, by folder and file.
func place(path string, line int) string {
	dir, file := filepath.Split(path)
	return fmt.Sprintf("%s/%s:%d", filepath.Base(dir), file, line)
}

// DeclaredAt returns the line in which a function of a model begins, for a mistake in its result; "": the
// model is read from a file, and the function belongs to this program.
func DeclaredAt(function any) string {
	f := runtime.FuncForPC(reflect.ValueOf(function).Pointer())
	path, line := f.FileLine(f.Entry())
	if of := ownerOf(f.Name()); of == languagePackage || strings.HasPrefix(of, languagePackage+"/") {
		return ""
	}
	return place(path, line)
}

const languagePackage = "github.com/atmostk/atmostk/model"

// rooms are the packages of the language below it.
var rooms = []string{"adapter", "check", "codec", "instance", "interp", "lts", "processes", "property",
	"protocol", "system", "values"}

// inside reports whether a package is the language, or a room of it.
func inside(of string) bool {
	room, below := strings.CutPrefix(of, languagePackage+"/")
	return of == languagePackage || below && slices.Contains(rooms, room)
}

// executes reports whether a package executes models: a panic there is a mistake of this program.
func executes(of string) bool {
	room, ours := strings.CutPrefix(of, "github.com/atmostk/atmostk/")
	room, _, _ = strings.Cut(room, "/")
	return ours && (room == "explore" || room == "traces" || room == "cmd" || room == "tools")
}

// ownerOf returns the package of a function, given its full name: the part before the first
// dot behind the last slash, not counting slashes of type arguments.
func ownerOf(function string) string {
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

// The mistakes of functions that are not pure.
const (
	Nondeterministic = "the model is not a function: for the same arguments it came to two results"
	MutatesInput     = "it changes its arguments"
)

// NoFunction returns the mistake that a part of the model returned two results for a state.
func NoFunction(part string, s lts.State, first, second any) *Error {
	return &Error{Part: part, What: Nondeterministic, State: Described(s),
		First: fmt.Sprint(first), Second: fmt.Sprint(second)}
}

// Impure reports whether the mistake is that a part is no function: it may not show again.
func (e *Error) Impure() bool { return e.First != "" || e.Second != "" }

// OfSearch reports whether a mistake of a part may show in searches only: no step of the model fails.
func OfSearch(part string) bool {
	return slices.Contains([]string{"Forget", "ForgetMessage", "Clocks", "Symmetry"}, part)
}

// Shower is the context of showing x, which calls methods of the model.
func Shower(what, owner string, x any) func() Error {
	return func() Error {
		part := "String or Format of "
		if _, lists := x.(values.Describer); lists {
			part = "Vars, String or Format of "
		}
		return Error{Part: part + what, Process: owner, State: fmt.Sprintf("%+v", x)}
	}
}

// Spelled writes the fields of a value, for an Error: x=1 y=[2 3].
func Spelled(x any, names values.Names) string {
	return inWords(func() []lts.Var { return values.Fields("", x, names) }, x)
}

// Described writes the variables of a state, for an Error.
func Described(s lts.State) string { return inWords(s.Vars, s.Key()) }

// inWords writes variables in a line; if the model fails to list them, it writes the known value.
func inWords(vars func() []lts.Var, known any) (text string) {
	var e *Error
	defer func() {
		if e != nil {
			text = fmt.Sprintf("%+v", known)
		}
	}()
	defer Catch(&e)
	var parts []string
	for _, v := range vars() {
		name := strings.Trim(v.Owner+"."+v.Name, ".")
		parts = append(parts, strings.TrimPrefix(name+"="+v.Value, "="))
	}
	return strings.Join(parts, " ")
}
