package timed

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/specs"
)

// upTo returns how long a test runs, or how often: little, in the sweep much.
func upTo(little, much int) int {
	if os.Getenv("ATMOSTK_SWEEP") != "" {
		return much
	}
	return little
}

func staged(t testing.TB, line string) model.Instance {
	t.Helper()
	name, rest, _ := strings.Cut(line, " ")
	i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == name })
	in, _, err := specs.All[i].Stage(strings.Fields(rest))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func dist(t testing.TB, text string) (d distribution) {
	t.Helper()
	if err := d.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return d
}

func estimates(t testing.TB, line string, s Settings, runs int) map[string]Estimate {
	t.Helper()
	samples, err := Measure(context.Background(), staged(t, line), s, 1, runs)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Estimate{}
	for m := range Metrics {
		var values []float64
		for _, x := range samples {
			values = append(values, x[m])
		}
		all[m] = EstimateOf(values)
	}
	return all
}

// TestWaitingIsOfTheQueueMMkn: without a network n processes and k units are the queue M/M/k//n, for which
// there are formulas.
func TestWaitingIsOfTheQueueMMkn(t *testing.T) {
	const n, k, think, use = 10, 3, 10.0, 4.0
	s := Settings{Duration: 6000, Warmup: 200}
	s.Load = Load{First: dist(t, "exponential 10"), Think: dist(t, "exponential 10"),
		Use: dist(t, "exponential 4")}
	got := estimates(t, "raymond n=10 k=3 rounds=inf", s, 10)
	// The probability that j of the n are served or wait.
	p, sum := make([]float64, n+1), 0.0
	p[0] = 1
	for j := range n {
		p[j+1] = p[j] * float64(n-j) / think / (float64(min(j+1, k)) / use)
	}
	for _, x := range p {
		sum += x
	}
	inUse, queue := 0.0, 0.0
	for j, x := range p {
		inUse += x / sum * float64(min(j, k))
		queue += x / sum * float64(max(0, j-k))
	}
	for metric, want := range map[string]float64{
		"in-use": inUse, "queue": queue, "throughput": inUse / use, "obtaining": queue / (inUse / use),
	} {
		if is := got[metric]; math.Abs(is.Mean-want) > 0.05*want+is.Half {
			t.Errorf("%s is %.4f ± %.4f, by the formula %.4f", metric, is.Mean, is.Half, want)
		}
	}
}

// TestWaitingIsOfTheQueueMD1: many processes that request seldom are a Poisson process, and one unit used for
// a constant time is M/D/1.
func TestWaitingIsOfTheQueueMD1(t *testing.T) {
	s := Settings{Duration: float64(upTo(6000, 20_000)), Warmup: 500}
	s.Load = Load{First: dist(t, "exponential 120"), Think: dist(t, "exponential 120"),
		Use: dist(t, "constant 1")}
	got := estimates(t, "raymond n=60 k=1 rounds=inf", s, 4)
	rho := got["throughput"].Mean
	want := rho / (2 * (1 - rho)) // Pollaczek and Khinchine
	if is := got["obtaining"]; math.Abs(is.Mean-want) > 0.08*want+is.Half {
		t.Errorf("the wait is %.4f ± %.4f at a load of %.3f, by the formula %.4f", is.Mean, is.Half, rho,
			want)
	}
}

// TestWaitingIsOfTheQueueMM3: three units used for an exponential time are M/M/3, where many processes
// request seldom.
func TestWaitingIsOfTheQueueMM3(t *testing.T) {
	const k = 3
	s := Settings{Duration: float64(upTo(2000, 4000)), Warmup: 200}
	s.Load = Load{First: dist(t, "exponential 26"), Think: dist(t, "exponential 26"),
		Use: dist(t, "exponential 1")}
	got := estimates(t, "raymond n=50 k=3 rounds=inf", s, 3)
	load := got["throughput"].Mean // Erlangs, as a use takes 1
	sum, term := 0.0, 1.0
	for j := range k {
		sum += term
		term *= load / float64(j+1)
	}
	waits := term / (1 - load/k) / (sum + term/(1-load/k)) // Erlang C: that one has to wait
	want := waits / (k - load)
	if is := got["obtaining"]; math.Abs(is.Mean-want) > 0.1*want+is.Half {
		t.Errorf("the wait is %.4f ± %.4f at a load of %.3f, by the formula %.4f", is.Mean, is.Half, load,
			want)
	}
}

