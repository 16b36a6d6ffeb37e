package starfile

import (
	"strings"

	"go.starlark.net/syntax"
)

// habits are forms of Python and of other languages that files do not have: a part of the parser's error, and
// what to write instead.
var habits = [][2]string{
	{"got for, want ':'", "a set is made of a list: set([x for x in xs])"},
	{"got for,", "a comprehension stands in brackets: all([x > 0 for x in xs])"},
	{"got ',', want ':'", "a set is made of a list: set([1, 2])"},
	{"got string literal", `strings are joined by +, and there are no f-strings: "p%d" % i`},
	{"while loops", "there is no while; write: for i in range(9): ... break"},
	{"got class", "there are no classes; record(x = int) makes a type"},
	{"got import", `there is no import; write load("parts.star", "name")`},
	{"got from", `there is no import; write load("parts.star", "name")`},
	{"got try", "there are no exceptions; write when(...) or if"},
	{"got raise", `there are no exceptions; write fail("why")`},
	{"got yield", "there is no yield; write return [...]"},
	{"got is,", "there is no is; write == or !="},
	{"got '**'", "there is no **; write x * x"},
	{"got '*', want primary", "there is no *rest; write a, rest = xs[0], xs[1:]"},
	{"got ':', want ')'", "there are no types here, and no :=; write the name alone"},
	{"got '-', want ':'", "functions declare no type of their result"},
	{"got global", "functions change no variable of the file; put it in the state"},
	{"got nonlocal", "functions change no variable around them; return the value"},
	{"got del", "there is no del; write d.pop(key)"},
	{"character '!'", "write not x"},
	{"character '@'", "there are no decorators; list the function: actions = [f]"},
	{"got '&', want primary", "write x and y"},
	{"got '|', want primary", "write x or y"},
	{"got '=', want ':'", "= assigns; write == to compare"},
	{"got if, want ':'", "write elif"},
	{"got identifier, want ','", "a comma or an operator is missing before this name"},
	{"got newline, want ':'", "a colon is missing at the end of the line before"},
	{"got end of file, want", "a bracket is open, and the file ends"},
	{"unindent does not match", "this line begins at a column where no line of its block does"},
	{"keyword argument must have form", "a lambda assigns nothing; write == to compare"},
	{"does not associate", "write 0 < x and x < 3"},
	{"without else clause", "both cases are needed: x if a else y"},
}

// advice says what to write where a part of an error of Starlark is right, and does not help.
var advice = [][2]string{
	{"referenced before assignment", "a function has its own variables; put in the state what outlives it"},
	{"frozen", "it belongs to the file; put in the state what changes"},
	{" NoneType", "ask first: when(x != None)"},
	{"called recursively", "write a for loop over a range"},
	{"unknown binary op: bool", "write (1 if x else 0) for a number"},
	{"unknown binary op: string", "write \"%d\" % x for a string"},
	{"record value does not support item", "a field stands behind a dot: r.field"},
	{" missing 1 argument", "a list has functions without brackets: [f], not [f()]"},
}

// advised adds what to write to an error of Starlark.
func advised(said string) string {
	for _, a := range advice {
		if strings.Contains(said, a[0]) {
			return said + "; " + a[1]
		}
	}
	return said
}

// refused returns what to write in place of what the parser refuses, or the parser's error.
func refused(e syntax.Error, source []byte) string {
	lines := strings.Split(string(source), "\n")
	line := strings.TrimSpace(lines[min(len(lines), int(e.Pos.Line))-1])
	switch {
	case strings.HasPrefix(line, "assert "):
		return "there is no assert; write when(...) in a step, and invariant(...) in properties"
	case strings.HasSuffix(line, "++"):
		return "write x += 1"
	}
	return unlearn(e.Msg)
}

// unlearn returns what to write in place of a habit, by an error of Starlark, or this error.
func unlearn(said string) string {
	for _, h := range habits {
		if strings.Contains(said, h[0]) {
			return h[1]
		}
	}
	return said
}
