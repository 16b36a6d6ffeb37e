package model

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A Param declares a parameter of a spec.
type Param struct {
	Name    string
	Doc     string
	Default string // "" if it depends on other parameters; Doc says how
	Type    ParamType
}

// A ParamType is the set of values of a parameter.
type ParamType struct {
	// Allowed says in words which values there are: "1 to 16".
	Allowed string
	// Form says for programs how a value is made up, in a word: number, word, or what it lists.
	Form string
	// Range are the least and the largest number in a value; nil: there are no numbers in it, or
	// only those that name processes. Words are what it may consist of besides; nil: anything.
	Range *[2]int
	Words []string
	// check returns false for a value that is not allowed, and staged for one that is not where the model is only played.
	check, staged func(value string) bool
}

// Staged returns the type with further values where a model is only played, by Spec.Stage; allowed says which those are.
func (t ParamType) Staged(further ParamType) ParamType {
	own := t.check
	t.staged = func(v string) bool { return own(v) || further.check(v) }
	return t
}

// ProcCount is the type of numbers of processes from lo on: up to FewProcs where a model is searched, and up to
// maxStage where it is only played.
func ProcCount(lo int) ParamType { return IntRange(lo, FewProcs).Staged(IntRange(lo, maxStage)) }

// IntRange is the type of whole numbers from lo to hi.
func IntRange(lo, hi int) ParamType {
	return ParamType{
		Allowed: fmt.Sprintf("%d to %d", lo, hi), Form: "number", Range: &[2]int{lo, hi},
		check: func(v string) bool { return inRange(v, lo, hi) },
	}
}

func inRange(v string, lo, hi int) bool {
	x, err := strconv.Atoi(v)
	return err == nil && lo <= x && x <= hi
}

// OneOf is the type of a choice between words.
func OneOf(words ...string) ParamType {
	return ParamType{
		Allowed: strings.Join(words, ", "), Form: "word", Words: words,
		check: func(v string) bool { return slices.Contains(words, v) },
	}
}

// Processes is the type of lists of processes, written 1,3 or p1,p3; "" is the empty list.
var Processes = ParamType{
	Allowed: "processes separated by commas, such as 1,3 or p1,p3",
	Form:    "processes",
	check: func(v string) bool {
		for _, field := range list(v) {
			if !inRange(strings.TrimPrefix(field, "p"), 0, 1<<16) {
				return false
			}
		}
		return true
	},
}

// Channels is the type of lists of channels, each from one process to another, 1:2.
var Channels = ParamType{
	Allowed: "channels separated by commas, such as 1:2 for the one from process 1 to process 2",
	Form:    "channels",
	check: func(v string) bool {
		for _, field := range list(v) {
			from, to, ok := strings.Cut(field, ":")
			if !ok || !Members.check(from) || !Members.check(to) || from == "" || to == "" {
				return false
			}
		}
		return true
	},
}

// Members is the type of lists of processes of any name; "" is the empty list.
var Members = ParamType{
	Allowed: "processes separated by commas, such as 1,3",
	Form:    "processes",
	check: func(v string) bool {
		return !slices.Contains(list(v), "") && !strings.ContainsAny(v, ":=+ ")
	},
}

// PerProcess is the type of numbers from lo to hi, one for all processes or one for each.
func PerProcess(lo, hi int) ParamType {
	return ParamType{
		Allowed: fmt.Sprintf("%d to %d, one number for all processes or one for each, separated by commas", lo, hi),
		Form:    "numbers", Range: &[2]int{lo, hi},
		check: func(v string) bool {
			return v != "" && !slices.ContainsFunc(strings.Split(v, ","), func(f string) bool { return !inRange(f, lo, hi) })
		},
	}
}

// Sums is the type of lists with elements such as 1+2, of numbers from lo to hi.
func Sums(lo, hi int) ParamType {
	return ParamType{
		Allowed: fmt.Sprintf("elements separated by commas, each of numbers from %d to %d joined by +", lo, hi),
		Form:    "sums", Range: &[2]int{lo, hi},
		check: func(v string) bool {
			numbers := strings.Split(strings.ReplaceAll(v, ",", "+"), "+")
			return !slices.ContainsFunc(numbers, func(f string) bool { return !inRange(f, lo, hi) })
		},
	}
}

