package printable

import (
	"fmt"
	"strings"
)

// Number writes a number with commas between thousands.
func Number[N ~int | ~int64](n N) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural writes a number of things, by the rules of English for regular nouns.
func Plural[N ~int | ~int64](n N, thing string) string {
	stem, y := strings.CutSuffix(thing, "y")
	switch {
	case n == 1:
		return "1 " + thing
	case y && !strings.ContainsAny(stem[len(stem)-1:], "aeiou"):
		thing = stem + "ie"
	case strings.HasSuffix(thing, "s"), strings.HasSuffix(thing, "sh"), strings.HasSuffix(thing, "ch"):
		thing += "e"
	}
	return Number(n) + " " + thing + "s"
}