// TestMessagesStayWithinTheProperty: a request costs what the property messages-total of Raymond's algorithm
// allows, which all runs keep.
func TestMessagesStayWithinTheProperty(t *testing.T) {
	s := Settings{Duration: 500}
	s.Load = Load{First: dist(t, "uniform 0 5"), Think: dist(t, "exponential 30"), Use: dist(t, "1")}
	s.Network = Network{Transmit: dist(t, "uniform 0.1 2")}
	for _, n := range []int{4, 40} {
		line := map[int]string{4: "raymond n=4 k=2 rounds=3", 40: "raymond n=40 k=2 rounds=3"}[n]
		got := estimates(t, line, s, 20)
		if m := got["messages-per-request"].Mean; m < float64(n-1) || m > 2*float64(n-1) {
			t.Errorf("n=%d: %.2f messages for each request", n, m)
		}
		if u := got["most-in-use"].Mean; u > 2 {
			t.Errorf("n=%d: %.2f units in use at most", n, u)
		}
		if got["entries"].Mean != 3*float64(n) {
			t.Errorf("n=%d: %.2f entries", n, got["entries"].Mean)
		}
	}
}

// TestMessagesStayWithinTheExtremes: no timed run costs less or more for a request than the cheapest and the
// dearest of all runs, which a search finds (check --costs).
func TestMessagesStayWithinTheExtremes(t *testing.T) {
	s := Settings{Duration: 500}
	s.Load = Load{First: dist(t, "uniform 0 5"), Think: dist(t, "exponential 3"), Use: dist(t, "1")}
	s.Network = Network{Transmit: dist(t, "uniform 0.1 8")}
	for _, line := range []string{
		"raymond n=3 k=2 rounds=1", "raymond n=2 k=1 rounds=2,1", "bas n=3 k=2 rounds=1",
		"timerfree n=3 k=2 f=1 rounds=1 crashes=0 channel=fifo variant=c rp=off",
		"vcube-kmutex n=2 k=1 rounds=1",
	} {
		in := staged(t, line)
		i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
			return p.Name == "messages-total"
		})
		r, err := explore.Run(context.Background(), in, explore.Options{Properties: []int{i}, Workers: 1})
		if err != nil || !r.Complete {
			t.Fatalf("%s: %v, complete %v", line, err, r.Complete)
		}
		ratio := func(x *explore.Extreme) float64 { return float64(x.Count) / float64(x.Requests) }
		least, most := ratio(r.Properties[0].Least), ratio(r.Properties[0].Most)
		samples, err := Measure(context.Background(), in, s, 7, upTo(100, 300))
		if err != nil {
			t.Fatal(err)
		}
		low, high := math.Inf(1), 0.0
		for _, x := range samples {
			m := x["messages-per-request"]
			low, high = min(low, m), max(high, m)
		}
		if low < least-1e-9 || high > most+1e-9 {
			t.Errorf("%s: %g to %g messages for a request; of all runs %g to %g", line, low, high, least,
				most)
		}
		t.Logf("%s: %g to %g messages for a request in %d runs, %g to %g in all", line, low, high,
			len(samples), least, most)
	}
}

// TestIdleStepsEndNoRun: in Lamport's algorithm a process in the critical section may enter again, which
// changes nothing. The run continues.
func TestIdleStepsEndNoRun(t *testing.T) {
	s := Settings{Duration: 100, Release: "Exit"}
	s.Load = Load{First: dist(t, "uniform 0 5"), Think: dist(t, "exponential 20"), Use: dist(t, "1")}
	s.Network = Network{Transmit: dist(t, "uniform 0.1 2")}
	got := estimates(t, "lamport-mutex n=3 max-clock=200", s, 5)
	if got["entries"].Mean < 3 || got["most-in-use"].Mean != 1 {
		t.Errorf("%.1f entries, %.1f in use at most", got["entries"].Mean, got["most-in-use"].Mean)
	}
}