// SumOf is the type of words joined by +.
func SumOf(words ...string) ParamType {
	return ParamType{
		Allowed: "words joined by +, of " + strings.Join(words, ", "), Form: "words", Words: words,
		check: func(v string) bool {
			return !slices.ContainsFunc(strings.Split(v, "+"), func(w string) bool { return !slices.Contains(words, w) })
		},
	}
}

// Probabilities is the type of exact probabilities such as 0.9 or 9/10, one for all or
// one for each of a list.
var Probabilities = ParamType{
	Allowed: "0 to 1, as 0.9 or 9/10, one for all or one for each, separated by commas",
	Form:    "probabilities",
	check: func(v string) bool {
		for _, f := range strings.Split(v, ",") {
			p, ok := new(big.Rat).SetString(f)
			if !ok || p.Sign() < 0 || p.Cmp(big.NewRat(1, 1)) > 0 {
				return false
			}
		}
		return true
	},
}

func list(v string) []string {
	if v == "" {
		return nil
	}
	return strings.Split(v, ",")
}

// A UsageError is a wrong argument. Its message says what was wrong and what is allowed.
type UsageError struct{ msg string }

func (e *UsageError) Error() string { return e.msg }

// Usage returns a UsageError.
func Usage(format string, a ...any) error { return &UsageError{fmt.Sprintf(format, a...)} }

// Args are the values of a spec's parameters.
type Args struct {
	spec   *Spec
	values map[string]string
	given  []string        // keys with a value of the user's, in that order
	read   map[string]bool // keys that Build has asked for
	staged bool            // the model is only played
}

// ParseArgs reads key=value arguments. Parameters that are not given have their defaults.
func (s *Spec) ParseArgs(args []string) (*Args, error) { return s.parse(args, false) }

func (s *Spec) parse(args []string, staged bool) (*Args, error) {
	a := &Args{spec: s, values: map[string]string{}, read: map[string]bool{}, staged: staged}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, Usage("%q is not of the form key=value", arg)
		}
		i := slices.IndexFunc(s.Params, func(p Param) bool { return p.Name == key })
		if i < 0 {
			return nil, Usage("%s has no parameter %q%s; it has %s", s.Name, key, Nearest(key, s.paramNames()), orNone(s.paramNames()))
		}
		if _, twice := a.values[key]; twice {
			return nil, Usage("%s is given twice", key)
		}
		if !a.allowed(&s.Params[i].Type, value) {
			return nil, a.Reject(key, value, "allowed: "+s.Params[i].Type.Allowed)
		}
		a.values[key], a.given = value, append(a.given, key)
	}
	for _, p := range s.Params {
		if _, given := a.values[p.Name]; !given {
			a.values[p.Name] = p.Default
		}
	}
	return a, nil
}

