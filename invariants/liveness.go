package invariants

import "github.com/atmostk/atmostk/model"

// NoRun returns the property that no fair run has the form of one of the lassos.
func NoRun[S any](name, doc string, ls ...model.Lasso[S]) model.Property[S] {
	return model.Property[S]{Name: name, Kind: model.Liveness, Doc: doc, Lassos: ls}
}

// Eventually is the property that a run which begins in a state where begins holds
// comes to a state where p does: begins => <>p. Nil for begins is every initial state.
func Eventually[S any](begins, p func(*S) bool) model.Property[S] {
	return NoRun("eventually", "sooner or later p holds", model.Lasso[S]{Start: begins, Initially: true,
		Never: p})
}

// AlwaysEventually is the property that p holds infinitely often: []<>p.
func AlwaysEventually[S any](p func(*S) bool) model.Property[S] {
	return NoRun("always-eventually", "p holds again and again", model.Lasso[S]{Avoids: p})
}

// EventuallyAlways is the property that from some point on p holds for ever: <>[]p.
func EventuallyAlways[S any](p func(*S) bool) model.Property[S] {
	return NoRun("eventually-always", "from some point on p holds for ever", model.Lasso[S]{
		Visits: []func(*S) bool{func(s *S) bool { return !p(s) }},
	})
}

// LeadsTo is the property that whenever p holds, q holds then or later: [](p => <>q).
func LeadsTo[S any](p, q func(*S) bool) model.Property[S] {
	return NoRun("leads-to", "whenever p holds, q holds then or later", model.Lasso[S]{Start: p, Never: q})
}

// InfinitelyOften is the property that q holds infinitely often in every run in
// which each of ps does: ([]<>p1 /\ []<>p2 ...) => []<>q.
func InfinitelyOften[S any](ps []func(*S) bool, q func(*S) bool) model.Property[S] {
	return NoRun("infinitely-often", "if each p holds again and again, q does", model.Lasso[S]{Avoids: q,
		Visits: ps})
}

// Served is the property that none of n members waits for ever.
func Served[S any](n int, waits func(s *S, i int) bool) model.Property[S] {
	var each []model.Property[S]
	for i := range n {
		each = append(each, NoRun("served", "in fair runs, nobody waits for ever",
			model.Lasso[S]{Avoids: func(s *S) bool { return !waits(s, i) }}))
	}
	return Each(each...)
}

// RequestsServed is the property that each request is served: a live process that
// waits stops waiting at some later time, or crashes. It judges runs without
// end under fairness, while NoStarvation judges the last states of runs.
func (Of[L, M, H]) RequestsServed(n int, waits func(l *L) bool) model.Property[model.Global[L, M, H]] {
	return Served(n, func(g *model.Global[L, M, H], i int) bool {
		return g.Live(model.Proc(i)) && waits(g.Local(model.Proc(i)))
	}).As("requests-served", "in fair runs, no live process waits for ever", "")
}

// Each is the property that all of ps hold, for example one for each process. They are of one
// kind: invariants, properties of quiet states or of the same steps, or Liveness properties.
// It has the name and the sentence of the first. If it is violated the report names the
// one that does not hold: by its name or, if they share a name, by the process.
func Each[S any](ps ...model.Property[S]) model.Property[S] {
	all := model.Property[S]{Each: append([]model.Property[S]{}, ps...)}
	if len(ps) > 0 {
		all.Name, all.Doc, all.Source = ps[0].Name, ps[0].Doc, ps[0].Source
		all.Kind, all.OnRequest = ps[0].Kind, ps[0].OnRequest
	}
	return all
}
