package starfile

import (
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// An Item is a text that may stand at a place of a file, with its type or its arguments.
type Item struct{ Text, Detail string }

// wordEnd is a name, or a part of one, at the end of a text; wordStart is the rest of it.
var (
	wordEnd   = regexp.MustCompile(`[\pL_][\pL\d_]*$`)
	wordStart = regexp.MustCompile(`^[\pL\d_]*`)
)

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
	typed = wordEnd.FindString(before)
	after = after[len(wordStart.FindString(after)):]
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
		if v.file != nil {
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
	path := v.around(at)
	var n syntax.Node
	if len(path) > 0 {
		n = path[len(path)-1]
	}
	if dot, is := n.(*syntax.DotExpr); is {
		return v.fieldItems(dot)
	}
	if e, is := n.(syntax.Expr); is && v.p != nil {
		for _, x := range v.p.wanted[start(e)] {
			for _, value := range x.values() {
				if text, is := value.(starlark.String); is && quoted {
					all = append(all, Item{string(text), ""})
				} else if !quoted {
					all = append(all, Item{value.String(), ""})
				}
			}
		}
	}
	if quoted {
		return all
	}
	if len(path) > 1 {
		if call, is := path[len(path)-2].(*syntax.CallExpr); is {
			for _, name := range v.argumentsOf(call) {
				all = append(all, Item{name + " = ", ""})
			}
		}
		syntax.Walk(path[0], func(n syntax.Node) bool {
			if id, is := n.(*syntax.Ident); is {
				if b, _ := id.Binding.(*resolve.Binding); b != nil && b.Scope < resolve.Global && b.First != nil {
					all = append(all, Item{id.Name, ""})
				}
			}
			return true
		})
	}
	for _, s := range v.Symbols() {
		all = append(all, Item{s.Name, s.Type})
	}
	names := append(starlark.Universe.Keys(), newBuilder("", nil, nil, nil).library.Keys()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		all = append(all, Item{name, signatureOf(name)})
	}
	return all
}

// fieldItems are the fields and methods of a value.
func (v *View) fieldItems(dot *syntax.DotExpr) (all []Item) {
	if v.p == nil {
		return nil
	}
	for _, x := range v.p.seen[dot.X] {
		for _, name := range v.p.attributes(x) {
			item := Item{Text: name}
			if x.record() != nil {
				item.Detail = v.p.say(v.p.field(x, name))
			}
			all = append(all, item)
		}
	}
	return all
}

// argumentsOf are the names of the arguments that a call may have.
func (v *View) argumentsOf(call *syntax.CallExpr) []string {
	for _, d := range declarations {
		if d.name == nameOf(call.Fn) {
			return settingsOf(d.name, d.args, nil, nil).names
		}
	}
	if v.p != nil {
		if t := declaredType(v.p.seen[call.Fn].only()); t != nil {
			return t.fields
		}
	}
	return nil
}

// signatureOf is a function of the language with the names of its arguments.
func signatureOf(name string) string {
	for _, d := range declarations {
		if d.name == name && d.args == "*" { // fields, types or values
			return name + "(...)"
		}
		if d.name == name {
			return name + "(" + words(settingsOf(name, d.args, nil, nil).names) + ")"
		}
	}
	return name
}
