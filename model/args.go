package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model/check"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/model/usage"
)

// Args are the values of a spec's parameters.
type Args struct {
	spec   *Spec
	values map[string]string
	given  []string // keys that the user gave a value, in order
	read   sync.Map // keys that Build, or a function of the model in a worker, has read

	rejects  sync.Once
	rejected error // the first value rejected
}

// Reject rejects the value of a parameter, which is wrong in combination with others, and says why.
// Spec.Build may go on: Spec.Instantiate returns an error with the first value that was rejected, in place
// of the instance.
func (a *Args) Reject(key, why string) {
	a.rejects.Do(func() { a.rejected = a.misfit(key, a.String(key), why) })
}

// Err returns the error with the first value that was rejected; nil: none was.
func (a *Args) Err() error { return a.rejected }

func (a *Args) misfit(key, value, why string) error {
	return usage.Errorf("%s=%s does not fit %s: %s", key, value, a.spec.Name, why)
}

// List returns all parameters in the order of their declaration, as key and value.
func (a *Args) List() [][2]string {
	return mapped(a.spec.paramNames(), func(name string) [2]string { return [2]string{name, a.values[name]} })
}

// Set gives a value to a parameter whose default depends on other parameters.
func (a *Args) Set(key, value string) {
	a.demand(key)
	a.values[key] = value
}

// Given reports whether the parameter has a value.
func (a *Args) Given(key string) bool { return a.String(key) != "" }

// String returns the value of a parameter. It is a mistake in the model to ask for a parameter that the
// spec does not declare, here and in the methods below.
func (a *Args) String(key string) string {
	a.demand(key)
	return a.optional(key)
}

// optional returns the value of a parameter that the spec need not declare; "" if it does not.
func (a *Args) optional(key string) string {
	if _, known := a.read.Load(key); !known {
		a.read.Store(key, true)
	}
	return a.values[key]
}

// Typed returns the parameters that the user gave a value, in the order given.
func (a *Args) Typed() []string { return slices.Clone(a.given) }

// Unread returns the parameters that the user gave a value and that Build did not read: the
// instance does not depend on them.
func (a *Args) Unread() (keys []string) {
	for _, key := range a.given {
		if _, read := a.read.Load(key); !read {
			keys = append(keys, key)
		}
	}
	return keys
}

// demand panics if the spec has no such parameter.
func (a *Args) demand(key string) {
	if names := a.spec.paramNames(); !slices.Contains(names, key) {
		panic(protocol.Mistake{What: fmt.Sprintf("there is no parameter %q%s; Spec.Params declares %s",
			key, usage.Nearest(key, names), check.OrNone(names))})
	}
}

// Is reports whether the parameter has the given value.
func (a *Args) Is(key, value string) bool { return a.String(key) == value }

// Int returns the value of a parameter of type IntRange.
func (a *Args) Int(key string) int {
	value := a.String(key)
	x, err := strconv.Atoi(value)
	switch {
	case value == "":
		panic(protocol.Mistake{What: fmt.Sprintf("parameter %s has no value to be a number: it needs a "+
			"Default, or has to be Set first", key)})
	case err != nil:
		panic(protocol.Mistake{What: fmt.Sprintf("parameter %s=%s is no number", key, value)})
	}
	return x
}

// PerProcess returns the value of a parameter of type PerProcess for n processes; one of another length is
// rejected.
func (a *Args) PerProcess(key string, n int) []int {
	xs, fields := make([]int, n), param.List(a.String(key))
	if len(fields) == 1 {
		fields = slices.Repeat(fields, n)
	}
	if len(fields) != n {
		a.Reject(key, fmt.Sprintf("allowed: one number, or one for each of the %d processes", n))
		return xs
	}
	for i, f := range fields {
		if f == "inf" || f == anyRounds { // if the type allows it
			xs[i] = Forever
			continue
		}
		xs[i], _ = strconv.Atoi(f) // checked by the type
	}
	return xs
}

// Processes returns the value of a parameter of type Processes for n processes
// counted from first. Others are rejected.
func (a *Args) Processes(key string, n, first int) (s Set) {
	for _, f := range param.List(a.String(key)) {
		x, _ := strconv.Atoi(strings.TrimPrefix(f, "p")) // checked by the type
		switch {
		case x < first || x >= first+n:
			a.Reject(key, fmt.Sprintf("there is no process p%d, the processes are p%d to p%d", x, first,
				first+n-1))
		case x-first >= protocol.MaxProcs:
			a.Reject(key, fmt.Sprintf("allowed are the first %d processes, also where more are played",
				protocol.MaxProcs))
		default:
			s = s.With(Proc(x - first))
		}
	}
	return s
}

