package lockcheck

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/validate"
)

// write writes the record as ndjson, with counts of each holder's events, so that no line can be missing.
func (r *Recorder) write(dir string) (file string, err error) {
	file = filepath.Join(dir, "lockcheck.ndjson")
	f, err := os.Create(file)
	if err != nil {
		return "", err
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	names := make([][]byte, len(r.holders))
	for i, h := range r.holders {
		if names[i], err = json.Marshal(h.name); err != nil {
			return "", err
		}
		h.seq = 0
	}
	w := bufio.NewWriterSize(f, 1<<16)
	var line []byte
	for number := range r.last.Load() {
		e := r.place(number)
		r.holders[e.holder].seq++
		line = append(append(line[:0], `{"node":`...), names[e.holder]...)
		line = append(append(line, `,"event":"`...), kindNames[e.kind]...)
		line = strconv.AppendInt(append(line, `","seq":`...), r.holders[e.holder].seq, 10)
		if e.units > 1 || e.kind == release && !r.shared {
			line = strconv.AppendInt(append(line, `,"units":`...), int64(e.units), 10)
		}
		if e.fence != 0 {
			line = strconv.AppendInt(append(line, `,"fence":`...), e.fence, 10)
		}
		if _, err = w.Write(append(line, "}\n"...)); err != nil {
			return "", err
		}
	}
	return file, w.Flush()
}

// reasons describes a verdict: the findings that are no notes, the first overlap with a picture. If units
// overlap, tokens handed out may have been recorded in another order, and are left out.
func (r *Recorder) reasons(report *validate.Report) string {
	var text strings.Builder
	drawn := false
	for _, f := range report.Findings() {
		if f.Severity == validate.Note || drawn && f.Overlap == nil {
			continue
		}
		fmt.Fprintf(&text, "%s %s\n", f.Severity, f.Message.String())
		if f.Overlap != nil && !drawn {
			drawn = true
			r.draw(&text, f.Overlap)
		}
		for _, p := range f.Places {
			fmt.Fprintf(&text, "  line %d: %s\n", p.Line, r.describe(p.Line))
		}
	}
	return strings.TrimRight(text.String(), "\n")
}

// at returns the event of a line, from 1.
func (r *Recorder) at(line int) *event { return r.place(int64(line - 1)) }

// describe names the holder and the event of a line.
func (r *Recorder) describe(line int) string {
	e := r.at(line)
	text := r.holders[e.holder].name + " " + kindNames[e.kind]
	if e.units > 1 {
		text += fmt.Sprintf(" %d", e.units)
	}
	if e.fence != 0 {
		text += fmt.Sprintf(" token %d", e.fence)
	}
	return text
}

// Bounds of a picture: it fits 80 columns, and a screen.
const (
	maxLanes = 6
	maxRows  = 12
	laneWide = 10
)

// draw draws a lane for each holder of an overlap, and a row for each of their events from the first of its
// acquisitions to the last. Lanes and rows that do not fit are left out, the earliest rows first.
func (r *Recorder) draw(text *strings.Builder, o *occupancy.OverlapSet) {
	var lanes []int32
	first, last := o.Holdings[0].Enter.Line, 0
	for _, h := range o.Holdings {
		if lane := r.at(h.Enter.Line).holder; !slices.Contains(lanes, lane) {
			lanes = append(lanes, lane)
		}
		first, last = min(first, h.Enter.Line), max(last, h.Enter.Line)
	}
	more := len(lanes) - maxLanes
	lanes = lanes[:min(len(lanes), maxLanes)]
	head := "      line "
	for _, lane := range lanes {
		head += fmt.Sprintf(" %-*.*s", laneWide, laneWide, r.holders[lane].name)
	}
	if fmt.Fprint(text, strings.TrimRight(head, " ")); more > 0 {
		fmt.Fprintf(text, " and %d more", more)
	}
	rows := r.rows(lanes, first, last)
	if more := len(rows) - maxRows; more > 0 {
		fmt.Fprintf(text, "\n       ... %d earlier", more)
		rows = rows[more:]
	}
	fmt.Fprintf(text, "\n%s  <- %d in use, %d may be\n", strings.Join(rows, "\n"), o.Units, r.k)
}

// rows draws the events of some holders in the lines from first to last.
func (r *Recorder) rows(lanes []int32, first, last int) (rows []string) {
	held := make([]int32, len(lanes))
	for line := 1; line <= last; line++ {
		e := r.at(line)
		lane := slices.Index(lanes, e.holder)
		if lane < 0 {
			continue
		}
		cells := fmt.Sprintf("  %8d ", line)
		for i := range lanes {
			mark := map[bool]string{true: "|", false: "."}[held[i] > 0]
			if i == lane {
				mark = drawnNames[e.kind]
			}
			cells += fmt.Sprintf(" %-*s", laneWide, mark)
		}
		switch e.kind {
		case acquire, read:
			held[lane] += e.units
		case release, readDone:
			held[lane] -= e.units
		}
		if line >= first {
			rows = append(rows, strings.TrimRight(cells, " "))
		}
	}
	return rows
}
