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
		check: within(lo, hi),
	}
}

// within returns whether a value is a whole number from lo to hi.
func within(lo, hi int) func(v string) bool {
	return func(v string) bool {
		x, err := strconv.Atoi(v)
		return err == nil && lo <= x && x <= hi
	}
}

// every reports whether each element of a list is allowed.
func every(list []string, allowed func(v string) bool) bool {
	return !slices.ContainsFunc(list, func(v string) bool { return !allowed(v) })
}

// among returns whether a value is one of some words.
func among(words []string) func(v string) bool {
	return func(v string) bool { return slices.Contains(words, v) }
}

// OneOf is the type of a choice between words.
func OneOf(words ...string) Type {
	return Type{Allowed: strings.Join(words, ", "), Form: "word", Words: words, check: among(words)}
}

// Processes is the type of lists of processes, written 1,3 or p1,p3; "" is the empty list.
var Processes = Type{
	Allowed: "processes separated by commas, such as 1,3 or p1,p3",
	Form:    "processes",
	check: func(v string) bool {
		return every(List(v), func(p string) bool { return within(0, 1<<16)(strings.TrimPrefix(p, "p")) })
	},
}

// Channels is the type of lists of channels, each from one process to another, 1:2.
var Channels = Type{
	Allowed: "channels separated by commas, such as 1:2 for the one from process 1 to process 2",
	Form:    "channels",
	check: func(v string) bool {
		return every(List(v), func(channel string) bool {
			from, to, ok := strings.Cut(channel, ":")
			return ok && Members.check(from) && Members.check(to) && from != "" && to != ""
		})
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
		check: func(v string) bool { return v != "" && every(List(v), within(lo, hi)) },
	}
}

// Sums is the type of lists with elements such as 1+2, of numbers from lo to hi.
func Sums(lo, hi int) Type {
	return Type{
		Allowed: fmt.Sprintf("elements separated by commas, each of numbers from %d to %d joined by +", lo,
			hi),
		Form: "sums", Range: &[2]int{lo, hi},
		check: func(v string) bool {
			return every(strings.Split(strings.ReplaceAll(v, ",", "+"), "+"), within(lo, hi))
		},
	}
}

// SumOf is the type of words joined by +.
func SumOf(words ...string) Type {
	return Type{
		Allowed: "words joined by +, of " + strings.Join(words, ", "), Form: "words", Words: words,
		check: func(v string) bool { return every(strings.Split(v, "+"), among(words)) },
	}
}

// List returns the elements of a value whose type is a list.
func List(v string) []string {
	if v == "" {
		return nil
	}
	return strings.Split(v, ",")
}

// Network declares the parameters of channels and of the crash adversary,
// as all message-passing specs have them. crashSends is the default of that key.
func Network(crashSends string) []Param {
	return append([]Param{
		{"channel", "order of messages: a bag delivers any of them next, fifo keeps the order of each " +
			"pair of processes", "bag", OneOf("bag", "fifo")},
		{"crashes", "the largest number of crashes in a run, with dead= included; default: f where there " +
			"is one, at least the number of dead=", "", ProcCount(0)},
		{"crashable", "the processes that may crash; default: all", "", Processes},
		{"dead", "the processes that are dead from the start", "", Processes},
		{"crash-sends", "the messages that a process may send when it crashes inside a handler: all or " +
			"none, a prefix by ascending target, or any subset", crashSends,
			OneOf("none", "prefix", "subset")},
	}, faultParams...)
}

var faultParams = []Param{
	{"losses", "the largest number of messages lost in a run; default: none", "", IntRange(0, 255)},
	{"copies", "the largest number of messages copied in a run; default: none", "", IntRange(0, 255)},
	{"links", "the channels whose messages may be lost or copied, 1:2: from p1 to p2; default: all",
		"", Channels},
	{"partition", "the processes on one side of a partition, which may begin at any time: no message " +
		"crosses it; default: none", "", Members},
	{"heals", "yes: a partition has to end, and messages under way are received then; no: it " +
		"stays; default: no", "", OneOf("yes", "no")},
}

// Fairness declares the fairness of a composition.
var Fairness = Param{
	Name: "fairness",
	Doc: "which runs without end are considered: weak, where a step or a message that is possible from " +
		"some point on is not put off for ever; strong, one that is possible again and again; none, all. " +
		"Nobody is ever forced to request or to crash",
	Default: "weak", Type: OneOf("weak", "strong", "none"),
}

const maxRounds = 15

// Rounds declares rounds= of an algorithm whose processes may request for ever.
var Rounds = Param{
	Name: "rounds", Default: "1",
	Doc: "how often each process requests; inf: for ever; any: for ever, and times count by their order " +
		"only, so what holds then holds for every number of requests",
	Type: Type{
		Allowed: fmt.Sprintf("0 to %d or inf, or any in place of inf, one for all processes or one for "+
			"each, separated by commas", maxRounds),
		Form: "numbers", Range: &[2]int{0, maxRounds}, Words: []string{"inf", "any"},
		check: func(v string) bool {
			all := List(v)
			return v != "" && (!slices.Contains(all, "inf") || !slices.Contains(all, "any")) &&
				every(all, func(f string) bool { return f == "inf" || f == "any" || within(0, maxRounds)(f) })
		},
	},
}

// Endless declares the parameters of runs without end: their fairness,
// and bounds on values that grow for ever.
func Endless() []Param {
	return []Param{
		Fairness,
		{"max-skew", "with rounds=inf: the largest difference of two times of a state; other states are " +
			"cut off; 0: no bound", "0", IntRange(0, 1<<16)},
		{"max-in-flight", "the largest number of messages under way at a time; other states are cut " +
			"off; 0: no bound", "0", IntRange(0, 1<<16)},
	}
}

// Choice declares a choice between words. The first is the default.
func Choice(name, doc string, words ...string) Param {
	return Param{Name: name, Doc: doc, Default: words[0], Type: OneOf(words...)}
}

// Number declares a whole number from lo to hi.
func Number(name, doc string, value, lo, hi int) Param {
	return Param{Name: name, Doc: doc, Default: strconv.Itoa(value), Type: IntRange(lo, hi)}
}

// Numbers declares whole numbers from lo to hi, one for all processes or one for each.
func Numbers(name, doc, value string, lo, hi int) Param {
	return Param{Name: name, Doc: doc, Default: value, Type: PerProcess(lo, hi)}
}

// Procs declares n, the number of processes p1..pn.
func Procs(value int) Param {
	return Param{Name: "n", Doc: "number of processes, p1..pn", Default: strconv.Itoa(value),
		Type: ProcCount(1)}
}

// Units declares k, the number of units.
var Units = Param{Name: "k", Doc: "units: processes that may be in the critical section at once; at most n",
	Default: "2",
	Type:    ProcCount(1)}

// Else returns the parameter with another default; "": it depends on other parameters, as Doc says.
func (p Param) Else(value string) Param {
	p.Default = value
	return p
}
