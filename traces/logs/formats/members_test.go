package formats

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzMembers compares with encoding/json.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":1,"b":"x\\","c":{"d":[1,{"e":"}"}],"f":"\\\""}}`,
		`{"a" : null , "a":2.5e3}`,
		`{"\u0061\n":[],"":true}`, "{\"a\":\t[ ]\r\n}", `[1]`, `{"a":[[],[[]]],"b":-1}`, `null`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want map[string]json.RawMessage
		err := json.Unmarshal(b, &want)
		if is := json.Valid(b) && isObject(b); is != (err == nil && want != nil) {
			t.Fatalf("an object: %v, but encoding/json says %v", is, err)
		} else if !is {
			return
		}
		got := map[string]json.RawMessage{}
		members(b, got, map[string]memberName{})
		if len(got) != len(want) {
			t.Fatalf("%d members, want %d", len(got), len(want))
		}
		for name, value := range want {
			if !bytes.Equal(got[name], value) {
				t.Errorf("%q is %q, want %q", name, got[name], value)
			}
		}
	})
}
