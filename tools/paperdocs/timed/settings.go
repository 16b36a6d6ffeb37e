package timed

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Settings describe a run, besides the model. All times are in one unit, whichever.
type Settings struct {
	Load    Load    `yaml:"load"`
	Network Network `yaml:"network"`
	Faults  Faults  `yaml:"faults"`
	// Duration is when a run ends, and Warmup until when nothing is counted.
	Duration float64 `yaml:"duration"`
	Warmup   float64 `yaml:"warmup"`
	// Release is the name of the handler that ends the use of the resource; "": release. The handlers that
	// request are known from the model; all others are taken as soon as they are enabled.
	Release string `yaml:"release"`
	// Request is the name of the handler by which a process requests; "": known from the model.
	Request string `yaml:"request"`
}

// Load is the behaviour of the users of the processes.
type Load struct {
	Requesters int `yaml:"requesters"` // this many processes request, the first ones; 0: all
	// First is when a process requests for the first time, Think how long after a release it does so again,
	// and Use how long it uses the resource.
	First distribution `yaml:"first"`
	Think distribution `yaml:"think"`
	Use   distribution `yaml:"use"`
}

// Network has the times that messages take.
type Network struct {
	// Send is how long a process is busy with each message that it sends: one after the other. Transmit is
	// how long a message is under way then, and Receive how long the receiver is busy with it.
	Send     distribution `yaml:"send"`
	Transmit distribution `yaml:"transmit"`
	Receive  distribution `yaml:"receive"`
	// Clusters is how many clusters of equal size the processes form; 0: none. Apart is the transmission
	// between two of them, in place of Transmit.
	Clusters int          `yaml:"clusters"`
	Apart    distribution `yaml:"apart"`
	// Slow is how many processes are slow, drawn for each run: each message that one of them sends is under
	// way for Late longer. So it violates what an algorithm supposes of the order of answers.
	Slow int          `yaml:"slow"`
	Late distribution `yaml:"late"`
	// Link is how long each step of a link takes, in models with links: to find it broken, to open it, to
	// find that it cannot be opened, and how long a process waits for what does not come.
	Link distribution `yaml:"link"`
	// Host: at the same time a process sends one message and receives one ("separate", or ""), or it sends
	// one and receives all that arrive ("parallel").
	Host string `yaml:"host"`
	Bag  bool   `yaml:"bag"` // messages may overtake each other
}

// Faults are the crashes of a run, and when they are noticed.
type Faults struct {
	// Crashes is how many processes crash, at times that are drawn, never the first Spared ones.
	Crashes int `yaml:"crashes"`
	Spared  int `yaml:"spared"`
	// At are times of crashes, of processes that are drawn, in place of Crashes.
	At instants `yaml:"at"`
	// Repair is how long after a crash a process comes up again, in models in which it can; "": it does not.
	Repair distribution `yaml:"repair"`
	// Notice is how long after a crash each process is notified, if the model has notices: drawn for each of
	// them.
	Notice distribution `yaml:"notice"`
}

// instants are points in time, written as numbers separated by commas.
type instants []float64

// UnmarshalText reads instants.
func (t *instants) UnmarshalText(text []byte) error {
	*t = nil
	for _, word := range strings.Split(string(text), ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || x < 0 {
			return fmt.Errorf("%q is no list of times such as 20, 30.5", text)
		}
		*t = append(*t, x)
	}
	return nil
}

// check returns an error if the settings are wrong for n processes.
func (s *Settings) check(n int) error {
	nw, f := &s.Network, &s.Faults
	switch {
	case s.Duration <= 0:
		return errors.New("duration: allowed are times above 0")
	case s.Warmup < 0 || s.Warmup >= s.Duration:
		return fmt.Errorf("warmup: allowed are times from 0 to below the duration, %g", s.Duration)
	case s.Load.Requesters < 0 || s.Load.Requesters > n:
		return fmt.Errorf("load: requesters: allowed are 1 to %d, or 0 for all", n)
	case nw.Clusters < 0 || nw.Clusters > 0 && n%nw.Clusters != 0:
		return fmt.Errorf("network: clusters: %d processes are no %d clusters of equal size", n, nw.Clusters)
	case nw.Host != "" && nw.Host != "separate" && nw.Host != "parallel":
		return fmt.Errorf("network: host: %s: allowed are separate and parallel", nw.Host)
	case nw.Slow < 0 || nw.Slow > n:
		return fmt.Errorf("network: slow: allowed are 0 to %d", n)
	case f.Spared < 0 || f.Crashes < 0 || f.Spared+max(f.Crashes, len(f.At)) > n:
		return fmt.Errorf("faults: there are %d processes, fewer than are to crash and to be spared", n)
	}
	return nil
}
