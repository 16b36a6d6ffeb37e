package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// A condition compares a variable with a value.
type condition struct {
	text              string // as typed
	name, sign, value string
}

// form matches a condition such as p2.clock>=3 at the beginning of a text. The value may be quoted.
var form = regexp.MustCompile(`^\s*([^!<>=;]*[^!<>=;\s])\s*(==?|!=|[<>]=?)\s*("[^"]*"|'[^']*'|[^;]*?)\s*(?:;|$)`)

// conditionsOf reads conditions separated by ";".
func conditionsOf(where string) (all []condition, err error) {
	for rest := where; strings.TrimSpace(rest) != ""; {
		m := form.FindStringSubmatch(rest)
		if m == nil || m[3] == "" {
			part, _, _ := strings.Cut(rest, ";")
			return nil, fmt.Errorf("%q is not a condition such as variable=value; allowed are = != < <= > >="+
				" and, between conditions, ;", strings.TrimSpace(part))
		}
		c := condition{strings.Trim(m[0], "; "), m[1], strings.Replace(m[2], "==", "=", 1), unquoted(m[3])}
		if _, no := strconv.Atoi(c.value); no != nil && strings.ContainsAny(c.sign, "<>") {
			return nil, fmt.Errorf("%s: %s compares numbers, and %q is not one", c.text, c.sign, c.value)
		}
		all, rest = append(all, c), rest[len(m[0]):]
	}
	if all == nil {
		return nil, errors.New("no condition is given, such as variable=value")
	}
	return all, nil
}

func unquoted(value string) string {
	if n := len(value); n > 1 && strings.ContainsRune(`"'`, rune(value[0])) && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

// met reports whether a value meets the condition. It compares numbers as numbers, other values as text.
func (c *condition) met(value string) bool {
	order := cmp.Compare(unquoted(value), c.value)
	a, no := strconv.Atoi(value)
	b, nor := strconv.Atoi(c.value)
	if no == nil && nor == nil {
		order = cmp.Compare(a, b)
	} else if strings.ContainsAny(c.sign, "<>") {
		return false
	}
	if c.sign == "!=" {
		return order != 0
	}
	return order == 0 && strings.HasSuffix(c.sign, "=") || order < 0 && c.sign[0] == '<' ||
		order > 0 && c.sign[0] == '>'
}

// values are the values that a search saw, by the name of the variable as the page shows it.
type values map[string]map[string]bool

func (v values) note(name, value string) {
	if v[name] == nil {
		v[name] = map[string]bool{}
	}
	v[name][value] = true
}

func (v values) noteAll(s lts.State) {
	for _, x := range s.Vars() {
		v.note(traces.Var(x).Label(), x.Value)
	}
}

// any reports whether some value that was seen meets a condition.
func (v values) any(c *condition) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(v[c.name])), c.met)
}

// numbers returns the least and the greatest value of a variable. all is false if some value is not a number.
func (v values) numbers(name string) (least, most int, all bool) {
	var ns []int
	for value := range v[name] {
		if n, err := strconv.Atoi(value); err == nil {
			ns = append(ns, n)
		}
	}
	if ns == nil || len(ns) < len(v[name]) {
		return 0, 0, false
	}
	return slices.Min(ns), slices.Max(ns), true
}

func (v values) list(name string) string {
	if least, most, numbers := v.numbers(name); numbers && most > least {
		return fmt.Sprintf("%d to %d", least, most)
	}
	return listed(slices.Sorted(maps.Keys(v[name])))
}

// wrong returns the reason why a condition is probably a typing error: no state seen has its variable or its
// value. It returns "" if it is not, also for another number if all values seen are numbers.
func (v values) wrong(c *condition, seen string) string {
	if v[c.name] == nil {
		names := slices.Sorted(maps.Keys(v))
		return fmt.Sprintf("%s: %s there is no variable %q%s; there are %s", c.text, seen, c.name,
			usage.Nearest(c.name, names), listed(names))
	}
	wanted := *c
	if c.sign == "!=" {
		wanted.sign = "="
	}
	_, _, numbers := v.numbers(c.name)
	if _, err := strconv.Atoi(c.value); v.any(&wanted) || numbers && err == nil {
		return ""
	}
	meant := usage.Nearest(c.value, slices.Sorted(maps.Keys(v[c.name])))
	return fmt.Sprintf("%s: %s %s is %s, never %s%s", c.text, seen, c.name, v.list(c.name),
		strings.TrimPrefix(wanted.sign+c.value, "="), meant)
}