// Sums returns the value of a parameter of type Sums whose numbers are at most hi. Larger ones are rejected.
func (a *Args) Sums(key string, hi int) (lists [][]int) {
	for _, element := range param.List(a.String(key)) {
		var numbers []int
		for _, field := range strings.Split(element, "+") {
			x, _ := strconv.Atoi(field) // checked by the type
			if x > hi {
				a.Reject(key, fmt.Sprintf("allowed: numbers from 1 to %d", hi))
			}
			numbers = append(numbers, min(x, hi))
		}
		lists = append(lists, numbers)
	}
	return lists
}

// choice returns the index of the value of a parameter among words; 0 if the spec does not declare it.
func (a *Args) choice(key string, words ...string) int {
	return max(0, slices.Index(words, a.optional(key)))
}

// Network returns the values of param.Network for n processes counted from first, and rejects those that do
// not fit; crashes is the default number of crashes. A spec without messages has to declare only dead,
// crashes and crashable.
func (a *Args) Network(n, first, crashes int) (nw Network) {
	nw = a.NetworkOf(n, first, crashes)
	if nw.Crashes > n {
		a.Reject("crashes", fmt.Sprintf("allowed: 0 to %d, the number of processes", n))
	}
	return nw
}

// NetworkOf is Network for processes that recover, each of which may crash several times.
func (a *Args) NetworkOf(n, first, crashes int) (nw Network) {
	nw.Dead = a.Processes("dead", n, first)
	if !a.Given("crashes") {
		a.Set("crashes", strconv.Itoa(max(crashes, nw.Dead.Len())))
	}
	nw.Crashes = a.Int("crashes")
	if nw.Crashes < nw.Dead.Len() {
		a.Reject("crashes", fmt.Sprintf("it counts dead=%s, so allowed are %d and more", a.String("dead"),
			nw.Dead.Len()))
	}
	nw.Crashable = a.Processes("crashable", n, first)
	if !a.Given("crashable") {
		nw.Crashable = All(n)
		a.Set("crashable", strings.Trim(nw.Crashable.Format(first), "{}"))
	}
	nw.Channel = Channel(a.choice("channel", "bag", "fifo"))
	nw.CrashSends = CrashSends(a.choice("crash-sends", "none", "prefix", "subset"))
	nw.Faults = a.Faults(Names{First: first}, n)
	return nw
}

// The channel adversary loses messages, copies them, and splits the network. It is a part of
// the medium: no handler and no algorithm knows of it. The number of its faults is bounded;
// the faults so far are counted in the record, a part of the state that no handler reads.

// Faults returns the values of the parameters of the channel adversary, for n processes, and rejects
// those that do not fit.
func (a *Args) Faults(names Names, n int) (f protocol.Faults) {
	for key, bound := range map[string]*int{"losses": &f.Losses, "copies": &f.Copies} {
		if a.optional(key) != "" {
			*bound = a.Int(key)
		}
	}
	for _, channel := range param.List(a.optional("links")) {
		if f.On == nil {
			f.On = make([]Set, n)
		}
		from, to, _ := strings.Cut(channel, ":")
		p, q := a.member("links", from, names, n), a.member("links", to, names, n)
		f.On[p] = f.On[p].With(q)
	}
	for _, name := range param.List(a.optional("partition")) {
		f.Split = f.Split.With(a.member("partition", name, names, n))
	}
	f.Heals = a.optional("heals") == "yes"
	switch {
	case f.On != nil && !f.Moves():
		a.Reject("links",
			"it says which messages may be lost or copied, but losses= and copies= are not given")
	case f.Split == All(n):
		a.Reject("partition", "nobody is on the other side; allowed are some of the processes, not all")
	case a.optional("heals") != "" && f.Split == 0:
		a.Reject("heals", "there is no partition= to end")
	}
	return f
}

// member returns the process with a name, given with or without the prefix of all names. Other names are
// rejected.
func (a *Args) member(key, name string, names Names, n int) Proc {
	var all []string
	for p := range Proc(n) {
		all = append(all, names.Of(p))
		if name == names.Of(p) || names.Each == nil && name == strconv.Itoa(int(p)+names.First) {
			return p
		}
	}
	a.Reject(key, fmt.Sprintf("there is no process %s; the processes are %s", name, strings.Join(all, ", ")))
	return 0
}
