package capture

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A Clock is a vector clock: for each node, how many of its steps are known to have
// happened.
type Clock map[string]uint64

// String writes the clock as it travels with messages: p1=4,p2=17, by ascending name.
// Names are escaped as in a URL's query where they have to be.
func (c Clock) String() string {
	words := make([]string, 0, len(c))
	for _, node := range slices.Sorted(maps.Keys(c)) {
		words = append(words, url.QueryEscape(node)+"="+strconv.FormatUint(c[node], 10))
	}
	return strings.Join(words, ",")
}

// ParseClock reads what String has written; "" is the clock that knows nothing.
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
