package lts

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

// A LassoInfo describes a Lasso to those who do not judge its states.
type LassoInfo struct {
	Initially bool   // only initial states are starts
	Visits    int    // how many there are
	Part      string // the one it is of, of the properties that Each has made one of; "": of none
}

// MaxFair limits the fairness conditions of a model and the visits of a property, together.
const MaxFair = 58

// MaxProperties is how many properties a model may have: masks have a bit for each.
const MaxProperties = 64
