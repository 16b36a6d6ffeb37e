package cond_test

import (
	"math"
	"testing"

	"github.com/atmostk/atmostk/tools/paperdocs/cond"
)

// TestConditionsOnParameters checks the conditions on instances.
func TestConditionsOnParameters(t *testing.T) {
	values := cond.Words([][2]string{{"n", "4"}, {"f", "2"}, {"min-k", "2"}, {"list", "auto"}, {"dead", ""}})
	for where, want := range map[string]bool{
		"": true, "n=4": true, "n=3": false, "n=3/4": true, "list!=auto/literal": false, "f<n": true,
		"f<=n-min-k": true, "f<n-min-k": false, "n>=min-k+f list=auto": true, "n>4": false, "dead=": true,
		"dead=1": false,
	} {
		if got, err := cond.All(values, where); err != nil || got != want {
			t.Errorf("%q: %v, %v", where, got, err)
		}
	}
	for _, where := range []string{"n", "m=3", "f<m", "f<n*2", "f<n-", "list<3", "f<"} {
		if _, err := cond.All(values, where); err == nil {
			t.Errorf("%q is accepted", where)
		}
	}
}

// TestConditionsOnMeasurements: met or refuted where intervals are apart, and undecided where they are not.
func TestConditionsOnMeasurements(t *testing.T) {
	for _, c := range []struct {
		condition string
		a, b      cond.Value
		want      cond.Answer
	}{
		{"A>B", cond.Number(5, 1), cond.Number(2, 1), cond.Met},
		{"A>B", cond.Number(5, 2), cond.Number(2, 2), cond.Undecided},
		{"A>B", cond.Number(2, 1), cond.Number(5, 1), cond.Refuted},
		{"A<B", cond.Number(2, 1), cond.Number(5, 1), cond.Met},
		{"A < 3", cond.Number(2, 0.1), cond.Value{}, cond.Met},
		{"A>0", cond.Number(0, 0), cond.Value{}, cond.Undecided},
		{"A~B", cond.Number(10, 0.1), cond.Number(11, 0.1), cond.Met},
		{"A~5%B", cond.Number(10, 0.1), cond.Number(11, 0.1), cond.Refuted},
		{"A~B", cond.Number(10, 2), cond.Number(11, 2), cond.Undecided},
		{"A~B", cond.Number(10, 0.1), cond.Number(20, 0.1), cond.Refuted},
		{"A=0", cond.Number(0, 0), cond.Value{}, cond.Met},
		{"A=0", cond.Number(1, 2), cond.Value{}, cond.Refuted},
		{"A>B", cond.Number(math.NaN(), 0), cond.Number(5, 1), cond.Undecided},
	} {
		parsed, err := cond.Parse(c.condition)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parsed.Judge(map[string]cond.Value{"A": c.a, "B": c.b})
		if err != nil || got != c.want {
			t.Errorf("%s of %v and %v: %v, %v", c.condition, c.a, c.b, got, err)
		}
	}
}