// allowed reports whether a parameter of a type can have a value.
func (a *Args) allowed(t *ParamType, value string) bool {
	if a.staged && t.staged != nil {
		return t.staged(value)
	}
	return t.check(value)
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (s *Spec) paramNames() (names []string) {
	for _, p := range s.Params {
		names = append(names, p.Name)
	}
	return names
}

// Instantiate builds the instance that key=value arguments describe, and returns
// the arguments with all defaults filled in.
func (s *Spec) Instantiate(args []string) (Instance, *Args, error) {
	if err := s.Check(); err != nil {
		return Instance{}, nil, err
	}
	a, err := s.ParseArgs(args)
	if err != nil {
		return Instance{}, nil, err
	}
	in, err := s.build(a)
	if err == nil {
		err = Check(in)
	}
	if s.Picture != nil {
		in.Picture = func(at State) Drawing { return s.Picture(a, at) }
	}
	return in, a, err
}

// Stage builds the instance that key=value arguments describe to be played only: Instance.NewStage is all there may
// be of it. It may have up to maxStage processes where the parameters are of type ProcCount.
func (s *Spec) Stage(args []string) (Instance, *Args, error) {
	if err := s.Check(); err != nil {
		return Instance{}, nil, err
	}
	a, err := s.parse(args, true)
	if err != nil {
		return Instance{}, nil, err
	}
	in, err := s.build(a)
	if err == nil && in.NewStage == nil {
		err = cmp.Or[error](Check(in), Usage("%s cannot be played: it is no composition whose channels deliver everything", s.Name))
	}
	return in, a, err
}

// Follow builds the instance to be played and followed: as Instantiate does, or as Stage where it has more processes
// than a search takes and its runs can still be judged.
func (s *Spec) Follow(args []string) (Instance, *Args, error) {
	in, a, err := s.Instantiate(args)
	if err == nil {
		return in, a, nil
	}
	staged, b, unplayable := s.Stage(args)
	switch {
	case unplayable != nil:
		return in, a, err
	case staged.Plain == nil:
		return in, a, Usage("%v; runs of up to %d are played if nobody crashes inside a handler, crash-sends=none, and "+
			"up to %d are measured by experiments", err, MaxProcs, maxStage)
	}
	return staged, b, nil
}

// build builds the instance. A model that cannot be built is an Error.
func (s *Spec) build(a *Args) (in Instance, err error) {
	var mistake *Error
	defer func() {
		if mistake != nil {
			mistake.Part = cmp.Or(mistake.Part, "Build")
			err = mistake
		}
	}()
	defer Catch(&mistake)
	return s.Build(a)
}

// Reject returns the error for a value that is wrong in combination with others.
func (a *Args) Reject(key, value, why string) error {
	return Usage("%s=%s does not fit %s: %s", key, value, a.spec.Name, why)
}

// List returns all parameters in the order of their declaration, as key and value.
func (a *Args) List() (pairs [][2]string) {
	for _, p := range a.spec.Params {
		pairs = append(pairs, [2]string{p.Name, a.values[p.Name]})
	}
	return pairs
}

// Set gives a parameter the value that its default depends on others for.
func (a *Args) Set(key, value string) {
	a.demand(key)
	a.values[key] = value
}

// Given reports whether the parameter has a value.
func (a *Args) Given(key string) bool { return a.String(key) != "" }

// String returns the value of a parameter. To ask for one that the spec does not declare is a mistake in
// the model, here and in all that follows.
func (a *Args) String(key string) string {
	a.demand(key)
	return a.optional(key)
}

// optional returns the value of a parameter that the spec need not declare; "" if it does not.
func (a *Args) optional(key string) string {
	a.read[key] = true
	return a.values[key]
}

// Unread returns the parameters that the user gave a value and that Build has not asked for, so
// that the instance is the same without.
func (a *Args) Unread() (keys []string) {
	for _, key := range a.given {
		if !a.read[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// demand panics if the spec has no such parameter.
func (a *Args) demand(key string) {
	if names := a.spec.paramNames(); !slices.Contains(names, key) {
		panic(mistaken(fmt.Sprintf("there is no parameter %q%s; Spec.Params declares %s",
			key, Nearest(key, names), orNone(names))))
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
		panic(mistaken(fmt.Sprintf("parameter %s has no value to be a number: "+
			"it needs a Default, or has to be Set first", key)))
	case err != nil:
		panic(mistaken(fmt.Sprintf("parameter %s=%s is no number", key, value)))
	}
	return x
}

// PerProcess returns the value of a parameter of type PerProcess for n processes.
func (a *Args) PerProcess(key string, n int) ([]int, error) {
	fields := list(a.String(key))
	if len(fields) == 1 {
		fields = slices.Repeat(fields, n)
	}
	if len(fields) != n {
		return nil, a.Reject(key, a.values[key], fmt.Sprintf("allowed: one number, or one for each of the %d processes", n))
	}
	xs := make([]int, n)
	for i, f := range fields {
		if f == "inf" { // where the type has it
			xs[i] = Forever
			continue
		}
		xs[i], _ = strconv.Atoi(f) // checked by the type
	}
	return xs, nil
}

// Processes returns the value of a parameter of type Processes for n processes
// counted from first.
func (a *Args) Processes(key string, n, first int) (Set, error) {
	var s Set
	for _, f := range list(a.String(key)) {
		x, _ := strconv.Atoi(strings.TrimPrefix(f, "p")) // checked by the type
		if x < first || x >= first+n {
			return 0, a.Reject(key, a.values[key], fmt.Sprintf("there is no process p%d, the processes are p%d to p%d", x, first, first+n-1))
		}
		if x-first >= MaxProcs {
			return 0, a.Reject(key, a.values[key], fmt.Sprintf("allowed are the first %d processes, also where more are played", MaxProcs))
		}
		s = s.With(Proc(x - first))
	}
	return s, nil
}

// Sums returns the value of a parameter of type Sums whose numbers are at most hi.
func (a *Args) Sums(key string, hi int) (lists [][]int, err error) {
	for _, element := range list(a.String(key)) {
		var numbers []int
		for _, field := range strings.Split(element, "+") {
			x, _ := strconv.Atoi(field) // checked by the type
			if x > hi {
				return nil, a.Reject(key, a.values[key], fmt.Sprintf("allowed: numbers from 1 to %d", hi))
			}
			numbers = append(numbers, x)
		}
		lists = append(lists, numbers)
	}
	return lists, nil
}

// Probabilities returns the value of a parameter of type Probabilities for n things.
func (a *Args) Probabilities(key string, n int) ([]*big.Rat, error) {
	fields := list(a.String(key))
	if len(fields) == 1 {
		fields = slices.Repeat(fields, n)
	}
	if len(fields) != n {
		return nil, a.Reject(key, a.values[key], fmt.Sprintf("allowed: one probability, or one for each of %d", n))
	}
	ps := make([]*big.Rat, n)
	for i, f := range fields {
		ps[i], _ = new(big.Rat).SetString(f) // checked by the type
	}
	return ps, nil
}

// Nearest returns ` (did you mean "x"?)` for the word among words that is nearest
// to the one given, or "" if none is near.
func Nearest(given string, words []string) string {
	best, distance := "", len(given)/2+1
	for _, w := range words {
		if d := editDistance(given, w); d < distance {
			best, distance = w, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// editDistance is Levenshtein's.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// choice returns which of the words the value of a parameter is; 0 if the spec does not declare it.
func (a *Args) choice(key string, words ...string) int {
	return max(0, slices.Index(words, a.optional(key)))
}

// NetworkParams declares the parameters of channels and of the crash adversary,
// as all message-passing specs have them. crashSends is the default of that key.
func NetworkParams(crashSends string) []Param {
	return append([]Param{
		{"channel", "order of messages: a bag delivers any of them next, fifo keeps the order of each pair of processes", "bag", OneOf("bag", "fifo")},
		{"crashes", "at most so many crashes in a run, those of dead= included; default: f where there is one, at least the number of dead=", "", ProcCount(0)},
		{"crashable", "who may crash; default: all", "", Processes},
		{"dead", "who is dead from the start", "", Processes},
		{"crash-sends", "what a process may get out when it crashes inside a handler: nothing but all or none, a prefix by ascending target, or any subset of its messages", crashSends, OneOf("none", "prefix", "subset")},
	}, faultParams...)
}

// Network returns the values of NetworkParams for n processes counted from
// first; crashes is the default number of crashes. A spec without messages need declare none of
// them but dead, crashes and crashable.
func (a *Args) Network(n, first, crashes int) (nw Network, err error) {
	if nw.Dead, err = a.Processes("dead", n, first); err != nil {
		return nw, err
	}
	if !a.Given("crashes") {
		a.Set("crashes", strconv.Itoa(max(crashes, nw.Dead.Len())))
	}
	nw.Crashes = a.Int("crashes")
	if nw.Crashes < nw.Dead.Len() {
		return nw, a.Reject("crashes", a.String("crashes"), fmt.Sprintf("dead=%s are %d crashes already, so allowed is %d or more", a.String("dead"), nw.Dead.Len(), nw.Dead.Len()))
	}
	if nw.Crashes > n {
		return nw, a.Reject("crashes", a.String("crashes"), fmt.Sprintf("allowed: 0 to %d, the number of processes", n))
	}
	if nw.Crashable, err = a.Processes("crashable", n, first); err != nil {
		return nw, err
	}
	if !a.Given("crashable") {
		nw.Crashable = All(n)
		a.Set("crashable", strings.Trim(nw.Crashable.Format(first), "{}"))
	}
	nw.Channel = Channel(a.choice("channel", "bag", "fifo"))
	nw.CrashSends = CrashSends(a.choice("crash-sends", "none", "prefix", "subset"))
	nw.Faults, err = a.Faults(Names{First: first}, n)
	return nw, err
}
