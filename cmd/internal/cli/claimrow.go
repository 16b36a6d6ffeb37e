//go:build !js

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/experiment"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/printable"
)

// A review is a paper with what was found of its claims, now or before, and with
// its tables.
type review struct {
	program *Program
	paper   *papers.Paper
	claims  []judged
	tabled  []tabled
}

// judged is a claim with its rows.
type judged struct {
	program *Program
	paper   *papers.Paper
	*papers.Claim
	rows []claimRow
}

// A claimRow is a trial with the answers to it.
type claimRow struct {
	*papers.Trial
	number int               // within the claim, from 1
	values map[string]string // all parameters; nil: it is no search
	idle   string            // why no algorithm violates the property in this instance; "": one can
	says   string            // the sentence that an experiment bears out, or not; "" of other rows
	kept   *keptRow          // the finding of before; nil: none
	now    *answer           // that of this run; nil: it was not asked
}

// A keptRow is a finding as it is kept, a line of JSON each.
type keptRow struct {
	Claim    string `json:"claim"`
	Question string `json:"question"` // tells it from others
	papers.Finding
	Trace string `json:"trace,omitempty"` // the file of the counterexample, without its ending
}

// review puts the claims of a paper together with the findings and tables kept.
func (a *app) review(p *papers.Paper, files fs.FS) (*review, error) {
	p.Open()
	found, err := readKept(files, p)
	if err != nil {
		return nil, err
	}
	says, err := a.sentences()
	if err != nil {
		return nil, err
	}
	j := &review{program: &a.Program, paper: p}
	claims := p.Claims
	if p.Implement != nil {
		claims = append(claims[:len(claims):len(claims)], *p.Implement)
	}
	for i := range claims {
		c := judged{program: &a.Program, paper: p, Claim: &claims[i]}
		for t := range c.Trials {
			r := claimRow{Trial: &c.Trials[t], number: t + 1}
			r.says = says[[2]string{r.Experiment, r.Sentence}]
			if r.Searches() {
				var trivial map[string]string
				if r.values, trivial, err = a.values(r.Spec, r.Args); err != nil {
					return nil, fmt.Errorf("%s, row %d: %w", c.Name, r.number, err)
				}
				r.idle = trivial[r.Property]
			}
			if k, ok := found[c.question(&r)]; ok {
				k.Claim = c.Key() // another claim may ask the same
				r.kept = &k
			}
			c.rows = append(c.rows, r)
		}
		j.claims = append(j.claims, c)
	}
	j.tabled, err = a.readTables(files, p)
	return j, err
}

// question tells a row from all others of its paper, wherever it stands in its claim.
func (c *judged) question(r *claimRow) string {
	if r.Compute != nil {
		return c.Key() + ": " + r.Remark
	}
	return question(r.Trial)
}

// readKept reads the findings of a paper; none if there is no file yet.
func readKept(files fs.FS, p *papers.Paper) (map[string]keptRow, error) {
	found := map[string]keptRow{}
	b, err := fs.ReadFile(files, foundFile(p))
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return nil, usage.Errorf("--docs: %v", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var k keptRow
		if err := json.Unmarshal(lines.Bytes(), &k); err != nil {
			return nil, inputError{fmt.Errorf("%s:%d: %w", foundFile(p), n, err)}
		}
		found[k.Question] = k
	}
	return found, lines.Err()
}

func foundFile(p *papers.Paper) string { return p.Name + "-found.ndjson" }

// finding is what is known of a row; nil: nothing.
func (r *claimRow) finding() *papers.Finding {
	switch {
	case r.now != nil:
		return &r.now.Finding
	case r.kept != nil:
		return &r.kept.Finding
	}
	return nil
}

// violated reports whether a row is known to be violated.
func (r *claimRow) violated() bool {
	f := r.finding()
	return f != nil && f.Verdict == string(explore.Violated)
}

// vacuous says why it is no evidence that a row holds; "" if it is some.
func (r *claimRow) vacuous() string {
	if f := r.finding(); f == nil || f.Verdict != string(explore.Holds) {
		return ""
	}
	return r.idle
}

// asKept reports whether this run found what was found before.
func (r *claimRow) asKept() bool { return r.kept != nil && r.kept.Finding == r.now.Finding }

// quickStates is up to how many states a row is part of the quick run.
const quickStates = 5_000

// long reports whether a row is known to take more than that, or measures.
func (r *claimRow) long() bool {
	return r.Experiment != "" || r.kept != nil && r.kept.States > quickStates
}

// trace is the name of the file of a counterexample, without its ending: the question,
// as far as it fits a name.
func (r *claimRow) trace() string {
	safe := strings.NewReplacer(" ", "-", "+", "-", ",", "", "=", "", "/", "-", ":", "-")
	return safe.Replace(r.Spec + " " + r.Args + " " + r.Property)
}

// label is the verdict on a row in a word: why it stands aside, the ruling if it shows
// what that says, or what was found.
func (c *judged) label(r *claimRow) string {
	f := r.finding()
	switch {
	case r.Aside != "":
		return string(r.Aside)
	case f == nil:
		return "not asked"
	case f.Verdict == string(explore.Violated) && c.Ruling != "":
		return string(c.Ruling)
	case f.Verdict == string(explore.Unknown):
		return "undecided"
	}
	return f.Verdict
}

