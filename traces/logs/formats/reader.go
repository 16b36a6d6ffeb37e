package formats

import "github.com/atmostk/atmostk/model/usage"

// A Reader makes events of the files of one run.
type Reader struct {
	Opt     Options
	mapping *Mapping
	Found   Findings
	Files   []string
	Formats []string

	Header0  Header
	headerAt Place

	Hints  map[string]string // fields that may name resources, with their first value; "": there are several
	Count  int               // of events that were taken
	zones  Zone              // of all times that count
	zoneAt Place             // of the first of them
	parser *lineParser       // of what is not parsed ahead

	Endless bool // events are not kept, and may be as many as come
	Ignored int
	Skipped int      // lines that are left out
	Spoilt  []spoilt // of each file; fewer if the last ones have none
	PerFile []int    // the number of events of each file
	// Event takes the events. merge is that of the sources that are opened, and buffer the bytes of each that
	// are read at once.
	Event  func(*Source, *Entry) error
	Merge  func(*Source, *Entry) error
	Buffer int
	// formatOf finds out the format of a log, and readAs reads one in a format.
	formatOf func(*Source) string
	readAs   func(*Source, string) error
	// Ahead: the lines of the file that is opened are parsed ahead; oneByOne: there are so many that none
	// are.
	Ahead, oneByOne bool
}

func newReader(opt Options) *Reader {
	rd := &Reader{Opt: opt, mapping: opt.Mapping, Buffer: MaxBuffer, Hints: map[string]string{}}
	if rd.mapping == nil {
		rd.mapping = &Mapping{}
	}
	rd.mapping = withResource(rd.mapping, opt.Resource)
	rd.parser = rd.newParser()
	return rd
}

// MaxBuffer is how many bytes of a file are read at once, allBuffers of all files together, and
// minBuffer what the recognition of formats needs. Of up to maxAhead files that are read side by
// side, lines are parsed ahead.
const (
	MaxBuffer  = 1 << 16
	allBuffers = 1 << 22
	minBuffer  = 1 << 12
	maxAhead   = 8
)

// The options that say how to read a log.
const (
	fromOption    = usage.Option("from")
	mappingOption = usage.Option("mapping")
)

// Share takes it that several files are read side by side.
func (rd *Reader) Share(files int) {
	rd.oneByOne = files > maxAhead
	rd.Buffer = min(MaxBuffer, max(minBuffer, allBuffers/files))
}
