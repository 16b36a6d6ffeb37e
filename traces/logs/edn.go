package logs

import (
	"fmt"
	"strings"
	"unicode"
)

// This reads EDN, the notation of Clojure's data, as far as histories need it. The
// library at hand knows nothing of lines, and a report without them is of no use.

// maxDepth bounds how deep forms are nested.
const maxDepth = 64

// A keyword is a name with a colon before it, here without it.
type keyword string

// A form is a value of EDN: a string, a keyword, an atom (a number, a symbol, a
// character, true, false or nil as it is written), a list, a table, or nil.
type (
	atom  string
	list  []any
	table map[keyword]any // keys that are no keywords are left out
)

// ednReader reads forms from a source.
type ednReader struct {
	s     *source
	text  []byte // of the current line
	at    int
	size  int // of the form so far
	ended bool
}

// peek returns the next byte, 0 at the end of the file.
func (r *ednReader) peek() (byte, error) {
	for r.at >= len(r.text) {
		if r.ended {
			return 0, nil
		}
		line, err := r.s.any()
		if err != nil {
			r.ended = true
			return 0, atEnd(err)
		}
		if r.size += len(line); r.size > maxLine {
			return 0, r.s.wrong("a form longer than %d bytes, which no operation is", maxLine)
		}
		r.text, r.at = append(append(r.text[:0], line...), '\n'), 0
	}
	return r.text[r.at], nil
}

// blank skips what separates forms: blanks, commas, comments.
func (r *ednReader) blank() (byte, error) {
	for {
		c, err := r.peek()
		switch {
		case err != nil || c == 0:
			return 0, err
		case c == ';':
			r.at = len(r.text)
		case c == ',' || unicode.IsSpace(rune(c)):
			r.at++
		default:
			return c, nil
		}
	}
}

// errCut says that the file ends within a form.
func (r *ednReader) cut() error { return r.s.wrong("the file ends in the middle of a form") }

// form reads the next form. What is discarded by #_ or only a tag is no form.
func (r *ednReader) form(depth int) (any, error) {
	c, err := r.blank()
	switch {
	case err != nil:
		return nil, err
	case c == 0:
		return nil, r.cut()
	case depth > maxDepth:
		return nil, r.s.wrong("forms nested deeper than %d", maxDepth)
	}
	r.at++
	switch c {
	case '"':
		return r.str()
	case ':':
		return keyword(r.word()), nil
	case '[':
		return r.list(']', depth)
	case '(':
		return r.list(')', depth)
	case '{':
		return r.table(depth)
	case '#':
		return r.tagged(depth)
	case ']', ')', '}':
		return nil, r.s.wrong("%q where a form is expected", c)
	case '\\':
		r.at++ // the character itself, whatever it is
		return atom("\\" + r.word()), nil
	}
	r.at--
	w := r.word()
	if w == "" {
		return nil, r.s.wrong("%q where a form is expected", c)
	}
	return atom(w), nil
}

// word reads up to the next delimiter.
func (r *ednReader) word() string {
	from := min(r.at, len(r.text))
	for r.at < len(r.text) && !strings.ContainsRune(" \t\r\n,;\"[](){}", rune(r.text[r.at])) {
		r.at++
	}
	return string(r.text[from:max(from, min(r.at, len(r.text)))])
}

func (r *ednReader) str() (any, error) {
	var b strings.Builder
	for {
		c, err := r.peek()
		if err != nil {
			return nil, err
		}
		r.at++
		switch c {
		case 0:
			return nil, r.cut()
		case '"':
			return b.String(), nil
		case '\\':
			e, err := r.peek()
			if err != nil {
				return nil, err
			}
			r.at++
			if i := strings.IndexByte("ntr", e); i >= 0 {
				e = "\n\t\r"[i]
			}
			b.WriteByte(e)
		default:
			b.WriteByte(c)
		}
	}
}

// list reads forms up to the closing bracket.
func (r *ednReader) list(closing byte, depth int) (list, error) {
	var forms list
	for {
		c, err := r.blank()
		if err != nil {
			return nil, err
		}
		if c == closing {
			r.at++
			return forms, nil
		}
		if skipped, err := r.discard(c, depth); err != nil {
			return nil, err
		} else if skipped {
			continue
		}
		f, err := r.form(depth + 1)
		if err != nil {
			return nil, err
		}
		forms = append(forms, f)
	}
}

// discard skips a form after #_.
func (r *ednReader) discard(c byte, depth int) (bool, error) {
	if c != '#' || r.at+1 >= len(r.text) || r.text[r.at+1] != '_' {
		return false, nil
	}
	r.at += 2
	_, err := r.form(depth + 1)
	return true, err
}

func (r *ednReader) table(depth int) (any, error) {
	forms, err := r.list('}', depth)
	if err != nil {
		return nil, err
	}
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

// tagged reads a set, or a form with a tag, which is left out.
func (r *ednReader) tagged(depth int) (any, error) {
	c, err := r.peek()
	switch {
	case err != nil:
		return nil, err
	case c == '{':
		r.at++
		return r.list('}', depth)
	case c == '_':
		r.at--
		if _, err := r.discard('#', depth); err != nil {
			return nil, err
		}
	case c == '#': // ##NaN, ##Inf and ##-Inf, which are numbers
		r.at++
		w := r.word()
		if w != "NaN" && w != "Inf" && w != "-Inf" {
			return nil, r.s.wrong("##%s is no number; allowed are ##NaN, ##Inf and ##-Inf", clip([]byte(w)))
		}
		return atom("##" + w), nil
	case c == '"': // a regular expression
		r.at++
		return r.str()
	default:
		if r.word() == "" {
			return nil, r.s.wrong("a tag without a name")
		}
	}
	return r.form(depth + 1)
}

// plain is a form as a text; "" for what has parts, and for nil.
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
	case fmt.Stringer:
		return f.String()
	}
	return ""
}
