package formats

import (
	"slices"
	"strings"
)

// This reads EDN, the notation of Clojure's data, as far as histories need it. The
// library at hand knows nothing of lines, and a report without them is of no use.

// maxDepth bounds how deep forms are nested.
const maxDepth = 64

// A form is a value of EDN: a string, a keyword without its colon, an atom (a number, a symbol, a
// character, true, false or nil as it is written), a list, a table, or nil. Tags are left out.
type (
	keyword string
	atom    string
	list    []any
	table   map[keyword]any // keys that are no keywords are left out
)

// An ednReader reads forms from a source.
type ednReader struct {
	s    *Source
	text string // that is left of the current line
	size int    // of the form so far
}

// more adds the next line; io.EOF: there is none.
func (r *ednReader) more() error {
	line, err := r.s.any()
	if r.size += len(line); r.size > maxLine {
		return r.s.wrong("a form longer than %d bytes, which no operation is", maxLine)
	}
	if err == nil {
		r.text += string(line) + "\n"
	}
	return err
}

// blanks separate forms, and ends are the ends of a word.
const (
	blanks = " \t\r\n\f\v,"
	ends   = blanks + ";\"[](){}"
)

// token reads the next bracket, string, word, or beginning of a set or of a discarded form; io.EOF: there is
// none.
func (r *ednReader) token() (string, error) {
	for r.text = strings.TrimLeft(r.text, blanks); r.text == "" || r.text[0] == ';'; {
		r.text = ""
		if err := r.more(); err != nil {
			return "", err
		}
		r.text = strings.TrimLeft(r.text, blanks)
	}
	n := 1
	switch c := r.text[0]; {
	case strings.IndexByte("[](){}", c) >= 0:
	case c == '"':
		for escaped := false; n == len(r.text) || escaped || r.text[n] != '"'; n++ {
			if n == len(r.text) {
				if err := r.more(); err != nil {
					return "", err
				}
			}
			escaped = !escaped && r.text[n] == '\\'
		}
		n++
	case strings.HasPrefix(r.text, "#{") || strings.HasPrefix(r.text, "#_"):
		n = 2
	default:
		if c == '\\' && len(r.text) > 1 { // the character itself, whatever it is
			n = 2
		}
		if word := strings.IndexAny(r.text[n:], ends); word >= 0 {
			n += word
		} else {
			n = len(r.text)
		}
	}
	t := r.text[:n]
	r.text = r.text[n:]
	return t, nil
}

// closing are the brackets that end lists.
var closing = map[string]string{"[": "]", "(": ")", "{": "}", "#{": "}"}

// form reads the form that begins with a token.
func (r *ednReader) form(t string, depth int) (any, error) {
	switch {
	case depth > maxDepth:
		return nil, r.s.wrong("forms nested deeper than %d", maxDepth)
	case closing[t] != "":
		forms, err := r.list(closing[t], depth)
		if err != nil || t != "{" {
			return forms, err
		}
		return r.table(forms)
	case slices.Contains([]string{"]", ")", "}", ";"}, t):
		return nil, r.s.wrong("%q where a form is expected", t[0])
	case t == "#" && !strings.HasPrefix(r.text, `"`): // else a regular expression
		return nil, r.s.wrong("a tag without a name")
	case t == "#_":
		if _, err := r.next(depth); err != nil {
			return nil, err
		}
		return r.next(depth)
	case slices.Contains([]string{"##NaN", "##Inf", "##-Inf"}, t):
		return atom(t), nil
	case strings.HasPrefix(t, "##"):
		return nil, r.s.wrong("%s is no number; allowed are ##NaN, ##Inf and ##-Inf", clip([]byte(t)))
	case t[0] == '#':
		return r.next(depth)
	case t[0] == '"':
		return ednEscapes.Replace(t[1 : len(t)-1]), nil
	case t[0] == ':':
		return keyword(t[1:]), nil
	}
	return atom(t), nil
}

// next reads the next form.
func (r *ednReader) next(depth int) (any, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	return r.form(t, depth+1)
}

// ednEscapes are the characters behind a backslash in a string.
var ednEscapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\`, "")

// list reads forms up to the closing bracket.
func (r *ednReader) list(end string, depth int) (forms list, err error) {
	for {
		t, err := r.token()
		if err != nil || t == end {
			return forms, err
		}
		if t == "#_" {
			if _, err := r.next(depth); err != nil {
				return nil, err
			}
			continue
		}
		f, err := r.form(t, depth+1)
		if err != nil {
			return nil, err
		}
		forms = append(forms, f)
	}
}

// table makes a table of its keys and values.
func (r *ednReader) table(forms list) (any, error) {
	if len(forms)%2 != 0 {
		return nil, r.s.wrong("a map with a key that has no value")
	}
	t := table{}
	for i := 0; i < len(forms); i += 2 {
		if k, ok := forms[i].(keyword); ok {
			t[k] = forms[i+1]
		}
	}
	return t, nil
}

// plain is a form as a text; "" for lists, tables and nil.
func plain(form any) string {
	switch f := form.(type) {
	case string:
		return f
	case keyword:
		return string(f)
	case atom:
		if f != "nil" {
			return strings.TrimSuffix(string(f), "N")
		}
	}
	return ""
}
