// Package param declares the parameters of models: a [Param] has a [Type], [IntRange], [OneOf] and others.
// Parameters that all models of a kind have are declared once: [Network], [Fairness], [Rounds], [Endless].
// Models use it in Spec.Params, beside package model.
package param

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/protocol"
)

// A Param declares a parameter of a spec.
type Param struct {
	Name    string
	Doc     string
	Default string // "": it depends on other parameters, as Doc describes
	Type    Type
}

// A Type is the set of values of a parameter.
type Type struct {
	// Allowed describes the values: "1 to 16".
	Allowed string
	// Form is the form of a value for programs, a word: number, word, or the elements of a list.
	Form string
	// Range are the least and the largest number in a value; nil: it has no numbers, except names of
	// processes. Words are the allowed words; nil: any.
	Range *[2]int
	Words []string
	// check reports whether a value is allowed in a search; staged, whether it is allowed if the model is
	// only played.
	check, staged func(value string) bool
}

// Staged returns the type with further values for models that are only played, by Spec.Stage.
func (t Type) Staged(further Type) Type {
	own := t.check
	t.staged = func(v string) bool { return own(v) || further.check(v) }
	return t
}

// Declared reports whether this package has made the type.
func (t *Type) Declared() bool { return t.check != nil }

// Allows reports whether a parameter of the type can have a value; staged: the model is only played.
func (t *Type) Allows(value string, staged bool) bool {
	if staged && t.staged != nil {
		return t.staged(value)
	}
	return t.check(value)
}

// ProcCount is the type of numbers of processes from lo on: up to FewProcs in a search, and up
// to protocol.MaxStage if the model is only played.
func ProcCount(lo int) Type {
	return IntRange(lo, protocol.FewProcs).Staged(IntRange(lo, protocol.MaxStage))
}

// IntRange is the type of whole numbers from lo to hi.
func IntRange(lo, hi int) Type {
	return Type{
		Allowed: fmt.Sprintf("%d to %d", lo, hi), Form: "number", Range: &[2]int{lo, hi},
		check: func(v string) bool { return inRange(v, lo, hi) },
	}
}

func inRange(v string, lo, hi int) bool {
	x, err := strconv.Atoi(v)
	return err == nil && lo <= x && x <= hi
}

// OneOf is the type of a choice between words.
func OneOf(words ...string) Type {
	return Type{
		Allowed: strings.Join(words, ", "), Form: "word", Words: words,
		check: func(v string) bool { return slices.Contains(words, v) },
	}
}

// Processes is the type of lists of processes, written 1,3 or p1,p3; "" is the empty list.
var Processes = Type{
	Allowed: "processes separated by commas, such as 1,3 or p1,p3",
	Form:    "processes",
	check: func(v string) bool {
		for _, field := range List(v) {
			if !inRange(strings.TrimPrefix(field, "p"), 0, 1<<16) {
				return false
			}
		}
		return true
	},
}

// Channels is the type of lists of channels, each from one process to another, 1:2.
var Channels = Type{
	Allowed: "channels separated by commas, such as 1:2 for the one from process 1 to process 2",
	Form:    "channels",
	check: func(v string) bool {
		for _, field := range List(v) {
			from, to, ok := strings.Cut(field, ":")
			if !ok || !Members.check(from) || !Members.check(to) || from == "" || to == "" {
				return false
			}
		}
		return true
	},
}

// Members is the type of lists of processes of any name; "" is the empty list.
var Members = Type{
	Allowed: "processes separated by commas, such as 1,3",
	Form:    "processes",
	check: func(v string) bool {
		return !slices.Contains(List(v), "") && !strings.ContainsAny(v, ":=+ ")
	},
}

// PerProcess is the type of numbers from lo to hi, one for all processes or one for each.
func PerProcess(lo, hi int) Type {
	return Type{
		Allowed: fmt.Sprintf("%d to %d, one number for all processes or one for each, separated by commas",
			lo, hi),
		Form: "numbers", Range: &[2]int{lo, hi},
		check: func(v string) bool {
			return v != "" && !slices.ContainsFunc(strings.Split(v, ","),
				func(f string) bool { return !inRange(f, lo, hi) })
		},
	}
}

// Sums is the type of lists with elements such as 1+2, of numbers from lo to hi.
func Sums(lo, hi int) Type {
	return Type{
		Allowed: fmt.Sprintf("elements separated by commas, each of numbers from %d to %d joined by +", lo,
			hi),
		Form: "sums", Range: &[2]int{lo, hi},
		check: func(v string) bool {
			numbers := strings.Split(strings.ReplaceAll(v, ",", "+"), "+")
			return !slices.ContainsFunc(numbers, func(f string) bool { return !inRange(f, lo, hi) })
		},
	}
}

// SumOf is the type of words joined by +.
func SumOf(words ...string) Type {
	return Type{
		Allowed: "words joined by +, of " + strings.Join(words, ", "), Form: "words", Words: words,
		check: func(v string) bool {
			return !slices.ContainsFunc(strings.Split(v, "+"),
				func(w string) bool { return !slices.Contains(words, w) })
		},
	}
}

// List returns the elements of a value whose type is a list.
func List(v string) []string {
	if v == "" {
		return nil
	}
	return strings.Split(v, ",")
}