// listed lists words, at most twelve.
func listed(list []string) string {
	const shown = 12
	switch n := len(list); {
	case n > shown:
		return strings.Join(list[:shown], ", ") + fmt.Sprintf(" and %d more", n-shown)
	case n > 1:
		return strings.Join(list[:n-1], ", ") + " or " + list[n-1]
	}
	return strings.Join(list, "")
}

// vocabulary has the variables and values of the first states of a model.
type vocabulary struct {
	values
	initial map[string]string // value of each variable in the first initial state
	names   []string          // of the variables, in the order of the model
	seen    string            // names the states, for errors
}

// Limits of the search for a vocabulary.
const (
	vocabularyStates = 2000
	vocabularyTime   = 200 * time.Millisecond
)

// newVocabulary visits the first states of a model. It stops if the model fails.
func newVocabulary(in model.Instance) *vocabulary {
	v := &vocabulary{values: values{}, initial: map[string]string{}}
	inits := in.Plain.Init()
	for _, x := range inits[0].Next.Vars() {
		v.names, v.initial[traces.Var(x).Label()] = append(v.names, traces.Var(x).Label()), x.Value
	}
	ctx, cancel := context.WithTimeout(context.Background(), vocabularyTime)
	defer cancel()
	s := &search{in: in, ctx: ctx, most: vocabularyStates}
	s.met = func(_ uint32, t *lts.Transition) { v.noteAll(t.Next) }
	s.begin(inits...)
	s.run(func() bool { return false })
	if v.seen = "in all states of the model"; !s.done {
		v.seen = fmt.Sprintf("in the first %s of the model", printable.Plural(len(s.numbers), "state"))
	}
	return v
}

// example returns a condition that some run meets: one whose value is a word, or the shortest one.
func (v *vocabulary) example() (shortest string) {
	word := regexp.MustCompile(`^[\pL_][\pL\pN_-]*$`)
	for _, name := range v.names {
		for _, value := range slices.Sorted(maps.Keys(v.values[name])) {
			switch text := name + "=" + value; {
			case value == v.initial[name] || strings.Contains(value, ";") || value == "":
			case word.MatchString(value):
				return text
			case shortest == "" || len(text) < len(shortest):
				shortest = text
			}
		}
	}
	return shortest
}

// mostConditions is the most conditions that a page offers, and mostOfOne the most values of one variable.
const (
	mostConditions = 400
	mostOfOne      = 12
)

// conditions returns conditions that states meet, for choosing: the values of each variable that has few.
func (v *vocabulary) conditions() (list []string) {
	for _, name := range v.names {
		all := slices.Sorted(maps.Keys(v.values[name]))
		if len(all) < 2 || len(all) > mostOfOne || len(list)+len(all) > mostConditions {
			continue
		}
		for _, value := range all {
			if !strings.ContainsAny(value, ";\"") && value != "" {
				list = append(list, name+"="+value)
			}
		}
	}
	return list
}

// ofConditions is the target in which all conditions are met. It adds the values of their variables to seen.
func ofConditions(all []condition, seen values) target {
	return func(_ lts.State, t *lts.Transition) bool {
		now, met := map[string]string{}, true // the values by the names of their variables
		for _, v := range t.Next.Vars() {
			now[traces.Var(v).Label()] = v.Value
		}
		for i := range all {
			c := &all[i]
			value, is := now[c.name]
			if is {
				seen.note(c.name, value)
			}
			met = met && (is && c.met(value) || !is && c.sign == "!=")
		}
		return met
	}
}
