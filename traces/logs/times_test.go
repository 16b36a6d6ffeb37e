package logs

import (
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

func TestTimesAreRead(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want int64
		zone formats.Zone
	}{
		{`1700000000123456789`, 1700000000123456789, 0},
		{`"1700000000123456789"`, 1700000000123456789, 0},
		{`-5`, -5, 0},
		{`1700000000.1234567`, 1700000000123456700, 0},
		{`1700000000.12345678901`, 1700000000123456789, 0},
		{`"1700000000.5"`, 1700000000500000000, 0},
		{`-0.25`, -250000000, 0},
		{`-1.25`, -1250000000, 0},
		{`1.7e9`, 1700000000000000000, 0},
		{`17e8`, 1700000000000000000, 0},
		{`"2026-05-01T10:00:00.123Z"`, 1777629600123000000, formats.Zoned},
		{`"2026-05-01T12:00:00.123+02:00"`, 1777629600123000000, formats.Zoned},
		{`"2026-05-01T12:00:00.123+0200"`, 1777629600123000000, formats.Zoned},
		{`"2026-05-01 12:00:00,123 +0200"`, 1777629600123000000, formats.Zoned},
		{`"2026-05-01 10:00:00,123"`, 1777629600123000000, formats.Unzoned},
		{`"2026-05-01T10:00:00.123"`, 1777629600123000000, formats.Unzoned},
	} {
		var got int64
		if zone, err := formats.Moment([]byte(c.raw), &got); err != nil || got != c.want || zone != c.zone {
			t.Errorf("%s is %d, zone %d, %v; want %d, zone %d", c.raw, got, zone, err, c.want, c.zone)
		}
	}
	for _, raw := range []string{
		`""`, `"noon"`, `true`, `{}`, `1e300`, `"NaN"`, `"Inf"`, `"0x1p3"`, `"0x1.8p3"`,
		`9223372036854775808`, `10000000000.0`, `"."`, `"1."x`,
		`"2026-13-01T10:00:00Z"`, `"2026-05-01"`, `"1500-05-01T10:00:00Z"`, `"1.5.5"`, `"1.+5"`, `[1]`, `"e"`,
	} {
		var got int64
		if _, err := formats.Moment([]byte(raw), &got); err == nil {
			t.Errorf("%s is taken for the time %d", raw, got)
		}
	}
}

// TestTimesWithAndWithoutZoneAreNotCompared refuses to compare times with and without a zone, but only if
// they are compared.
func TestTimesWithAndWithoutZoneAreNotCompared(t *testing.T) {
	text := "2026-05-01T10:00:00Z a acquire\n2026-05-01T10:00:01 b acquire\n"
	skew := time.Duration(0)
	for _, opt := range []formats.Options{{}, {Lines: true}, {Skew: &skew}} {
		err := order.NewCollector(opt).Read("x.log", strings.NewReader(text), false)
		if (err != nil) != (opt.Skew != nil) || err != nil && !strings.Contains(err.Error(), "x.log:2: ") {
			t.Errorf("%+v: %v", opt, err)
		}
	}
}

// TestOrderOfLinesOutranksTimes takes the order of lines for that of the events, although the times are
// equal or run back.
func TestOrderOfLinesOutranksTimes(t *testing.T) {
	for _, c := range []struct {
		text  string
		count int
		want  int // possibly
	}{
		{"5 a acquire\n5 a release\n5 b acquire\n5 b release\n", 0, 1},
		{"5 a acquire\n5 b acquire\n5 a release\n5 b release\n", 1, 2},
		{"9 a acquire\n8 a release\n7 b acquire\n6 b release\n", 0, 1},
	} {
		rd := order.NewCollector(formats.Options{Lines: true})
		if err := rd.Read("x.log", strings.NewReader(c.text), false); err != nil {
			t.Fatal(err)
		}
		l := rd.Log()
		o := occupancy.OccupanciesOf(l, func(string) int { return 1 }, occupancy.Reading{})[0]
		if o.Count != c.count || o.Possibly != c.want ||
			o.Handovers != nil {
			t.Errorf("%q: %+v", c.text, o)
		}
		if by := l.Order(); len(by) != 1 || by[0] != "the lines of the file" {
			t.Errorf("ordered by %v", by)
		}
	}
}
