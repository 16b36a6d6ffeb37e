package formats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
)

// A Kind is a kind of finding about a log as such.
type Kind string

// The kinds of findings. Contradictions are those that no run can have; of the
// others a missing line may be the cause.
const (
	Cycle       Kind = "cycle"        // contradiction: events that have to happen before themselves
	Backwards   Kind = "backwards"    // contradiction: a clock or a count of a node that does not advance
	DuplicateID Kind = "duplicate-id" // contradiction: two messages with one identity, or one received twice
	SameName    Kind = "same-name"    // contradiction: two nodes that log under one name
	// contradiction: a receipt whose Lamport clock is not above the one of the send
	LamportLess Kind = "lamport"
	Unsent      Kind = "unsent"       // a receipt of what nobody has sent, though its sender logs sends
	Torn        Kind = "torn"         // the last line of a file has no end
	Unreadable  Kind = "unreadable"   // a line in the midst of a file that makes no sense
	Empty       Kind = "empty"        // a file without an event
	Tail        Kind = "tail"         // a node whose log ends before what others know of it
	Gap         Kind = "gap"          // counts that are left out: lines are missing
	Restart     Kind = "restart"      // a node that has started again
	Nested      Kind = "nested"       // a node that is inside enters, and no line is missing
	Twice       Kind = "enters-twice" // a node that is inside enters, and lines may be missing
	NotInside   Kind = "not-inside"   // a node that is not inside leaves
	NotHeld     Kind = "not-held"     // a node that is not inside fails to release
	Outlasts    Kind = "outlasts"     // a node that releases after its lease has ended
	TimeBack    Kind = "time-back"    // time stamps of a node run back, which decides nothing
)

// A Finding is something about a log that its reader should know.
type Finding struct {
	Kind   Kind    `json:"kind"`
	Text   string  `json:"text"`
	Places []Place `json:"places"`
	More   int     `json:"more,omitempty"` // further findings of the kind that are not listed
}

// Contradiction reports whether no run whatsoever can have such a log.
func (f *Finding) Contradiction() bool {
	return slices.Contains([]Kind{Cycle, Backwards, DuplicateID, SameName, LamportLess}, f.Kind)
}

// Missing reports whether it is a sign that lines of the log are missing.
func (f *Finding) Missing() bool {
	return slices.Contains([]Kind{Unsent, Torn, Unreadable, Empty, Tail, Gap, Twice, NotInside}, f.Kind)
}

// maxFindings is how many findings of a kind are listed.
const maxFindings = 10

// Findings collects them.
type Findings []Finding

// Add adds a finding, up to a number for each kind.
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

// ByLines puts findings into the order of the lines that show them.
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

// Sort puts contradictions first, and keeps the order of the log otherwise.
func (fs Findings) Sort() {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		rank := map[bool]int{true: 0, false: 1}
		return cmp.Compare(rank[a.Contradiction()], rank[b.Contradiction()])
	})
}

// An InputError says why a log cannot be used.
type InputError struct {
	Place
	Why usage.Text
}

func (e *InputError) Error() string { return e.String() + ": " + e.Why.String() }

// With returns the message with options as those who read it give them.
func (e *InputError) With(given func(usage.Option) string) string {
	return e.String() + ": " + e.Why.With(given)
}

// unusable returns the error that a file cannot be used.
func unusable(file, format string, a ...any) error {
	return &InputError{Place{File: file}, usage.Textf(format, a...)}
}

// A Place is a line of a file.
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

// clip shortens a quotation in an error.
func clip(raw []byte) string {
	const room = 60
	s := strings.ToValidUTF8(string(raw[:min(len(raw), room)]), "?")
	if len(raw) > room {
		s += "..."
	}
	return s
}
