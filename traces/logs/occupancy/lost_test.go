package occupancy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/occupancy"
	"github.com/atmostk/atmostk/traces/logs/order"
)

// judgedAs reads a log and judges it.
func judgedAs(t *testing.T, opt formats.Options, k int, reading occupancy.Reading, text string) (
	*order.Log, *occupancy.Occupancy) {
	t.Helper()
	how := occupancy.Judging{Reading: reading, Units: func(formats.Header) (func(string) int, error) {
		return func(string) int { return k }, nil
	}}
	l, uses, err := occupancy.Judge(write(t, text), opt, how)
	if err != nil {
		t.Fatal(err)
	}
	return l, uses[0]
}

// has reports whether there is a finding of a kind.
func has(l *order.Log, kind formats.Kind) bool {
	return slices.ContainsFunc(l.Findings, func(f formats.Finding) bool { return f.Kind == kind })
}

// TestGapInVectorClockIsMissingLine: it may be a release, or an acquisition.
func TestGapInVectorClockIsMissingLine(t *testing.T) {
	release := `a {"a":1}
acquire
b {"b":1}
acquire
b {"b":2}
send
a {"a":3,"b":2}
work
b {"b":3,"a":1}
release
`
	acquisition := `{"node":"a","event":"acquire","clock":{"a":1}}
{"node":"b","event":"work","clock":{"b":1}}
{"node":"b","event":"work","clock":{"b":3}}
{"node":"a","event":"release","clock":{"a":2}}
`
	beginning := `{"node":"a","event":"acquire","clock":{"a":1}}
{"node":"b","event":"work","clock":{"b":2}}
{"node":"a","event":"release","clock":{"a":2}}
`
	for _, text := range []string{release, acquisition, beginning} {
		l, u := judgedAs(t, formats.Options{}, 1, occupancy.Reading{}, text)
		if u.Count != 0 || u.Possible == nil || u.Avoidable || !has(l, formats.Gap) {
			t.Errorf("%+v %+v\n%s", u, l.Findings, text)
		}
	}
	// What the mapping leaves out is not missing.
	m := &formats.Mapping{Ignore: []string{"work"}}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	l, u := judgedAs(t, formats.Options{Mapping: m}, 1, occupancy.Reading{}, strings.ReplaceAll(acquisition,
		`"b":3`, `"b":2`))
	if u.Possible != nil || len(l.Findings) != 0 {
		t.Errorf("%+v %+v", u, l.Findings)
	}
}

// TestLostAcquisitionTakesMost: a release may give back as much as any line acquires.
func TestLostAcquisitionTakesMost(t *testing.T) {
	skew := time.Duration(0)
	for _, text := range []string{
		"1 b acquire 2\n2 a release\n3 b release\n",
		"1 b acquire\n2 a release\n3 b release\n4 b acquire 2\n5 b release\n", // a later line says so
	} {
		_, u := judgedAs(t, formats.Options{Skew: &skew}, 2, occupancy.Reading{}, text)
		if u.Possibly < 3 || u.Count != 0 {
			t.Errorf("%+v\n%s", u, text)
		}
	}
	shared := `{"node":"b","event":"acquire","shared":true,"time":1}
{"node":"a","event":"release","time":2}
{"node":"b","event":"release","shared":true,"time":3}
`
	_, u := judgedAs(t, formats.Options{Skew: &skew}, occupancy.AnyNumber, occupancy.Reading{}, shared)
	if u.Possible == nil {
		t.Errorf("a writer and a reader: %+v", u)
	}
}

