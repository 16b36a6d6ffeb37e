package formats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
)

// A Kind is a kind of finding about a log.
type Kind string

// The kinds of findings. No run can have a contradiction; the others may come from a missing line.
const (
	Cycle       Kind = "cycle"        // contradiction: an event happens before itself
	Backwards   Kind = "backwards"    // contradiction: a clock or a count of a node does not advance
	DuplicateID Kind = "duplicate-id" // contradiction: two messages with one id, or one received twice
	SameName    Kind = "same-name"    // contradiction: two nodes log under one name
	// contradiction: the Lamport clock of a receipt is not above the one of its send
	LamportLess Kind = "lamport"
	Unsent      Kind = "unsent"       // a receipt without a send, though the sender logs sends
	Torn        Kind = "torn"         // the last line of a file is cut off
	Unreadable  Kind = "unreadable"   // a line that cannot be read, not at the end of a file
	Empty       Kind = "empty"        // a file without an event
	Tail        Kind = "tail"         // a node's log ends before an event that another node knows
	Gap         Kind = "gap"          // missing counts: lines are missing
	Restart     Kind = "restart"      // a node has started again
	Nested      Kind = "nested"       // a holder acquires again, and no line is missing
	Twice       Kind = "enters-twice" // a holder acquires again, and lines may be missing
	NotInside   Kind = "not-inside"   // a node releases without holding
	NotHeld     Kind = "not-held"     // a node without holding fails to release
	Outlasts    Kind = "outlasts"     // a node releases after its lease has ended
	TimeBack    Kind = "time-back"    // time stamps of a node go backwards; they do not order events then

	// Breaches of a contract. They have the prefix Possibly if a missing line or another order explains them.
	NotHolder     Kind = "not-holder"     // a release, renewal or use succeeds for a node that does not hold
	GrantedAgain  Kind = "granted-again"  // the unit is granted to its holder
	AfterLease    Kind = "after-lease"    // a release, renewal or use after the end of the lease
	FreeRefused   Kind = "free-refused"   // a request is refused while enough units are free
	AnsweredTwice Kind = "answered-twice" // a request has two answers
)

// A Finding is an anomaly of a log.
type Finding struct {
	Kind   Kind    `json:"kind"`
	Text   string  `json:"text"`
	Places []Place `json:"places"`
	More   int     `json:"more,omitempty"` // number of further findings of the kind, which are not listed
}

// Contradiction reports whether no run can have such a log.
func (f *Finding) Contradiction() bool {
	return slices.Contains([]Kind{Cycle, Backwards, DuplicateID, SameName, LamportLess}, f.Kind)
}

// Possibly is the prefix of kinds of breaches that are not certain.
const Possibly = "possibly-"

// Breach reports whether a finding is a breach of a contract.
func (f *Finding) Breach() bool {
	return slices.Contains([]Kind{NotHolder, GrantedAgain, AfterLease, FreeRefused, AnsweredTwice}, f.Kind)
}

// Missing reports whether the finding indicates missing lines.
func (f *Finding) Missing() bool {
	return slices.Contains([]Kind{Unsent, Torn, Unreadable, Empty, Tail, Gap, Twice, NotInside}, f.Kind)
}

// maxFindings is the number of findings listed per kind.
const maxFindings = 10

// Findings is a list of findings, at most maxFindings of a kind.
type Findings []Finding

// Add adds a finding, or counts it if enough of its kind are listed.
func (fs *Findings) Add(kind Kind, places []Place, format string, a ...any) {
	last, count := -1, 0
	for i := range *fs {
		if (*fs)[i].Kind == kind {
			last = i
			count++
		}
	}
	if count >= maxFindings {
		(*fs)[last].More++
		return
	}
	*fs = append(*fs, Finding{Kind: kind, Text: fmt.Sprintf(format, a...), Places: places})
}

// ByLines sorts findings by the last of their lines.
func (fs Findings) ByLines(files []string) {
	at := func(f *Finding) (file, line int) {
		p := f.Places[len(f.Places)-1]
		if p.Line == 0 {
			p.Line = math.MaxInt
		}
		return slices.Index(files, p.File), p.Line
	}
	slices.SortStableFunc(fs, func(a, b Finding) int {
		file, line := at(&a)
		otherFile, otherLine := at(&b)
		return cmp.Or(file-otherFile, cmp.Compare(line, otherLine))
	})
}

// Sort puts contradictions first and keeps the order otherwise.
func (fs Findings) Sort() {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		rank := map[bool]int{true: 0, false: 1}
		return cmp.Compare(rank[a.Contradiction()], rank[b.Contradiction()])
	})
}

// An InputError reports why a log cannot be used, and where.
type InputError struct {
	Place
	Why usage.Text
}

func (e *InputError) Error() string { return e.String() + ": " + e.Why.String() }

// With returns the message with options spelled as the reader gives them: as flags, or as parameters.
func (e *InputError) With(given func(usage.Option) string) string {
	return e.String() + ": " + e.Why.With(given)
}

func unusable(file, format string, a ...any) error {
	return &InputError{Place{File: file}, usage.Textf(format, a...)}
}

// A Place is a line of a file, or a whole file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0: the file as a whole
}

func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// clip shortens a quotation in an error to 60 bytes.
func clip(raw []byte) string {
	const room = 60
	s := strings.ToValidUTF8(string(raw[:min(len(raw), room)]), "?")
	if len(raw) > room {
		s += "..."
	}
	return s
}
