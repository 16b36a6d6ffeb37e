package starfile

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"go.starlark.net/starlark"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/interp"
	"github.com/atmostk/atmostk/model/protocol"
)

// filled is the state with some values of variables, and with some messages on their way. It has the first
// history, and no fault of channels in its past.
func (c *composition) filled(in model.Instance, values *starlark.Dict) (model.State, error) {
	locals, inboxes := make([]interp.Value, c.n), make([][]interp.Envelope, c.n)
	all, _, wrong := values.Get(starlark.String("all"))
	messages, _, _ := values.Get(starlark.String("messages"))
	each, err := elements(all)
	sent, err2 := elements(messages)
	if err = cmp.Or(wrong, err, err2); err != nil || len(each) != c.n || values.Len() != 2 {
		return nil, fmt.Errorf("returns %s; allowed: {\"all\": [...], \"messages\": [...]} with variables "+
			"of %d processes, and (sender, receiver, message)", short(values), c.n)
	}
	for p, v := range each {
		d, is := v.(*starlark.Dict)
		if !is {
			return nil, misfit(v, "a dictionary of the variables of a process")
		}
		r, err := filled(c.roles[c.roleAt(model.Proc(p))].local, d)
		if err != nil {
			return nil, err
		}
		l := c.packed(nil, model.Proc(p), r)
		locals[p] = interp.Value(unsafe.Pointer(&l))
	}
	for _, v := range sent {
		t, is := v.(starlark.Tuple)
		if !is || len(t) != 3 {
			return nil, misfit(v, "(sender, receiver, message)")
		}
		from, wrong := c.proc(t[0])
		to, err := c.proc(t[1])
		bytes, err2 := c.messages.packedMessage(t[2])
		if err := cmp.Or(wrong, err, err2); err != nil {
			return nil, err
		}
		m := interp.Value(unsafe.Pointer(&message{bytes}))
		inboxes[to] = append(inboxes[to], interp.Envelope{From: from, M: m})
	}
	for _, inbox := range inboxes {
		slices.SortStableFunc(inbox, func(e, f interp.Envelope) int { return int(e.From) - int(f.From) })
	}
	first := in.Interp.Start()
	return in.Interp.StateOf(first.Dead, locals, inboxes, first.History(), protocol.Record{}), nil
}
