package cluster

import (
	"context"
	"time"

	"github.com/atmostk/atmostk/model"
)

// turns is the life of a process of a model with links: it takes a step when it is told to.
func (p *process) turns(ctx context.Context) error {
	if err := p.reports.Encode(report{Connected: true}); err != nil {
		return err
	}
	for {
		switch o, err := p.await(ctx); {
		case err != nil:
			return err
		case o.Finish:
			return nil
		case o.Turn != nil:
			if err := p.turn(o.Turn); err != nil {
				return err
			}
		case !o.Start:
			return errOrder
		}
	}
}

// turn takes a step, if there is one, and reports what it was. Nobody else takes one meanwhile.
func (p *process) turn(t *turn) error {
	begun := time.Now()
	p.node = p.node.amid(t.Around, t.Gone)
	steps := p.node.own()
	if t.From >= 0 {
		var err error
		if steps, err = p.node.receive(model.Proc(t.From), t.Envelope.Message); err != nil {
			return err
		}
	}
	if len(steps) == 0 {
		return p.reports.Encode(report{progress: p.progress, Turned: &turned{}})
	}
	s := steps[p.rng.IntN(len(steps))]
	if s.outside {
		p.Outside = true
		return p.reports.Encode(report{progress: p.progress, Turned: &turned{}})
	}
	line := p.rec.Step(p.nodes.Actions[s.Action].Name)
	line.Between(begun, time.Now())
	envelopes, err := p.write(&s, t.Envelope, line)
	if err != nil {
		return err
	}
	done := turned{Stepped: true, Local: p.node.bytes(), Units: p.node.units()}
	for i, m := range s.Sent {
		done.Sent = append(done.Sent, sending{m.To, envelopes[i]})
	}
	return p.reports.Encode(report{progress: p.progress, Turned: &done})
}
