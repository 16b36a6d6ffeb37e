// Package cond is the language of conditions: on parameters of instances ("f<=n-min-k",
// "list!=literal/auto"), and on measurements ("RAY>BAS", "OURS~10%RAYMOND").
package cond

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/tools/paperdocs/timed"
)

// A Value is the value of a name: a word, or a number with half of an interval around it.
type Value struct {
	Text string
	Half float64
}

// Number is the value of a measured mean with half of its interval.
func Number(mean, half float64) Value { return Value{strconv.FormatFloat(mean, 'g', -1, 64), half} }

// Words returns the values of parameters, which are exact.
func Words(pairs [][2]string) map[string]Value {
	values := map[string]Value{}
	for _, kv := range pairs {
		values[kv[0]] = Value{Text: kv[1]}
	}
	return values
}

// An Answer says whether a condition is met. Undecided: the intervals overlap.
type Answer int

// The answers, from the worst.
const (
	Refuted Answer = iota
	Undecided
	Met
)

// A Condition compares a sum of names and numbers with another one, or a name with words.
//
//	=, !=       the left side is, or is not, one of the words that slashes separate
//	<, >        met where the intervals are apart, refuted where they are apart the other way
//	<=, >=      refuted where the other side is smaller, or larger, by more than the intervals
//	~, ~10%     the sides differ by at most a quarter, or the part given, of the larger one
//
// A condition may also name the course of a measurement over all points, such as "OURS flat 10%": Op is the
// course, Right is empty, and package experiment judges it.
type Condition struct{ Left, Op, Right string }

var form = regexp.MustCompile(`^(.+?)(?:\s+((?:peak|falls|rises|flat|linear)(?: [0-9]+%)?)` +
	`|\s*(!=|<=|>=|=|<|>|~(?:[0-9]+%)?)\s*(.*))$`)

// Course reports whether the condition is about a course.
func (c Condition) Course() bool { return c.Right == "" && c.Op[0] >= 'a' }

// Parse reads one condition.
func Parse(text string) (Condition, error) {
	m := form.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Condition{}, fmt.Errorf("%q is no condition such as n=3, list!=auto or f<k", text)
	}
	return Condition{m[1], m[2] + m[3], m[4]}, nil
}

// All reports whether the values meet all conditions, which blanks separate.
func All(values map[string]Value, where string) (bool, error) {
	for _, text := range strings.Fields(where) {
		c, err := Parse(text)
		if err != nil {
			return false, err
		}
		answer, err := c.Judge(values)
		if err != nil {
			return false, fmt.Errorf("%q: %w", text, err)
		}
		if answer != Met {
			return false, nil
		}
	}
	return true, nil
}

// Judge compares the values with the condition; an error names a part that does not apply to them.
func (c Condition) Judge(values map[string]Value) (Answer, error) {
	left, known := values[c.Left]
	if c.Op == "=" || c.Op == "!=" {
		if !known {
			return Refuted, fmt.Errorf("there is no parameter %q", c.Left)
		}
		return answer(slices.Contains(strings.Split(c.Right, "/"), left.Text) == (c.Op == "=")), nil
	}
	a, err := Sum(values, c.Left)
	if err != nil {
		return Refuted, err
	}
	b, err := Sum(values, c.Right)
	if err != nil {
		return Refuted, err
	}
	return Compare(a, c.Op, b), nil
}

func answer(met bool) Answer {
	if met {
		return Met
	}
	return Refuted
}

// Compare compares two numbers by one of the operators that are not about words.
func Compare(a timed.Estimate, op string, b timed.Estimate) Answer {
	above := a.Mean-a.Half > b.Mean+b.Half
	below := a.Mean+a.Half < b.Mean-b.Half
	switch {
	case op == "<=":
		return answer(!above)
	case op == ">=":
		return answer(!below)
	case op == "<":
		above, below = below, above
	case op != ">":
		return about(a, op, b)
	}
	switch {
	case above:
		return Met
	case below:
		return Refuted
	}
	return Undecided
}

// about compares with a tolerance: a part of the larger side.
func about(a timed.Estimate, op string, b timed.Estimate) Answer {
	part := 25.0
	if op != "~" {
		part, _ = strconv.ParseFloat(strings.Trim(op, "~%"), 64) // form admits digits only
	}
	most := part / 100 * max(math.Abs(a.Mean), math.Abs(b.Mean))
	apart, play := math.Abs(a.Mean-b.Mean), a.Half+b.Half
	switch {
	case apart+play <= most || a == b: // to the last digit: two algorithms that do the same in each run
		return Met
	case apart-play > most:
		return Refuted
	}
	return Undecided
}

var digits = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(e[0-9]+)?`)

// Sum is the value of a sum of numbers and names, such as n-min-k. Names have hyphens, too: the longest one
// is meant.
func Sum(values map[string]Value, expression string) (total timed.Estimate, err error) {
	sign, rest := 1.0, expression
	for rest != "" {
		name := ""
		for key := range values {
			if strings.HasPrefix(rest, key) && len(key) > len(name) {
				name = key
			}
		}
		v := values[name]
		if name == "" {
			if name = digits.FindString(rest); name == "" {
				return total, fmt.Errorf("%q is neither a number nor a name", rest)
			}
			v.Text = name
		}
		x, err := strconv.ParseFloat(v.Text, 64)
		if err != nil {
			return total, fmt.Errorf("%s=%s is no number", name, v.Text)
		}
		total.Mean, total.Half = total.Mean+sign*x, total.Half+v.Half
		if rest = rest[len(name):]; rest == "" {
			return total, nil
		}
		switch rest[0] {
		case '+':
			sign = 1
		case '-':
			sign = -1
		default:
			return total, fmt.Errorf("%q goes on with neither + nor -", expression)
		}
		rest = rest[1:]
	}
	return total, fmt.Errorf("%q ends too early", expression)
}
