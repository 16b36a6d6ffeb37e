package logs

// A reader makes events of the files of one run.
type reader struct {
	opt     Options
	mapping *Mapping
	found   findings
	files   []string
	formats []string

	header0  Header
	headerAt Place

	hints  map[string]string // fields that may name resources, with their first value; "": there are several
	count  int               // of events that were taken
	zones  zone              // of all times that count
	zoneAt Place             // of the first of them
	parser *lineParser       // of what is not parsed ahead

	endless bool // events are not kept, and may be as many as come
	ignored int
	skipped int      // lines that are left out
	spoilt  []spoilt // of each file; fewer if the last ones have none
	perFile []int    // the number of events of each file
	// event takes the events. merge is that of the sources that are opened, and buffer the bytes of each that
	// are read at once.
	event  func(*source, *entry) error
	merge  func(*source, *entry) error
	buffer int
	// ahead: the lines of the file that is opened are parsed ahead; oneByOne: there are so many that none
	// are.
	ahead, oneByOne bool
}

func newReader(opt Options) *reader {
	rd := &reader{opt: opt, mapping: opt.Mapping, buffer: maxBuffer, hints: map[string]string{}}
	if rd.mapping == nil {
		rd.mapping = &Mapping{}
	}
	rd.mapping = withResource(rd.mapping, opt.Resource)
	rd.parser = rd.newParser()
	return rd
}

// maxBuffer is how many bytes of a file are read at once, allBuffers of all files together, and
// minBuffer what the recognition of formats needs. Of up to maxAhead files that are read side by
// side, lines are parsed ahead.
const (
	maxBuffer  = 1 << 16
	allBuffers = 1 << 22
	minBuffer  = 1 << 12
	maxAhead   = 8
)
