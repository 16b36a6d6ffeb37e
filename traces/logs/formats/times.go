package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// times describes the allowed times in errors.
const times = "times such as 2006-01-02T15:04:05.999Z, of the years 1700 to 2200, whole nanoseconds and " +
	"seconds with a decimal point"

// The usual forms of times, with and without a zone. time.Parse accepts fractions of a second after a point
// or a comma in all of them.
var (
	withZone = []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05 -0700",
		"2006-01-02T15:04:05 Z07:00", "2006-01-02T15:04:05 -07", "2006-01-02T15:04:05 -07:00",
		"2006-01-02T15:04:05 UTC", "2006-01-02T15:04:05 GMT"}
	withoutZone = []string{"2006-01-02T15:04:05"}
)

// Moment reads a time in JSON.
func Moment(raw []byte, to *int64) (Zone, error) {
	if len(raw) > 1 && raw[0] == '"' {
		return textMoment(string(raw[1:len(raw)-1]), to)
	}
	return 0, number(string(raw), to)
}

// textMoment reads a time from a text without quotes.
func textMoment(s string, to *int64) (Zone, error) {
	if len(s) < 11 || s[4] != '-' {
		return 0, number(s, to)
	}
	if s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	layouts, zone := withoutZone, Unzoned     // time.Parse takes most of the time of reading a log
	if strings.ContainsAny(s[10:], "ZUG+-") { // the first letters of zones
		layouts, zone = withZone, Zoned
	}
	for _, layout := range layouts {
		t, err := parseTime(layout, s)
		if err != nil {
			continue
		}
		*to = t.UnixNano()
		return zone, checkYear(t)
	}
	return 0, errors.New("not a time")
}

// checkYear returns an error if a time does not fit into nanoseconds since 1970.
func checkYear(t time.Time) error {
	if t.Year() < 1700 || t.Year() > 2200 {
		return fmt.Errorf("the year %d does not fit into nanoseconds since 1970", t.Year())
	}
	return nil
}

// parseTime reads a time. All times within a leap second, such as 23:59:60.5, become the last nanosecond of
// the second before, as stamps have no values for it: they are not ordered among themselves, and all are
// before the next second.
func parseTime(layout, s string) (time.Time, error) {
	t, err := time.Parse(layout, s)
	at := strings.LastIndex(s, ":60")
	if err == nil || at < 0 || strings.HasPrefix(s[at+3:], ":") {
		return t, err
	}
	leap, bad := time.Parse(layout, s[:at]+":59"+s[at+3:])
	const quarter = 15 // minutes: offsets of zones are multiples of it
	if bad != nil || leap.Second() != 59 || leap.Minute()%quarter != quarter-1 {
		return t, err
	}
	return leap.Truncate(time.Second).Add(time.Second - 1), nil
}

// maxSeconds is a number of seconds that still fits into 63 bits of nanoseconds.
const maxSeconds = 9_000_000_000

