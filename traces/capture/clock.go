package capture

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A Clock is a vector clock: for each node, the number of its steps known to have happened.
type Clock map[string]uint64

// String returns the clock in the form in which it travels with messages: p1=4,p2=17, sorted by name. Special
// characters in names are escaped as in the query of a URL.
func (c Clock) String() string {
	words := make([]string, 0, len(c))
	for _, node := range slices.Sorted(maps.Keys(c)) {
		words = append(words, url.QueryEscape(node)+"="+strconv.FormatUint(c[node], 10))
	}
	return strings.Join(words, ",")
}

// ParseClock parses the result of String; "" is the clock without counts.
func ParseClock(s string) (Clock, error) {
	c := Clock{}
	if s == "" {
		return c, nil
	}
	for word := range strings.SplitSeq(s, ",") {
		escaped, count, _ := strings.Cut(word, "=")
		node, err := url.QueryUnescape(escaped)
		n, notANumber := strconv.ParseUint(count, 10, 64)
		if _, twice := c[node]; err != nil || notANumber != nil || node == "" || twice {
			return nil, fmt.Errorf("capture: %q in the clock %q is not of the form NODE=COUNT, "+
				"each node once", word, s)
		}
		c[node] = n
	}
	return c, nil
}
