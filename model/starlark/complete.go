package starfile

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Item is a text that may stand at a place of a file, with its type or its arguments.
type Item struct{ Text, Detail string }

// Complete returns the texts that may stand at a place of a file, and the part of them that stands before it
// already. The file may lack the end of the line there.
func Complete(path string, read readFunc, at syntax.Position) (all []Item, typed string) {
	source, err := read(path)
	lines := strings.Split(string(source), "\n")
	row := int(at.Line) - 1
	if err != nil || row < 0 || row >= len(lines) {
		return nil, ""
	}
	line := []rune(lines[row])
	col := max(0, min(int(at.Col)-1, len(line)))
	before, after := string(line[:col]), string(line[col:])
	quote, _ := openTokens(before)
	// These compile only here: at each start of the program they would take 0.3 ms.
	typed = regexp.MustCompile(`[\pL_][\pL\d_]*$`).FindString(before) // a name, or a part of one
	after = after[len(regexp.MustCompile(`^[\pL\d_]*`).FindString(after)):]
	if quote != "" {
		typed = before[strings.LastIndex(before, quote)+1:]
	}
	// An expression takes the place of the text; then the line is closed in several ways until it is right.
	before = before[:len(before)-len(typed)]
	hole := syntax.MakePosition(&path, at.Line, int32(len([]rune(before))+1))
	switch {
	case quote != "":
		hole.Col--
		before += quote
		_, after, _ = strings.Cut(string(line[col:]), quote)
	case strings.HasSuffix(before, "."):
		before += "it"
	default:
		before += "None"
	}
	_, closing := openTokens(before)
	var v *View
	for _, end := range []string{after, closing + after, closing, closing + ":", closing + ": pass"} {
		lines[row] = before + end
		v = Look(path, func(name string) ([]byte, error) {
			if name == path {
				return []byte(strings.Join(lines, "\n")), nil
			}
			return read(name)
		})
		if len(v.file.Stmts) > 0 { // it has a syntax tree
			break
		}
	}
	return v.items(hole, quote != ""), typed
}

// openTokens returns the quote of the string that is open at the end of a line, "" if none is, and what
// closes its brackets.
func openTokens(line string) (quote, closing string) {
	for i := 0; i < len(line); i++ {
		c := line[i : i+1]
		pair := strings.Index("([{)]}", c)
		switch {
		case quote != "" && c == `\`:
			i++
		case quote != "":
			quote = strings.TrimSuffix(quote, c)
		case c == `"` || c == "'":
			quote = c
		case pair > 2:
			closing = closing[min(1, len(closing)):]
		case pair >= 0:
			closing = ")]}"[pair:pair+1] + closing
		}
	}
	return quote, closing
}

// items are the texts that may stand in place of the expression at a place.
func (v *View) items(at syntax.Position, quoted bool) (all []Item) {
	add := func(text, detail string) {
		if !slices.ContainsFunc(all, func(x Item) bool { return x.Text == text }) { // the nearest
			all = append(all, Item{text, detail})
		}
	}
	path := append(make([]syntax.Node, 2), v.around(at)...)
	e, _ := path[len(path)-1].(syntax.Expr)
	dot, field := e.(*syntax.DotExpr)
	if field {
		for _, x := range v.p.seen[dot.X] {
			for _, name := range v.p.attributes(x) {
				add(name, v.p.say(v.p.field(x, name)))
			}
		}
	} else if e != nil {
		for _, x := range v.p.wanted[start(e)] {
			for _, value := range x.values() {
				if text, is := value.(starlark.String); is && quoted {
					add(string(text), "")
				} else if !quoted {
					add(value.String(), "")
				}
			}
		}
	}
	if quoted || field {
		return all
	}
	if call, is := path[len(path)-2].(*syntax.CallExpr); is {
		for _, name := range argumentsOf(nameOf(call.Fn)) {
			add(name+" = ", "")
		}
	}
	for _, n := range path[2:min(3, len(path))] { // the statement of the file
		syntax.Walk(n, func(n syntax.Node) bool {
			if id, is := n.(*syntax.Ident); is && boundTo(id).Scope == resolve.Local {
				add(id.Name, "")
			}
			return true
		})
	}
	for _, s := range v.Symbols() {
		add(s.Name, s.Type)
	}
	for _, name := range slices.Sorted(maps.Keys(v.library)) {
		add(name, signatureOf(name))
	}
	return all
}

// argumentsOf are the names of the arguments of a function of the language.
func argumentsOf(name string) []string {
	for _, d := range declarations {
		if d.name == name {
			return settingsOf(name, d.args, nil, nil).names
		}
	}
	return nil
}

// signatureOf is a name of the language, with its arguments if it declares something.
func signatureOf(name string) string {
	if args := argumentsOf(name); args != nil {
		return name + "(" + words(args) + ")"
	}
	return name
}
