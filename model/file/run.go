package file

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

type token = syntax.Token

const (
	eq  = syntax.EQL
	neq = syntax.NEQ
)

// A call is what the builtins of the library may do while a function of the model is run.
type call struct {
	loading bool   // the file is read
	what    string // is run: "a handler"
	pick    func(n int) int
	send    func(to, m starlark.Value) error
	note    func(kind int, about starlark.Value) error

	budget
	stopped bool // it was ended, because the search is to end

	picked int // the product of the numbers of alternatives: there are no more ways through the call
}

// threads are those on which functions of models run.
var threads = sync.Pool{New: func() any { return &starlark.Thread{Print: noPrint} }}

// noPrint: what a model prints is lost, since nobody could say when it runs.
func noPrint(*starlark.Thread, string) {}

// errNotEnabled is the error with which a step ends that is not enabled.
var errNotEnabled = errors.New("when(...) stands in a step of the model only")

// run calls a function of a model. A mistake of it is panicked with.
func run(c *call, f starlark.Callable, args ...starlark.Value) (v starlark.Value, enabled bool) {
	t := threads.Get().(*starlark.Thread)
	c.budget = newBudget()
	c.begin(t)
	v, err := starlark.Call(t, f, args, nil)
	if err != nil && errors.Is(err, errNotEnabled) && c.pick != nil {
		err, v = nil, starlark.False
	}
	if err != nil {
		failed := mistake(err)
		failed.Stopped = c.stopped
		panic(failed) // and the thread is left
	}
	threads.Put(t)
	return v, v != starlark.False
}

const callKey = "call"

// holds runs a predicate.
func holds(c *call, f starlark.Callable, args ...starlark.Value) bool {
	v, _ := run(c, f, args...)
	b, ok := v.(starlark.Bool)
	if !ok {
		panic(&model.Error{
			What:  fmt.Sprintf("%s returns %s, which is neither True nor False", f.Name(), short(v)),
			Where: position(f),
		})
	}
	return bool(b)
}

// position is where a function is defined.
func position(f starlark.Callable) string {
	if fn, ok := f.(interface{ Position() syntax.Position }); ok {
		return fn.Position().String()
	}
	return ""
}

// mistake makes a model's Error of what Starlark returns.
func mistake(err error) *model.Error {
	what, where := explain(err)
	return &model.Error{What: what, Where: where}
}

// explain returns what an error says, and the innermost line of a file where it shows.
func explain(err error) (what, where string) {
	what = cut(err.Error(), 600)
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		for i := range failed.CallStack {
			pos := failed.CallStack.At(i).Pos
			if pos.Filename() != "<builtin>" {
				where = pos.String()
				break
			}
		}
		what = strings.TrimPrefix(what, "Starlark computation cancelled: ")
	}
	return what, where
}

// short writes a value, at most so much of it that fits a line: values may be deep or hold themselves.
func short(v starlark.Value) string {
	s := speller{most: 100}
	s.value(v, 3)
	return cut(s.String(), 100)
}

// cut returns a text, or so many bytes of its beginning.
func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most-3], "") + "..."
	}
	return s
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

func compareStrings(a, b string) int { return strings.Compare(a, b) }

// fill puts values in place of each {} of a text, in their order.
func fill(text string, values []string) string {
	for _, v := range values {
		text = strings.Replace(text, "{}", v, 1)
	}
	return text
}
