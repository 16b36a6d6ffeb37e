package lts

// A Delivery is the fairness of runs without end to messages in
// channels to live processes. Their receipt is enabled or not like other steps.
type Delivery uint8

const (
	// AnyDelivery lets messages wait for ever.
	AnyDelivery Delivery = iota
	// WeakDelivery demands that a message that can always be received, from some point on, is received.
	WeakDelivery
	// StrongDelivery demands that a message that can be received again and again is received.
	StrongDelivery
)

// A LassoInfo describes a Lasso to readers that do not judge its states.
type LassoInfo struct {
	Initially bool   // only initial states are starts
	Fulfilled bool   // some states fulfil the property: Lasso.Never or Lasso.Avoids is set
	Visits    int    // number of visits
	Part      string // the part of a property made by Each to which it belongs; "": none
}

// MaxFair limits the fairness conditions of a model and the visits of a property, together.
const MaxFair = 58

// MaxProperties is the largest number of properties of a model: masks have a bit for each.
const MaxProperties = 64
