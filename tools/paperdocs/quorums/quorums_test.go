package quorums_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/tools/paperdocs/quorums"
)

// TestShow: reports on families, and errors.
func TestShow(t *testing.T) {
	for args, wants := range map[string][]string{
		"cohorts=2,3 p=0.9": {
			`cohorts=2,3 +5 +2 +9 +2 to 2 +2-coterie: yes +dominated +0.998730 0.918540`,
			`Figure 1 finds h disjoint quorums in every set of nodes that contains them`,
			`dominated by \{1,2\} \{1,3\} `,
			`quorums: \{1,3\} \{1,4\} \{1,5\} \{2,3\} \{2,4\} \{2,5\} \{3,4\} \{3,5\} \{4,5\}`,
		},
		"cohorts=1,2,2 majority=5 arbiter=5 cube=2 p=9/10": {
			`cohorts=1,2,2 .* nondominated +0.984960`, `majority=5 .* nondominated +0.991440`,
			`arbiter=5 .* any 2 quorums have a common member: yes`, `cube=2 +4 .* 3 to 3`,
		},
		"cohorts=3,5,8": {`dominated with the further quorum \{1,2,3,9\}`},
		"sets=1+2,3+4": {`1-coterie: no`,
			`the intersection property is broken: there are 2 disjoint quorums, more than k=1`},
		"majority=5 k=3":                 {`no quorum is disjoint from the 2 that make up \{1,2,3,4\}`},
		"sets=1+2,1":                     {`the minimality property is broken: \{1,2\} contains \{1\}`},
		"sets=1+2,2+3,1+3 p=0.9,0.9,1/2": {`1-coterie: yes +nondominated +0.900000`},
		"":                               {`no family of quorums is named; allowed are cohorts=`},
		"cohorts=2,2":                    {`P2 is broken: C_2 has 2 members, with k=2 allowed are 3 or more`},
		"cohorts=2,3 k=3":                {`allowed is the size of C_1, 2`},
		"cohorts=8,15":                   {`at most 16 nodes`},
		"majority=3 p=2":                 {`p=2 does not fit quorums: allowed: 0 to 1`},
		"majority=3 p=0.9,0.8":           {`allowed: one probability, or one for each of 3`},
		"arbiter=3 h=2":                  {`allowed: 1 to k=1`},
		"cube=4 k=2":                     {`a cube of 3 dimensions has 64 nodes`},
		"majorty=3":                      {`did you mean "majority"`},
	} {
		var b strings.Builder
		if err := quorums.Show(&b, strings.Fields(args)); err != nil {
			b.WriteString(err.Error())
		}
		for _, want := range wants {
			if !regexp.MustCompile(want).MatchString(b.String()) {
				t.Errorf("%s: %s, without %s", args, b.String(), want)
			}
		}
	}
}
