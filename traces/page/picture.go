package page

import (
	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/traces"
)

// A Picture is what a state looks like: see drawing.Drawing.
type Picture struct {
	Nodes []drawing.Node `json:"nodes"`
	Links []link         `json:"links"`
}

// A link connects two nodes.
type link struct {
	From int    `json:"from"` // indices of nodes
	To   int    `json:"to"`
	Tree bool   `json:"tree,omitempty"`
	Note string `json:"note,omitempty"`
}

// pictureOf returns the picture of the state after step i; nil if the model has none.
func pictureOf(r *traces.Run, i int) *Picture {
	draw := r.Instance().Picture
	if draw == nil {
		return nil
	}
	d := draw(r.States[i])
	p := &Picture{Nodes: append([]drawing.Node{}, d.Nodes...), Links: []link{}}
	at := map[string]int{}
	for k, n := range d.Nodes {
		at[n.Name] = k
	}
	for _, l := range d.Links {
		from, known := at[l.From]
		to, is := at[l.To]
		if known && is {
			p.Links = append(p.Links, link{from, to, l.Tree, l.Note})
		}
	}
	return p
}
