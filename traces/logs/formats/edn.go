package formats

import (
	"slices"
	"strings"
)

// The rest reads EDN, the notation of Clojure's data, as far as histories need it. The Go library for EDN
// does not report line numbers, which errors need.

// maxDepth bounds the nesting of forms.
const maxDepth = 64

// A form is a value of EDN: a string, a keyword without its colon, an atom (a number, a symbol, a character,
// true, false or nil, as written), a list, a table, or nil. Tags are left out.
type (
	keyword string
	atom    string
	list    []any
	table   map[keyword]any // only keys that are keywords
)

type ednReader struct {
	s     *Source
	text  string // the rest of the current line
	size  int    // bytes of the form so far
	depth int    // nesting of the current form
}

// more appends the next line; io.EOF: there is no next line.
func (r *ednReader) more() error {
	line, err := r.s.any()
	if r.size += len(line); r.size > maxLine {
		return r.s.wrong("a form longer than %d bytes, the longest operation allowed", maxLine)
	}
	if err == nil {
		r.text += string(line) + "\n"
	}
	return err
}

// blanks separate forms; ends are the characters that end a word.
const (
	blanks = " \t\r\n\f\v,"
	ends   = blanks + ";\"[](){}"
)

// token reads the next bracket, string or word, and skips comments, tags and discarded forms before it;
// io.EOF: there is no next token.
func (r *ednReader) token() (string, error) {
	for {
		var err error
		r.text = strings.TrimLeft(r.text, blanks)
		switch {
		case r.text == "" || r.text[0] == ';':
			r.text = ""
			err = r.more()
		case strings.HasPrefix(r.text, "#_"):
			r.text = r.text[2:]
			_, err = r.value("#_")
		case strings.HasPrefix(r.text, "#{"):
			r.text = r.text[2:]
			return "#{", nil
		case strings.HasPrefix(r.text, "##") || r.text[0] != '#':
			return r.word()
		case strings.HasPrefix(r.text, `#"`): // a regular expression
			r.text = r.text[1:]
		case strings.IndexByte(ends, r.text[1]) >= 0:
			err = r.s.wrong("a tag without a name")
		default:
			_, err = r.word()
		}
		if err != nil {
			return "", err
		}
	}
}

// word reads the bracket, string or word at the beginning of the text.
func (r *ednReader) word() (string, error) {
	n := 1
	switch c := r.text[0]; {
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
	case strings.IndexByte(ends, c) < 0:
		if c == '\\' { // any character may follow
			n = 2
		}
		n += strings.IndexAny(r.text[n:]+" ", ends)
	}
	t := r.text[:n]
	r.text = r.text[n:]
	return t, nil
}

// value reads the form that begins with a token. For #_, which discards a form, it reads that form.
func (r *ednReader) value(t string) (any, error) {
	if r.depth++; r.depth > maxDepth {
		return nil, r.s.wrong("forms nested deeper than %d", maxDepth)
	}
	defer func() { r.depth-- }()
	switch t[0] {
	case '[', '(', '{':
		return r.collection(t)
	case ']', ')', '}':
		return nil, r.s.wrong("%q where a form is expected", t[0])
	case '"':
		return ednEscapes.Replace(t[1 : len(t)-1]), nil
	case ':':
		return keyword(t[1:]), nil
	case '#':
		switch t {
		case "#{":
			return r.collection(t)
		case "#_":
			t, err := r.token()
			if err != nil {
				return nil, err
			}
			return r.value(t)
		case "##NaN", "##Inf", "##-Inf":
		default:
			return nil, r.s.wrong("%s is not a number; allowed are ##NaN, ##Inf and ##-Inf", clip([]byte(t)))
		}
	}
	return atom(t), nil
}

var ednEscapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\`, "")

var closing = map[string]string{"[": "]", "(": ")", "{": "}", "#{": "}"}

// collection reads forms up to the closing bracket: a table after {, otherwise a list.
func (r *ednReader) collection(open string) (any, error) {
	var forms list
	for {
		t, err := r.token()
		if err != nil || t == closing[open] && open != "{" {
			return forms, err
		}
		if t == closing[open] {
			break
		}
		f, err := r.value(t)
		if err != nil {
			return nil, err
		}
		forms = append(forms, f)
	}
	if len(forms)%2 != 0 {
		return nil, r.s.wrong("a map with a key that has no value")
	}
	t := table{}
	for pair := range slices.Chunk(forms, 2) {
		if k, ok := pair[0].(keyword); ok {
			t[k] = pair[1]
		}
	}
	return t, nil
}

// plain returns a form as a text; "" for lists, tables and nil.
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