// ruling spells out the ruling of a claim; "" if it has none.
func (c *judged) ruling() string {
	text := string(c.Ruling)
	switch c.Ruling {
	case papers.Stands:
		text += c.bounds()
	case papers.ErroneousUnder:
		text += " " + strings.Join(c.Readings, " or ")
	case papers.Slip, papers.Outside, papers.Quoted:
		text += " (" + c.Because + ")"
	case papers.NotJudged:
		return text + ", because " + c.Because
	}
	if c.Ruling == papers.Quoted || c.Ruling == papers.Simulated {
		text += ": " + c.verdict()
	}
	return text
}

// bounds says in how many instances of which size a claim that stands could have failed and did not; "" if
// none was searched.
func (c *judged) bounds() string {
	instances, n := map[string]bool{}, 0
	for i := range c.rows {
		r := &c.rows[i]
		f := r.finding()
		if r.Searches() && f != nil && f.Verdict == string(explore.Holds) && r.vacuous() == "" {
			instances[r.Spec+" "+r.Args] = true
			size, _ := strconv.Atoi(r.values["n"]) // "" where it has none
			n = max(n, size)
		}
	}
	switch {
	case len(instances) == 0:
		return ""
	case n == 0:
		return ": not violated in " + plural(int64(len(instances)), "instance")
	}
	return fmt.Sprintf(": not violated in %s, n<=%d", plural(int64(len(instances)), "instance"), n)
}

// simulated counts the verdicts on the sentences of a claim that is judged by simulation.
func (c *judged) simulated() string {
	var parts []string
	for _, word := range []string{experiment.Reproduced, experiment.NotReproduced, experiment.Depends,
		experiment.Undecided} {
		n := 0
		for i := range c.rows {
			if f := c.rows[i].finding(); f != nil && f.Verdict == word {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	if parts == nil {
		return "not asked"
	}
	return "of " + plural(int64(len(c.rows)), "sentence") + " " + strings.Join(parts, ", ")
}

// verdict sums up the rows of the claim itself.
func (c *judged) verdict() string {
	if c.Ruling == papers.Simulated {
		return c.simulated()
	}
	v := "not asked"
	for i := range c.rows {
		r := &c.rows[i]
		switch f := r.finding(); {
		case r.Aside != "" || f == nil:
		case f.Verdict == string(explore.Violated) || f.Verdict == string(explore.ModelError):
			return f.Verdict
		case f.Verdict == string(explore.Unknown):
			v = "undecided"
		case v == "not asked":
			v = f.Verdict
		}
	}
	return v
}

// commands are what a user types to get a row, the shortest first.
func (c *judged) commands(r *claimRow) (lines []string) {
	tool := c.program.Name
	again := fmt.Sprintf("%s claims %s --claim %s --row %d", tool, c.paper.Name, c.Key(), r.number)
	switch {
	case r.Searches():
		return []string{tool + " check " + question(r.Trial), again}
	case r.Experiment != "":
		return []string{again, tool + " experiment " + r.Experiment}
	}
	if r.How != "" {
		return []string{again, tool + " " + r.How}
	}
	return []string{again}
}

// text writes a claim and what was found of it now, for a person.
func (c *judged) text(w io.Writer) {
	v := explore.Unknown
	switch c.verdict() {
	case "violated", string(explore.ModelError):
		v = explore.Violated
	case "holds":
		v = explore.Holds
	}
	head := c.ruling()
	if head == "" {
		head = c.verdict()
	}
	printable.Fprintf(w, "\n%s %s\n", bold(c.Name), faint("("+where(c.Claim)+")"))
	for _, line := range wrap(c.Text, 76) {
		printable.Fprintf(w, "  %s\n", line)
	}
	for _, line := range wrap(head, 76) {
		printable.Fprintf(w, "  %s\n", paint(v, line))
	}
	for i := range c.rows {
		r := &c.rows[i]
		if r.now == nil {
			continue
		}
		f := &r.now.Finding
		verdict := paint(explore.Verdict(f.Verdict), fmt.Sprintf("%-8s", f.Verdict))
		printable.Fprintf(w, "%4d  %s %s\n", r.number, verdict, r.asked())
		text := figures(f)
		if why := r.vacuous(); why != "" {
			text = "vacuous: " + why + "; " + text
		}
		for _, line := range wrap(text, 65) {
			printable.Fprintf(w, "               %s\n", line)
		}
		printable.Fprintf(w, "               %s\n", faint(c.commands(r)[0]))
		if r.kept != nil && !r.asKept() {
			was := fmt.Sprintf("kept: %s, %s", r.kept.Verdict, figures(&r.kept.Finding))
			printable.Fprintf(w, "               %s\n", bad(was))
		}
	}
}

// wrap breaks a text into lines of at most so many characters, where words end.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// figures spells out the figures of a finding.
func figures(f *papers.Finding) string {
	var parts []string
	if f.States > 0 {
		parts = append(parts, plural(f.States, "state"))
	}
	if f.Length > 0 {
		parts = append(parts, plural(int64(f.Length), "step"))
	}
	parts = append(parts, extent(f))
	if f.Detail != "" {
		parts = append(parts, f.Detail)
	}
	return strings.Join(parts, ", ")
}

// extent says how much was looked at, and what an assumption took away.
func extent(f *papers.Finding) string {
	text := f.Explored
	if f.Pruned > 0 {
		text += fmt.Sprintf("; %s pruned, %s stuck", plural(f.Pruned, "step"), plural(f.Stuck, "state"))
	}
	return text
}