// TestDoubledTimesDoubleTheRun: with all times doubled everything takes twice as long, and nothing else is
// different.
func TestDoubledTimesDoubleTheRun(t *testing.T) {
	run := func(scale string, factor float64) map[string]Estimate {
		s := Settings{Duration: 300 * factor, Warmup: 50 * factor,
			Faults: Faults{At: []float64{100 * factor}}}
		d := map[string]string{"1": "uniform 1 3", "2": "uniform 2 6"}[scale]
		s.Load = Load{First: dist(t, d), Think: dist(t, d), Use: dist(t, scale)}
		s.Network = Network{Send: dist(t, scale), Transmit: dist(t, d), Receive: dist(t, scale)}
		s.Faults.Notice = dist(t, d)
		return estimates(t, "bas n=20 k=3 rounds=inf", s, 2)
	}
	one, two := run("1", 1), run("2", 2)
	for metric, factor := range map[string]float64{
		"obtaining": 2, "detection": 2, "entries": 1, "in-use": 1, "throughput": 0.5,
		"messages-per-request": 1,
	} {
		if a, b := one[metric].Mean*factor, two[metric].Mean; math.Abs(a-b) > 1e-6*math.Abs(a) {
			t.Errorf("%s: %g, and %g with all times doubled", metric, one[metric].Mean, b)
		}
	}
}

// TestRunsFollowTheSeed: the same seed gives the same runs, another seed gives other runs.
func TestRunsFollowTheSeed(t *testing.T) {
	s := Settings{Duration: 100}
	s.Load = Load{First: dist(t, "uniform 0 5"), Think: dist(t, "exponential 5"), Use: dist(t, "1")}
	s.Network = Network{Transmit: dist(t, "exponential 1"), Clusters: 2, Apart: dist(t, "lognormal 1 0.3"),
		Bag: true}
	in := staged(t, "timerfree n=20 k=3 f=2 rounds=inf variant=d rp=off")
	var got [3][]Sample
	for i, seed := range []uint64{1, 1, 2} {
		var err error
		if got[i], err = Measure(context.Background(), in, s, seed, 3); err != nil {
			t.Fatal(err)
		}
	}
	obtaining := func(k, run int) float64 { return got[k][run]["obtaining"] }
	if obtaining(0, 0) != obtaining(1, 0) || obtaining(0, 0) == obtaining(2, 0) {
		t.Error("runs do not follow the seed")
	}
	if obtaining(0, 0) == obtaining(0, 1) {
		t.Error("two runs of one seed are the same")
	}
}

// TestSendsTakeOneAfterTheOther: a request of the first of n idle processes takes the sends one after the
// other, transmission and receipt there and back.
func TestSendsTakeOneAfterTheOther(t *testing.T) {
	s := Settings{Duration: 99, Load: Load{Requesters: 1, Use: dist(t, "1"), Think: dist(t, "1000")}}
	s.Network = Network{Send: dist(t, "0.1"), Transmit: dist(t, "0.8"), Receive: dist(t, "0.1")}
	for line, want := range map[string]float64{
		"raymond n=8 k=1 rounds=inf":   7*0.1 + 0.9 + 1,   // the last answer is that to the last send
		"raymond n=8 k=7 rounds=inf":   1*0.1 + 0.9 + 1,   // one answer does
		"raymond n=512 k=3 rounds=inf": 509*0.1 + 0.9 + 1, // far more processes than a search takes
	} {
		got := estimates(t, line, s, 1)["obtaining"].Mean
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: it takes %g, not %g", line, got, want)
		}
	}
}

func TestBadDistributionsAreErrors(t *testing.T) {
	for _, bad := range []string{"", "uniform 1", "uniform 2 1", "normal -1 1", "gauss 1 2", "constant x",
		"file /nowhere"} {
		if err := new(distribution).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
