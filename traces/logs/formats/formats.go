package formats

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/atmostk/atmostk/model/usage"
)

// NewReader returns a reader of all formats.
func NewReader(opt Options) *Reader {
	rd := newReader(opt)
	rd.formatOf = func(s *Source) string { return formatOf(rd, s) }
	rd.readAs = func(s *Source, format string) error { return readAs(rd, s, format) }
	return rd
}

// formatOf is the format of a log: that which is named or, if none is, that by its beginning.
func formatOf(rd *Reader, s *Source) string {
	format := cmp.Or(rd.Opt.Format, rd.mapping.Format)
	if format == "" && len(rd.mapping.Lines) > 0 {
		format = "text"
	}
	if format == "" {
		format = Detect(s.start(1 << 12))
	}
	return format
}

// readAs reads one log in a format.
func readAs(rd *Reader, s *Source, format string) error {
	if s.live && !slices.Contains([]string{"ndjson", "locks", "logfmt", "text", "otlp"}, format) {
		return s.At(1).Wrong("logs that are watched are ndjson, locks, logfmt, text or otlp; %s or %s says "+
			"which", fromOption, mappingOption)
	}
	switch format {
	case "ndjson":
		return rd.lines(s, jsonLine)
	case "locks":
		return rd.locks(s)
	case "logfmt":
		return rd.lines(s, logfmtLine)
	case "text":
		if len(rd.mapping.Lines) == 0 {
			return s.Wrong("no regular expression says how to read its lines: line in the mapping, or %s",
				usage.Option("map line"))
		}
		return rd.lines(s, patternLine)
	case "shiviz":
		return rd.shiviz(s)
	case "jepsen":
		return rd.jepsen(s)
	case "trace":
		return rd.trace(s)
	case "otlp":
		return rd.spans(s, decodeOTLP)
	case "jaeger":
		return rd.spans(s, decodeJaeger)
	}
	return s.At(1).Wrong("it is not clear what format this log has; %s names it: %s", fromOption,
		strings.Join(Formats, ", "))
}

// keyed is a line of several key=value.
var keyed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_]\w*=("[^"]*"|[^ "]*)( +[A-Za-z_][\w.]*=("[^"]*"|[^ "]*))+$`)
})

// Detect tells the format by the beginning of a file; "" if it is not clear.
func Detect(start []byte) string {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	line = bytes.TrimSpace(line)
	switch {
	case bytes.HasPrefix(line, []byte(`{"schema":`)) && bytes.Contains(line, []byte(`"property"`)):
		return "trace"
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(start, []byte(`"resourceSpans"`)):
		return "otlp"
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(start, []byte(`"traceID"`)) &&
		bytes.Contains(start, []byte(`"spans"`)):
		return "jaeger"
	case bytes.HasPrefix(line, []byte(`{"`)):
		return "ndjson"
	case bytes.Contains(line, []byte("?<clock>")) || goVector().Match(start) || goVectorLast().Match(start):
		return "shiviz"
	case bytes.Contains(start, []byte(":type")) && bytes.Contains(start, []byte(":process")):
		return "jepsen"
	case looksLikeLock(line):
		return "locks"
	case keyed().Match(line):
		return "logfmt"
	}
	return ""
}