// TestLostAcquisitionsOfOneNodeAddUp: if its acquisitions add up, a release gives back those of one line, and
// any of the lines may be a writer's, or take more units than a gap usually does.
func TestLostAcquisitionsOfOneNodeAddUp(t *testing.T) {
	skew := time.Duration(0)
	for text, k := range map[string]int{
		`{"node":"a","event":"work","seq":3,"time":1}
{"node":"a","event":"release","seq":4,"time":2}
{"node":"b","event":"acquire","seq":1,"time":3}
{"node":"a","event":"acquire","seq":5,"time":4}
`: 2,
		`{"node":"a","event":"acquire","seq":1,"time":1}
{"node":"a","event":"release","seq":2,"time":2}
{"node":"a","event":"work","seq":4,"time":3}
{"node":"b","event":"acquire-read","seq":1,"time":4}
{"node":"b","event":"release-read","seq":2,"time":5}
`: 1,
		`{"node":"a","event":"acquire","units":5000,"seq":1,"time":1}
{"node":"a","event":"release","seq":2,"time":2}
{"node":"a","event":"work","seq":4,"time":3}
{"node":"b","event":"acquire","seq":1,"time":4}
`: 5000,
	} {
		_, u := judgedAs(t, formats.Options{Skew: &skew}, k, occupancy.Reading{Nested: true}, text)
		if u.Possible == nil || u.Count != 0 {
			t.Errorf("k=%d: %+v\n%s", k, u, text)
		}
	}
}

// TestLeaseEndsWhatNoReleaseEnds: a crash, a gap or a release that may not have happened is no release.
func TestLeaseEndsWhatNoReleaseEnds(t *testing.T) {
	skew := time.Duration(0)
	for last, possibly := range map[string]int{
		`"event":"crash","seq":2`:                1,
		`"event":"work","seq":3`:                 2, // a missing line may be the release
		`"event":"work","seq":2,"more":"work"`:   2,
		`"event":"release","maybe":true,"seq":2`: 2,
		`"event":"acquire","maybe":true,"seq":2`: 3,
	} {
		text := `{"node":"c","event":"acquire","time":1,"lease_lasts":"1ns","seq":1}
{"node":"a","event":"acquire","time":3,"seq":1}
{"node":"a","event":"release","time":7,"seq":2}
{"node":"c","time":5,` + last + "}\n"
		if strings.Contains(last, "more") {
			text += `{"node":"c","event":"work","time":8,"seq":4}`
		} else if strings.Contains(last, "acquire") {
			text += `{"node":"c","event":"release","time":8,"seq":3}`
		}
		_, u := judgedAs(t, formats.Options{Skew: &skew}, 1, occupancy.Reading{}, text)
		if u.Count != 0 || u.Possibly != possibly {
			t.Errorf("%s: %+v", last, u)
		}
	}
}

// TestLeaseThatMayBeOver: a node that acquires again may have lost the first units with their lease, or hold
// both. If it is over for certain, or not, at a smaller skew, it cannot be certain at a greater one.
func TestLeaseThatMayBeOver(t *testing.T) {
	text := `{"node":"a","event":"acquire","seq":1,"time":1000,"lease_lasts":"5ns"}
{"node":"a","event":"acquire","seq":2,"time":1010}
{"node":"a","event":"release","seq":3,"time":1011}
{"node":"a","event":"release","seq":4,"time":1012}
`
	for _, skew := range []time.Duration{2, 5, 20} {
		_, u := judgedAs(t, formats.Options{Skew: &skew}, 1, occupancy.Reading{}, text)
		if u.Count != 0 || (u.Possible == nil) != (skew == 2) {
			t.Errorf("skew %d: %+v", skew, u)
		}
	}
}

// TestUnreleasedRestsOnNoLoss: a node that never releases may have lost the line, if nothing counts.
func TestUnreleasedRestsOnNoLoss(t *testing.T) {
	skew := time.Duration(0)
	for text, unlost := range map[string]string{
		"1 a acquire\n2 b acquire\n3 a request\n4 b release\n": "a",
		"1 a acquire\n2 b acquire\n3 a release\n4 b release\n": "",
		`{"node":"a","event":"acquire","time":1,"seq":1}
{"node":"b","event":"acquire","time":2,"seq":1}
{"node":"a","event":"work","time":3,"seq":2}
{"node":"b","event":"release","time":4,"seq":2}
`: "",
	} {
		_, u := judgedAs(t, formats.Options{Skew: &skew}, 1, occupancy.Reading{}, text)
		if u.Count != 1 || strings.Join(u.Definite[0].Unlost, " ") != unlost {
			t.Errorf("%+v\n%s", u, text)
		}
	}
}

