package model

import "fmt"

// FairnessParam declares the fairness of a composition.
var FairnessParam = Param{
	Name:    "fairness",
	Doc:     "which runs without end are considered: weak, where a step or a message that is possible from some point on is not put off for ever; strong, one that is possible again and again; none, all. Nobody is ever forced to request or to crash",
	Default: "weak", Type: OneOf("weak", "strong", "none"),
}

// A Delivery says which runs without end are fair to messages. A message is one in
// the channel to a live process; that its receipt is enabled is judged like other steps.
type Delivery uint8

const (
	// AnyDelivery lets messages wait for ever.
	AnyDelivery Delivery = iota
	// WeakDelivery wants that what can be received from some point on, always, is received.
	WeakDelivery
	// StrongDelivery wants that what can be received again and again is received.
	StrongDelivery
)

// Fair gives a composition the fairness that FairnessParam describes: of each
// process in each of its own steps, requests apart, and in noticing crashes, and of
// each message.
func (c *Composition[L, M, H]) Fair(how string) {
	if how == "none" {
		return
	}
	strong := how == "strong"
	c.Delivery = WeakDelivery
	if strong {
		c.Delivery = StrongDelivery
	}
	condition := func(p Proc, action int, name string) {
		c.Fairness = append(c.Fairness, Fairness{
			Name: fmt.Sprintf("%s fairness of %s, %s", how, c.Names.Of(p), name), Strong: strong,
			Has: func(l Label) bool { return int(l.Action) == action && l.Proc == uint8(p) },
		})
	}
	if c.Network.Faults.Heals {
		heal := c.faultAction(healFault)
		c.Fairness = append(c.Fairness, Fairness{
			Name: "a partition ends", Has: func(l Label) bool { return int(l.Action) == heal },
		})
	}
	for p := range Proc(c.N) {
		for i, h := range c.Local {
			if !h.Request && h.Kind == Ordinary {
				condition(p, i, h.Name)
			}
		}
		if c.Notice != nil && c.Network.Crashes > 0 {
			condition(p, c.noticeAction(), c.Notice.Name)
		}
	}
}

// Fair gives a system the fairness that FairnessParam describes, of each instance of
// each ordinary action.
func (s *System[S]) Fair(how string) {
	if how == "none" {
		return
	}
	for a, action := range s.Actions {
		if action.Kind != Ordinary {
			continue
		}
		for i := range action.instances() {
			s.Fairness = append(s.Fairness, Fairness{
				Name: fmt.Sprintf("%s fairness of %s", how, action.text(i)), Strong: how == "strong",
				Has: func(l Label) bool { return int(l.Action) == a && l.Proc == uint8(i) },
			})
		}
	}
}
