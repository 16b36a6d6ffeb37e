package formats

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// jepsen reads a history of Jepsen: operations with :type, :process and :f, in vectors, batch after batch, or
// one after the other. An operation happened between its :invoke and its :ok. One that ends with :info, or
// not at all, may have happened at any later time, or never; one that ends with :fail did not happen.
// Operations of a process that is not a number, such as :nemesis, are left out.
func (rd *Reader) jepsen(s *Source) error {
	r := &ednReader{s: s}
	h := &history{rd: rd, s: s, open: map[string]operation{}}
	s.Locks = true
	for depth := 0; ; {
		r.size = 0
		t, err := r.token()
		line := s.line
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return h.end()
		case errors.Is(err, io.EOF):
			return errors.Join(rd.tornLine(s), h.end())
		case err != nil:
			return err
		case t == "[" || t == "(":
			depth++
			continue
		case (t == "]" || t == ")") && depth > 0:
			depth--
			continue
		}
		f, err := r.value(t)
		op, isMap := f.(table)
		switch {
		case errors.Is(err, io.EOF) && s.Torn:
			return errors.Join(rd.tornLine(s), h.end())
		case errors.Is(err, io.EOF):
			return s.wrong("the file ends in the middle of a form")
		case err != nil:
			return err
		case !isMap:
			return s.at(line).wrong("not an operation: operations are maps")
		}
		o, err := h.ended(op, line)
		if err != nil {
			return s.at(line).wrong("%v", err)
		}
		if err := h.add(o); err != nil {
			return err
		}
	}
}

type history struct {
	rd      *Reader
	s       *Source
	open    map[string]operation // the current operation of each process
	order   []string             // processes, in the order of appearance
	indexed bool                 // the first entry has an index, so all must have one
	latest  int64                // the latest index
	count   int64                // number of entries
}

// An operation is one call of a process: usually one event, or the events of a batch.
type operation []*Entry

// ended reads an entry and returns the operation that it ends; nil: it ends none.
func (h *history) ended(op table, line int) (operation, error) {
	process, kind := plain(op["process"]), plain(op["type"])
	if _, isName := op["process"].(keyword); isName {
		return nil, nil
	}
	if process == "" {
		return nil, errors.New("field :process is missing")
	}
	now, err := h.moment(op)
	if err != nil {
		return nil, err
	}
	o, busy := h.open[process]
	switch {
	case kind == "invoke" && o != nil:
		return nil, fmt.Errorf("process %s invokes an operation before that of line %d has ended", process,
			o[0].Line)
	case kind == "invoke":
		if !busy {
			h.order = append(h.order, process)
		}
		h.open[process], err = h.invoke(op, process, now, line)
		return nil, err
	case kind != "ok" && kind != "fail" && kind != "info":
		return nil, fmt.Errorf("field :type is %q; allowed are :invoke, :ok, :fail and :info", kind)
	case o == nil && kind == "info": // an observation, not the end of an operation
		return nil, nil
	case o == nil:
		return nil, fmt.Errorf("process %s ends an operation that it has not invoked", process)
	}
	for _, e := range o {
		if e.Maybe, e.Failed = kind == "info", kind == "fail"; !e.Maybe {
			e.End = now
		}
	}
	h.open[process] = nil
	if kind == "ok" && len(o) == 1 {
		err = h.returned(o[0], op)
	}
	return o, err
}

// invoke makes the events of an operation. The events of a batch happen one after the other between its
// begin and its end.
func (h *history) invoke(op table, process string, now int64, line int) (o operation, err error) {
	for _, part := range batch(op) {
		e := newEntry(line)
		e.Node, e.Name, e.Begin = process, plain(part["f"]), now
		fields := h.values(part)
		h.rd.parser.hintResource(e, fields)
		if err := h.take(e, fields); err != nil {
			return nil, err
		}
		o = append(o, e)
	}
	return o, nil
}

// batch lists the parts of an operation: the operations in its :value, which are vectors of a name, a
// resource and a number of units, or maps. Without such a list the operation is its only part.
func batch(op table) (parts []table) {
	values, _ := op["value"].(list)
	for _, value := range values {
		part, _ := value.(table)
		if v, _ := value.(list); len(v) > 0 {
			if name, named := v[0].(keyword); named {
				part = table{"f": name}
				for i, x := range v[1:min(len(v), 3)] {
					part[[]keyword{"resource", "units"}[i]] = x
				}
			}
		}
		if part["f"] == nil {
			return []table{op}
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return []table{op}
	}
	return parts
}

// returned takes fields that only the end of an operation has: the fencing token and the resource acquired.
func (h *history) returned(e *Entry, op table) error {
	end, fields := newEntry(e.Line), h.values(op)
	delete(fields, "units")
	err := h.take(end, fields)
	e.Resource = cmp.Or(e.Resource, end.Resource)
	if e.Grant.Token == NoToken {
		e.Grant.Token = end.Grant.Token
	}
	return err
}

// add passes the events of an operation on.
func (h *history) add(o operation) error {
	for _, e := range o {
		s := h.s.at(e.Line)
		if e.Name == "" {
			return s.wrong("field :f is missing")
		}
		if err := h.rd.add(s, e); err != nil {
			return err
		}
	}
	return nil
}

// end adds the operations without an end: they may have happened.
func (h *history) end() error {
	for _, process := range h.order {
		for _, e := range h.open[process] {
			e.Maybe = true
		}
		if err := h.add(h.open[process]); err != nil {
			return err
		}
	}
	return nil
}

// moment returns the place of an entry in the history: its :index or, if the first entry has none, its place
// in the file. The order of a history is the order in which one observer saw all entries. It is finer than
// the times, which need not grow.
func (h *history) moment(op table) (int64, error) {
	h.count++
	raw := plain(op["index"])
	if h.count == 1 {
		h.indexed, h.latest = raw != "", -1
	}
	if !h.indexed {
		return h.count, nil
	}
	now, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || now < 0 || now == math.MaxInt64 {
		return 0, fmt.Errorf("field :index is %q; the first entry has an index, so every entry needs a "+
			"whole number", raw)
	}
	if now <= h.latest {
		return 0, fmt.Errorf("field :index is %d, but the entry before has %d; indices must increase",
			now, h.latest)
	}
	h.latest = now
	return now, nil
}

// addField adds a field; the first two elements of a list are value.0 and value.1, and :name of a map is
// value.name.
func addField(fields map[string]json.RawMessage, name string, value any) {
	switch v := value.(type) {
	case table:
		for key, inner := range v {
			addField(fields, name+"."+string(key), inner)
		}
	case list:
		for i, inner := range v[:min(len(v), 2)] {
			addField(fields, fmt.Sprintf("%s.%d", name, i), inner)
		}
	default:
		if text := plain(value); text != "" {
			fields[name], _ = json.Marshal(text) // encoding a string cannot fail
			if _, isAtom := value.(atom); isAtom && (text[0] == '-' || '0' <= text[0] && text[0] <= '9') {
				fields[name] = json.RawMessage(text)
			}
		}
	}
}

// values returns the fields of an operation after mapping.
func (h *history) values(op table) map[string]json.RawMessage {
	fields := map[string]json.RawMessage{}
	for name, value := range op {
		switch name {
		case "type", "process", "time", "index", "f":
		default:
			addField(fields, string(name), value)
		}
	}
	return h.rd.mapping.fields(fields)
}

// take reads the fields that operations may have into an event.
func (h *history) take(e *Entry, fields map[string]json.RawMessage) error {
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool {
		return !slices.Contains(lockFields, name)
	})
	return e.take(fields, givenIn(fields), &h.rd.mapping.timeForms)
}

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