// TestDurationsHaveUnits: a number alone is no length of a lease or stay; the mapping may say of what it is.
func TestDurationsHaveUnits(t *testing.T) {
	lease := `{"node":"a","event":"acquire","time":1000000000,"lease_lasts":5000}` + "\n"
	stay := `{"node":"a","event":"stay","time":1000000000,"duration":5000}` + "\n"
	for _, c := range []struct {
		text string
		m    formats.Mapping
		want string
	}{
		{lease, formats.Mapping{},
			`"lease_lasts" is 5000 without a unit; allowed are durations such as 1.5s`},
		{lease, formats.Mapping{Time: "ms"}, "lease_unit: ns, us, ms or s"},
		{lease, formats.Mapping{LeaseUnit: "ms"}, ""},
		{lease, formats.Mapping{LeaseUnit: "hours"}, `lease_unit is "hours"; allowed are ns, us, ms, s`},
		{strings.ReplaceAll(lease, "5000", `"5s"`), formats.Mapping{}, ""},
		{stay, formats.Mapping{}, "duration_unit: ns, us, ms or s"},
		{stay, formats.Mapping{DurationUnit: "us"}, ""},
	} {
		err := c.m.Prepare()
		if err == nil {
			_, err = order.Read(write(t, c.text), formats.Options{Mapping: &c.m})
		}
		if got := err == nil; got != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%+v: %v", c.text, c.m, err)
		}
	}
}

// TestShortLeasesAcceptNothing: leases that are over long before each release seem to be in another unit.
func TestShortLeasesAcceptNothing(t *testing.T) {
	skew := time.Duration(0)
	log := func(lasts string) string {
		return `{"node":"a","event":"acquire","time":1000,"lease_lasts":"` + lasts + `"}
{"node":"b","event":"acquire","time":1500,"lease_lasts":"` + lasts + `"}
{"node":"b","event":"release","time":2500}
{"node":"a","event":"release","time":3000}
`
	}
	for lasts, short := range map[string]int{"5ns": 2, "400ns": 0} {
		l, u := judgedAs(t, formats.Options{Skew: &skew}, 1, occupancy.Reading{Leases: true}, log(lasts))
		if u.Count != 0 || u.ShortLeases != short || !has(l, formats.Outlasts) {
			t.Errorf("%s: %+v", lasts, u)
		}
		_, u = judgedAs(t, formats.Options{Skew: &skew}, 1, occupancy.Reading{}, log(lasts))
		if u.ShortLeases != 0 || u.Count != 1 {
			t.Errorf("%s, without leases: %+v", lasts, u)
		}
	}
}

// TestFailedReleaseIsReported: by a node that does not hold, or does no more as its lease is over.
func TestFailedReleaseIsReported(t *testing.T) {
	skew := time.Duration(0)
	for text, kind := range map[string]formats.Kind{
		`{"node":"a","event":"acquire","time":1}
{"node":"a","event":"release","time":2}
{"node":"a","event":"release-failed","time":3}
`: formats.NotHeld,
		`{"node":"a","event":"acquire","time":1,"lease_lasts":"2ns"}
{"node":"a","event":"release-failed","time":9}
{"node":"b","event":"acquire","time":20}
{"node":"b","event":"release","time":21}
`: formats.Outlasts,
		`{"node":"a","event":"acquire","time":1,"lease_lasts":"2ns"}
{"node":"a","event":"acquire","time":9,"lease_lasts":"2ns"}
{"node":"a","event":"release-failed","time":10}
{"node":"a","event":"release","time":11}
`: formats.Outlasts,
	} {
		l, u := judgedAs(t, formats.Options{Skew: &skew}, 1, occupancy.Reading{}, text)
		if !has(l, kind) || u.Possibly != 1 {
			t.Errorf("no %s: %+v %+v\n%s", kind, l.Findings, u, text)
		}
	}
}

