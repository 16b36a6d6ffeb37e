// Package usage is about wrong arguments: an [Error] says what was wrong and what is allowed, and [Nearest]
// what was probably meant. Such errors are made where the allowed words are known: of parameters, of options
// of a search, of names in files. Who shows them need not know.
package usage

import "fmt"

// An Error is a wrong argument. Its message says what was wrong and what is allowed.
type Error struct{ msg string }

func (e *Error) Error() string { return e.msg }

// Errorf returns an Error with a message, as fmt.Errorf does.
func Errorf(format string, a ...any) error { return &Error{fmt.Sprintf(format, a...)} }

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
