package page_test

import (
	"slices"
	"testing"

	"github.com/atmostk/atmostk/model/drawing"
	"github.com/atmostk/atmostk/traces/page"
)

// TestPictureHasQuorums wants pictures of quorums: in a deadlock each requester has the permission of one
// node, and waits for the one that another has; cohorts stand in frames.
func TestPictureHasQuorums(t *testing.T) {
	d := page.Of(replayed(t, claims+"cohorts/arbiter-sets1-22-31-3-policyfifo-deadlock-freedom.ndjson"),
		page.About{})
	p := d.Steps[len(d.Steps)-1].Picture
	has, waits := map[string]string{}, map[string]string{}
	for _, l := range p.Links {
		if l.Tree {
			has[l.To] = l.From
		} else {
			waits[l.From] = l.To
		}
	}
	if len(p.Nodes) != 6 || len(has) != 3 || len(waits) != 3 {
		t.Fatalf("%+v", p)
	}
	for r, node := range waits {
		if has[r] == node || !slices.ContainsFunc(p.Links, func(l drawing.Link) bool {
			return l.Tree &&
				l.From == node && l.To != r
		}) {
			t.Errorf("%s waits for %s, which nobody else has", r, node)
		}
	}
	d = page.Of(replayed(t, claims+"cohorts/cohorts-cohorts12-h1-best-primaries.ndjson"), page.About{})
	var frames []string
	for _, n := range d.Steps[7].Picture.Nodes {
		frames = append(frames, n.Name+n.Frame)
	}
	if !slices.Equal(frames, []string{"r1", "1C1", "2C2", "3C2"}) || !d.Steps[7].Picture.Nodes[0].Inside {
		t.Errorf("%q", frames)
	}
}
