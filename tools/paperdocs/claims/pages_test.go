package claims

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/atmostk/atmostk/traces/printable"
)

// mostWords is the number of words that the page of a paper may have.
const mostWords = 2000

var (
	link    = regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]*)\)`)
	console = regexp.MustCompile("(?s)```.*?```")
	figure  = regexp.MustCompile(`\d (?:steps?|states?|instances?)\b`)
)

// TestPagesQuoteTheRows: the page of a paper is short, its links resolve, its table has each claim with the
// verdict of the data, and the text of a link to a row quotes the row's figure or verdict. Numbers of
// steps, states and instances stand in such links only.
func TestPagesQuoteTheRows(t *testing.T) {
	for _, p := range all(t) {
		t.Run(p.Name, func(t *testing.T) {
			text, err := os.ReadFile(p.path(".md"))
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range p.misquoted(string(text)) {
				t.Error(wrong)
			}
		})
	}
}

// TestMisquotesAreFound plants mistakes in a page; each has to be found.
func TestMisquotesAreFound(t *testing.T) {
	p := all(t)[slices.Index(Names(root), "timerfree")]
	text, err := os.ReadFile(p.path(".md"))
	if err != nil {
		t.Fatal(err)
	}
	for planted, want := range map[string]string{
		"[12 steps](timerfree-rows.ndjson#lemma-1-1)":            "is not 12 steps",
		"[holds](timerfree-rows.ndjson#lemma-1-1)":               "is not holds",
		"[11 steps](timerfree-rows.ndjson#lemma-1-99)":           "no row lemma-1-99",
		"[x](timerfree-claims.ndjson#lemma-9)":                   "no claim lemma-9",
		"[x](absent.md)":                                         "leads nowhere",
		"It takes 11 steps.":                                     "11 steps",
		"Every instance holds.":                                  "only a statement",
		strings.Repeat("word ", mostWords):                       "words",
		"| [Lemma 1](timerfree-claims.ndjson#lemma-1) | holds |": "Lemma 1",
	} {
		wrong := strings.Join(p.misquoted(string(text)+"\n"+planted+"\n"), "\n")
		if !strings.Contains(wrong, want) {
			t.Errorf("%q: found %q, without %q", planted, wrong, want)
		}
	}
}

// isWord reports whether a character makes a word.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// misquoted lists the differences between a page and the data.
func (p *Paper) misquoted(page string) (wrong []string) {
	found := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	words := slices.DeleteFunc(strings.Fields(page), func(w string) bool {
		return !strings.ContainsFunc(w, isWord)
	})
	if len(words) > mostWords {
		found("%d words", len(words))
	}
	prose := console.ReplaceAllString(page, "")
	rows := map[string]Line{}
	for _, l := range p.Lines() {
		rows[l.ID] = l
	}
	for _, m := range link.FindAllStringSubmatch(prose, -1) {
		if why := p.broken(rows, m[1], m[2]); why != "" {
			found("%s: %s", m[0], why)
		}
	}
	for _, c := range p.Claims {
		cell := fmt.Sprintf("](%s-claims.ndjson#%s)", p.Name, c.Key())
		n := 0
		for line := range strings.Lines(prose) {
			if strings.HasPrefix(line, "| [") && strings.Contains(line, cell) {
				n++
				if cells := strings.Split(line, " | "); len(cells) < 2 || cells[1] != c.Verdict() {
					found("%s is %q, not as in %q", c.Name, c.Verdict(), line)
				}
			}
		}
		if n != 1 {
			found("%s has %d rows in the table", c.Name, n)
		}
	}
	bare := link.ReplaceAllString(prose, "")
	for line := range strings.Lines(bare) {
		if !strings.HasPrefix(line, "| ") && figure.MatchString(line) || strings.HasPrefix(line, "| ") &&
			figure.MatchString(unquoted(line)) {
			found("a figure without a row: %s", line)
		}
	}
	plain := strings.NewReplacer("each explored to the end", "", "n the tables:", "").Replace(
		strings.Join(strings.Fields(bare), " "))
	return append(wrong, overstated(plain)...)
}

// unquoted is a line of the table of claims without the verdict, which has numbers of instances.
func unquoted(line string) string {
	cells := strings.Split(line, " | ")
	if len(cells) > 2 {
		return strings.Join(cells[2:], " | ")
	}
	return line
}

// broken says why a link of the page is wrong; "": it is not.
func (p *Paper) broken(rows map[string]Line, text, to string) string {
	if strings.Contains(to, "://") {
		return ""
	}
	file, id, _ := strings.Cut(to, "#")
	if _, err := os.Stat(filepath.Join(filepath.Dir(p.path("")), file)); err != nil {
		return "it leads nowhere"
	}
	switch {
	case id == "":
		return ""
	case file == p.Name+"-claims.ndjson":
		if !slices.ContainsFunc(p.Claims, func(c *Claim) bool { return c.Key() == id }) {
			return "there is no claim " + id
		}
		return ""
	case file != p.Name+"-rows.ndjson":
		return "it names no row of the paper"
	}
	l, ok := rows[id]
	if !ok {
		return "there is no row " + id
	}
	quotable := []string{l.Verdict, plural(l.States, "state"), printable.Plural(l.Length, "step")}
	if n, ok := strings.CutSuffix(text, " instances"); ok && strings.HasPrefix(l.Explored, n+" instances") {
		quotable = append(quotable, text)
	}
	if !slices.Contains(quotable, text) {
		return fmt.Sprintf("the row is not %s, but one of %q", text, quotable)
	}
	return ""
}
