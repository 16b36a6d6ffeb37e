package report

import (
	"io"
	"reflect"
	"slices"

	"github.com/atmostk/atmostk/cmd/internal/models"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/param"
	"github.com/atmostk/atmostk/model/protocol"
	"github.com/atmostk/atmostk/traces/cluster"
	"github.com/atmostk/atmostk/traces/printable"
)

// Catalogue writes models for a program, as catalogue.schema.json has them.
func Catalogue(w io.Writer, tool string, specs []model.Spec) error {
	return printable.EncodeJSON(w, struct {
		Tool   string   `json:"tool"` // name and version of the program
		Models []object `json:"models"`
	}{tool, each(specs, describe)}, "")
}

// DescribeInstance writes a model with one of its instances for a program.
func DescribeInstance(w io.Writer, s *models.Subject) error {
	of := describe(s.Spec)
	of["instance"] = instance(s)
	return printable.EncodeJSON(w, of, "")
}

// sparse returns an object without its fields that are empty, but for those that the schema requires.
func sparse(o object, required ...string) object {
	for name, value := range o {
		if v := reflect.ValueOf(value); !slices.Contains(required, name) &&
			(v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0) {
			delete(o, name)
		}
	}
	return o
}

// describe describes a model.
func describe(spec *model.Spec) object {
	return sparse(object{
		"name": spec.Name, "title": spec.Title, "source": spec.Source, "doc": spec.Doc, "paper": spec.Paper,
		"drawn":      spec.Draw != nil,
		"parameters": each(spec.Params, parameter),
		"references": each(spec.References, func(r *model.Reference) object {
			return sparse(object{"arguments": r.Args, "states": r.States, "generated": r.Generated,
				"depth": r.Depth, "violated": r.Violated, "large": r.Large, "from": r.From},
				"arguments", "states", "depth", "from")
		}),
	}, "name", "title", "source", "doc", "drawn", "parameters", "references")
}

// parameter describes a parameter, and says if it is about the algorithm, the network or the search.
func parameter(p *param.Param) object {
	among := func(ps []param.Param) bool {
		return slices.ContainsFunc(ps, func(q param.Param) bool { return q.Name == p.Name })
	}
	about := "algorithm"
	switch {
	case among(param.Endless()):
		about = "search"
	case among(param.Network("")):
		about = "network"
	}
	return sparse(object{"name": p.Name, "doc": p.Doc, "default": p.Default, "about": about, "form": p.Type.Form,
		"allowed": p.Type.Allowed, "range": p.Type.Range, "words": p.Type.Words},
		"name", "doc", "default", "about", "form", "allowed")
}

// instance describes an instance of a model.
func instance(s *models.Subject) object {
	var processes []string
	if s.Interp != nil {
		processes = s.Interp.Names
	}
	kinds := [...]string{protocol.Ordinary: "ordinary", model.Spontaneous: "spontaneous", model.Fault: "fault"}
	deliveries := [...]string{lts.AnyDelivery: "", lts.WeakDelivery: "weak", lts.StrongDelivery: "strong"}
	return sparse(object{
		"arguments": s.Parameters(), "capacity": s.Capacity, "bounds": s.Space.Bounds(),
		"symmetry": s.Space.Reduced(), "runnable": cluster.Nodes(s.Instance) != nil, "processes": processes,
		"actions": each(s.Space.Actions(), func(a *lts.Action) object {
			return sparse(object{"name": a.Name, "source": a.Source, "kind": kinds[a.Kind], "receipt": a.Receipt})
		}),
		"properties": each(s.Space.Properties(), describeProperty),
		"fairness": each(s.Space.Fairness(), func(f *model.Fairness) object {
			return sparse(object{"name": f.Name, "strong": f.Strong}, "name")
		}),
		"delivery": deliveries[s.Space.Delivery()],
	}, "arguments", "symmetry", "runnable", "actions", "properties")
}

// describeProperty describes a property.
func describeProperty(p *model.PropertyInfo) object {
	var costs object
	if b := p.Bound; b != nil {
		costs = sparse(object{"opens": b.Opens, "closes": b.Closes, "least": b.Least, "most": b.Most}, "least")
	}
	return sparse(object{
		"name": p.Name, "doc": p.Doc, "source": p.Source, "kind": p.Kind.String(), "units": p.OfUse,
		"on-request": p.OnRequest, "not-asked-because": p.Moot, "vacuous-because": p.Excuse, "steps": p.Steps,
		"out-of-reach-from": p.Origins, "costs": costs,
		"lassos": each(p.Lassos, func(l *lts.LassoInfo) object {
			return sparse(object{"part": l.Part, "initially": l.Initially, "visits": l.Visits}, "visits")
		}),
	}, "name", "doc", "kind")
}
