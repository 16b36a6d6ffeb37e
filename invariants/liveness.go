package invariants

import "github.com/atmostk/atmostk/model"

// liveness returns the property that no fair run has a lasso like that.
func liveness[S any](name, doc string, l model.Lasso[S]) model.Property[S] {
	return model.Property[S]{Name: name, Kind: model.Liveness, Doc: doc, Lassos: []model.Lasso[S]{l}}
}

// Eventually is the property that a run which begins in a state where begins holds
// comes to a state where p does: begins => <>p. Nil for begins is every initial state.
func Eventually[S any](begins, p func(*S) bool) model.Property[S] {
	return liveness("eventually", "sooner or later p holds", model.Lasso[S]{Start: begins, Initially: true, Never: p})
}

// AlwaysEventually is the property that p holds infinitely often: []<>p.
func AlwaysEventually[S any](p func(*S) bool) model.Property[S] {
	return liveness("always-eventually", "p holds again and again", model.Lasso[S]{Avoids: p})
}

// EventuallyAlways is the property that from some point on p holds for ever: <>[]p.
func EventuallyAlways[S any](p func(*S) bool) model.Property[S] {
	return liveness("eventually-always", "from some point on p holds for ever", model.Lasso[S]{
		Visits: []func(*S) bool{func(s *S) bool { return !p(s) }},
	})
}

// LeadsTo is the property that whenever p holds, q holds then or later: [](p => <>q).
func LeadsTo[S any](p, q func(*S) bool) model.Property[S] {
	return liveness("leads-to", "whenever p holds, q holds then or later", model.Lasso[S]{Start: p, Never: q})
}

// InfinitelyOften is the property that q holds infinitely often in every run in
// which each of ps does: ([]<>p1 /\ []<>p2 ...) => []<>q.
func InfinitelyOften[S any](ps []func(*S) bool, q func(*S) bool) model.Property[S] {
	return liveness("infinitely-often", "if each p holds again and again, q does", model.Lasso[S]{Avoids: q, Visits: ps})
}

// Each is the property that all of ps hold, Liveness properties: of each process, say.
// It has the name and the sentence of the first.
func Each[S any](ps ...model.Property[S]) model.Property[S] {
	all := ps[0]
	all.Lassos = nil
	for _, p := range ps {
		all.Lassos = append(all.Lassos, p.Lassos...)
	}
	return all
}