// TestStatementThatWaitsIsNoAcquisition: it is logged when it begins.
func TestStatementThatWaitsIsNoAcquisition(t *testing.T) {
	log := func(more string) string {
		line := "2026-11-22 10:29:56.60%d UTC [%n] postgres@postgres LOG:  statement: "
		text := ""
		for i, s := range strings.Split("1 lock,2 lock,1 update,"+more, ",") {
			node, what, _ := strings.Cut(s, " ")
			what = map[string]string{"lock": "select pg_advisory_lock(42);",
				"unlock": "select pg_advisory_unlock(42);", "update": "update accounts set x = 1;"}[what]
			text += strings.NewReplacer("%d", string(rune('0'+i)), "%n", node).Replace(line) + what + "\n"
		}
		return text
	}
	m := &formats.Mapping{Preset: "postgresql",
		Events: map[string]string{"/pg_advisory_lock/": "acquire", "/pg_advisory_unlock/": "release"}}
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []occupancy.Ending{occupancy.Auto, occupancy.Held} {
		for more, definite := range map[string]int{
			"1 unlock,2 update,2 unlock": 0, // right
			"2 update,1 unlock,2 unlock": 1, // two inside
			"1 update":                   0, // 2 may still wait
		} {
			opt := formats.Options{Mapping: m, Lines: true}
			l, u := judgedAs(t, opt, 1, occupancy.Reading{Ending: ending}, log(more))
			if u.Count != definite || u.Possible == nil && definite == 0 || l.Waits != 2 {
				t.Errorf("%s: %+v", more, u)
			}
		}
	}
}

// TestLeapSecond takes it for the end of the second before, which is before all that is after it.
func TestLeapSecond(t *testing.T) {
	skew := time.Duration(0)
	text := `2016-12-31T23:59:59.5Z a acquire
2016-12-31T23:59:60.1Z a release
2016-12-31T23:59:60.9Z b acquire
2017-01-01T00:00:00.1Z b release
`
	if _, u := judgedAs(t, formats.Options{Skew: &skew}, 1, occupancy.Reading{}, text); u.Count != 0 ||
		u.Holdings != 2 {
		t.Errorf("%+v", u)
	}
	for _, no := range []string{"2016-12-31T23:58:60Z", "2016-12-31T23:60:10Z", "2016-12-31T23:59:61Z"} {
		if _, err := order.Read(write(t, no+" a acquire\n"), formats.Options{Format: "locks"}); err == nil {
			t.Errorf("%s is a time", no)
		}
	}
}

// TestZeroBytesAreALineThatMayHaveBeenAnything: a file system leaves them where it has lost what was written.
func TestZeroBytesAreALineThatMayHaveBeenAnything(t *testing.T) {
	zeros := strings.Repeat("\x00", 5000)
	for _, text := range []string{
		"1 a acquire\n" + zeros + "\n3 a request\n4 b acquire\n5 b release\n",
		"1 a acquire\n" + zeros + "2 a release\n3 a request\n4 b acquire\n5 b release\n",
	} {
		l, u := judgedAs(t, formats.Options{Lines: true}, 1, occupancy.Reading{}, text)
		if u.Count != 0 || u.Possible == nil || !has(l, formats.Unreadable) {
			t.Errorf("%+v %+v", u, l.Findings)
		}
	}
	if _, err := order.Read(write(t, zeros), formats.Options{Format: "locks"}); err == nil {
		t.Error("a file of zero bytes is a log")
	}
}
