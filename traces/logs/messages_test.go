package logs_test

import (
	"fmt"
	"testing"

	"github.com/atmostk/atmostk/traces/logs/formats"
)

// TestReceiptMatchesSendByIdentity matches receipts with sends by identity, sender and receiver.
func TestReceiptMatchesSendByIdentity(t *testing.T) {
	l := read(t, formats.Options{Keep: true},
		`{"node":"a","event":"1","sent":[{"to":"b","id":"m"},{"to":"c","id":"m"}]}
{"node":"b","event":"2","sent":[{"to":"c","id":"m"}]}
{"node":"b","event":"3","from":"a","id":"m"}
{"node":"c","event":"4","from":"b","id":"m"}
{"node":"c","event":"5","from":"a","id":"m"}
`)
	if got, want := fmt.Sprint(l.History().After), "[[] [] [0] [1] [0]]"; got != want ||
		len(l.Findings) != 0 {
		t.Errorf("after: %s, want %s; %+v", got, want, l.Findings)
	}
}

// TestContradictionsNameTheirLines finds each kind with its lines, and nothing where there is nothing.
func TestContradictionsNameTheirLines(t *testing.T) {
	for content, want := range map[string]string{
		`{"node":"a","event":"x","sent":[{"to":"b","id":"m"}]}
{"node":"c","event":"x","sent":[{"to":"b","id":"m"}]}
{"node":"b","event":"y","id":"m"}`: "[duplicate-id 1 2 3]",
		`{"node":"a","event":"x","sent":[{"to":"b","id":"m"},{"to":"b","id":"m"}]}
{"node":"b","event":"y"}
{"node":"b","event":"y","id":"n"}`: "[duplicate-id 1 1][unsent 3]",
		`{"node":"a","event":"x","lamport":3}
{"node":"a","event":"y","lamport":3}`: "[backwards 1 2]",
		`{"node":"a","event":"x","seq":1,"clock":{"a":2}}
{"node":"a","event":"y","seq":2,"clock":{"a":2}}`: "[backwards 1 2]",
		`{"node":"a","event":"x","clock":{"a":1,"b":2}}
{"node":"a","event":"y","clock":{"a":2,"b":1}}`: "[backwards 1 2]",
		`{"node":"a","event":"x","sent":[{"to":"b","id":"m"}],"lamport":2}
{"node":"b","event":"y","id":"m","lamport":2}`: "[lamport 1 2]",
		`{"node":"a","event":"x","sent":[{"to":"b","id":"m"}],"lamport":2}
{"node":"b","event":"y","id":"m","lamport":3}`: "",
		`{"node":"a","event":"x","id":"m","sent":[{"to":"a","id":"m"}]}`: "[cycle 1]",
		`{"node":"a","event":"x","clock":{"a":1,"b":1}}
{"node":"b","event":"y","clock":{"a":1,"b":1}}`: "[cycle 1 2]",
		`{"node":"a","event":"x","begin":5,"end":6}
{"node":"a","event":"y","begin":3,"end":4}`: "[backwards 1 2]",
		`{"node":"a","event":"x","begin":5,"end":6}
{"node":"a","event":"y","begin":3,"end":5}`: "",
		`{"node":"a","event":"x","from":"b","id":"m"}
{"node":"b","event":"y","sent":[{"to":"a","id":"n"}]}`: "[unsent 1]",
		`{"node":"a","event":"x","from":"b","id":"m"}
{"node":"b","event":"y"}`: "",
	} {
		l := read(t, formats.Options{}, content+"\n")
		got := ""
		for _, f := range l.Findings {
			got += "[" + string(f.Kind)
			for _, p := range f.Places {
				got += fmt.Sprint(" ", p.Line)
			}
			got += "]"
		}
		if got != want {
			t.Errorf("%s\nfindings %s, want %s", content, got, want)
		}
	}
}
