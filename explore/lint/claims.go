package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/papers"
	"github.com/atmostk/atmostk/model/usage"
)

// Claims asks the rows of the claims of a spec's paper that are about the spec, and those that
// are computed, and tells which rulings they refute. Searches are given up after so many states,
// and say nothing then. An error is one of the search, or usage.Error of a row that cannot
// be asked.
func Claims(ctx context.Context, spec *model.Spec, states int64) (found []Finding, err error) {
	if spec.Paper == nil {
		return nil, nil
	}
	claims := spec.Paper.Open().Claims
	if spec.Paper.Implement != nil {
		claims = append(slices.Clip(claims), *spec.Paper.Implement)
	}
	for i := range claims {
		c := &claims[i]
		all, violated := true, false // all rows of the claim itself are decided; one is violated
		for k := range c.Trials {
			t := &c.Trials[k]
			verdict, mistake, err := ask(ctx, spec, t, states)
			if err != nil {
				return found, fmt.Errorf("%s, row %d: %w", c.Name, k+1, err)
			}
			told := Finding{Spec: spec.Name, Args: t.Args, Model: verdict == explore.ModelError}
			switch {
			case told.Model:
				told.What = fmt.Sprintf("%s, row %d: %s", c.Name, k+1, mistake)
				found = append(found, told)
			case t.Aside != "":
				continue
			case verdict == explore.Violated && forbids(c.Ruling):
				told.What = fmt.Sprintf("%s, row %d: %s is violated, and the ruling is %q", c.Name, k+1,
					t.Property, c.Ruling)
				found = append(found, told)
			}
			all = all && verdict != explore.Unknown
			violated = violated || verdict == explore.Violated
		}
		if all && !violated && needs(c.Ruling) {
			found = append(found, Finding{
				Spec: spec.Name, What: fmt.Sprintf(
					"%s: the ruling is %q, and no row of the claim is violated", c.Name, c.Ruling),
			})
		}
	}
	return found, nil
}

// forbids reports whether no row of a claim of this ruling may be violated, and needs whether
// one has to be.
func forbids(r papers.Ruling) bool {
	return r == papers.Stands || r == papers.Outside || r == papers.NotJudged
}

func needs(r papers.Ruling) bool {
	return r == papers.Erroneous || r == papers.ErroneousUnder || r == papers.Slip
}

// ask returns the verdict on a row, Unknown if it is about another spec; and what is wrong with
// the model, if that is the verdict.
func ask(ctx context.Context, spec *model.Spec, t *papers.Trial, states int64) (v explore.Verdict,
	mistake string, err error) {
	if t.Compute != nil {
		return explore.Verdict(t.Compute().Verdict), "", nil
	}
	if t.Spec != spec.Name {
		return explore.Unknown, "", nil
	}
	in, _, err := spec.Instantiate(strings.Fields(t.Args))
	if err != nil {
		return "", "", err
	}
	i := slices.IndexFunc(in.Space.Properties(), func(p model.PropertyInfo) bool {
		return p.Name == t.Property
	})
	if i < 0 {
		return "", "", usage.Errorf("%s has no property %q", t.Spec, t.Property)
	}
	r, err := explore.Run(ctx, in, explore.Options{Properties: []int{i}, MaxStates: states})
	if err != nil {
		return "", "", err
	}
	if r.Mistake != nil {
		return explore.ModelError, r.Mistake.Error.Error(), nil
	}
	return r.Properties[0].Verdict, "", nil
}