// number reads whole nanoseconds since 1970, or seconds with a point or an exponent.
func number(s string, to *int64) (err error) {
	if !strings.ContainsAny(s, ".eE") {
		if *to, err = strconv.ParseInt(s, 10, 64); *to > maxSeconds*1e9 || *to < -maxSeconds*1e9 {
			return errors.New("too many nanoseconds")
		}
		return err
	}
	whole, fraction, _ := strings.Cut(s, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	nanos, bad := strconv.ParseUint((fraction + "000000000")[:9], 10, 64)
	plain := err == nil && bad == nil && strings.Trim(fraction, "0123456789") == ""
	if !plain { // an exponent
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || !(math.Abs(f) < maxSeconds) || strings.ContainsAny(s, "xX") {
			return errors.New("not a time in seconds")
		}
		*to = int64(math.Round(f * 1e9))
		return nil
	}
	if seconds > maxSeconds || seconds < -maxSeconds {
		return errors.New("too many seconds")
	}
	if *to = seconds*1e9 + int64(nanos); whole[0] == '-' {
		*to = seconds*1e9 - int64(nanos)
	}
	return nil
}

// A timeForm is the form of times that a mapping gives: a unit for whole numbers, or a layout.
type timeForm struct {
	unit   int64 // nanoseconds; 0: see layout
	layout string
}

var timeUnits = map[string]time.Duration{"ns": time.Nanosecond, "us": time.Microsecond,
	"ms": time.Millisecond, "s": time.Second}

func newTimeForm(text string) (*timeForm, error) {
	if unit, ok := timeUnits[text]; ok {
		return &timeForm{unit: int64(unit)}, nil
	}
	if !strings.ContainsAny(text, "0123456789") {
		return nil, fmt.Errorf("time is %q; allowed are ns, us, ms, s for numbers since 1970, and the time "+
			"2006-01-02 15:04:05.000 -0700 in another form, such as 02/Jan/2006:15:04:05 -0700", text)
	}
	return &timeForm{layout: text}, nil
}

// moment reads a time in JSON; the form nil stands for the usual forms.
func (f *timeForm) moment(raw []byte, to *int64) (Zone, error) {
	if f == nil {
		return Moment(raw, to)
	}
	text := strings.Trim(string(raw), `"`)
	if f.layout == "" {
		x, err := strconv.ParseInt(text, 10, 64)
		if err != nil || x > maxSeconds*1e9/f.unit || x < -maxSeconds*1e9/f.unit {
			return 0, errors.New("not a whole number")
		}
		*to = x * f.unit
		return 0, nil
	}
	t, err := parseTime(f.layout, text)
	if *to = t.UnixNano(); err == nil && t.Year() != 0 { // 0: the layout has no year
		err = checkYear(t)
	}
	if strings.Contains(f.layout, "-07") || strings.Contains(f.layout, "Z07") ||
		strings.HasSuffix(f.layout, "Z") {
		return Zoned, err
	}
	return Unzoned, err
}

// timeForms has the forms of times and durations that a mapping gives.
type timeForms struct {
	timeForm        *timeForm // nil: the usual forms
	lease, duration int64     // units of whole numbers, in nanoseconds; 0: whole numbers are refused
}

// durations describes the allowed durations in errors.
const durations = "durations such as 1.5s or 20 ms, and seconds with a decimal point"

// unit returns the unit of whole numbers in a duration field, in nanoseconds, and the key of the mapping that
// sets it; 0: not set. Leases have their own unit, because the program that sets the length of a lease is
// usually not the one that writes the log.
func (w *timeForms) unit(name string) (unit int64, key string) {
	switch {
	case name == "lease_lasts":
		return w.lease, "lease_unit"
	case w.duration == 0 && w.timeForm != nil:
		return w.timeForm.unit, "duration_unit"
	}
	return w.duration, "duration_unit"
}

// readDuration reads a duration, in nanoseconds.
func (w *timeForms) readDuration(name string, raw json.RawMessage, to *int64) error {
	value := ""
	if err := Text(name, raw, &value); err != nil || value == "" {
		return err
	}
	wrong := func(why string) error { return fmt.Errorf("field %q is %s%s", name, clip([]byte(value)), why) }
	d, err := time.ParseDuration(strings.ReplaceAll(value, " ", ""))
	if *to = int64(d); err != nil {
		err = number(value, to)
		if strings.Trim(value, "0123456789") == "" {
			unit, key := w.unit(name)
			switch {
			case unit == 0:
				return wrong(" without a unit; allowed are " + durations +
					", and whole numbers if the mapping has " + key + ": ns, us, ms or s")
			case err != nil || *to > math.MaxInt64/2/unit:
				return wrong("; that is too long")
			}
			*to *= unit
		}
	}
	if err != nil || *to < 0 || *to > math.MaxInt64/2 {
		return wrong("; allowed are " + durations)
	}
	return nil
}
