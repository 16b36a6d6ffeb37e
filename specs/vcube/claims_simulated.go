package vcube

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 8 concludes from simulations, a row for each sentence; the experiments are beside the models.

var figure6 = papers.Claim{
	Name: "Figure 6", Place: "section 8.2.1", Ruling: papers.Simulated,
	Text: "The units allocated in 1000 t.u. without crashes, by 8 to 1024 processes, under light and " +
		"under high load.",
	Trials: papers.Measured("vcube-fault-free", "low-small", "low-128", "low-large", "high-from-16",
		"high-peak-vcube", "high-peak-others", "alike"),
	Account: `**What happens.** Under light load the requester sends n-1 messages one after the other with RAY and BAS,
and log2 n with VCUBE, whose requests take as many hops. So VCUBE is behind as long as 0.1 n is less than the
hops, and ahead from some size on, if the answers of all are taken in as they come. If they are taken in one
at a time, which takes 0.1 n again, that is what a request waits for in all three.

Under high load a process that leaves has deferred the answers to nearly all others, and sends them one after
the other, in the order of the processes and not of their requests. It takes 0.05 n on the average until the
next one has its answer. That is the same in all three, and grows with n.`,
}

var figure7 = papers.Claim{
	Name: "Figure 7", Place: "section 8.2.1", Ruling: papers.Simulated,
	Text: "The mean time to obtain a unit without crashes, of 8 to 1024 processes, under light and " +
		"under high load.",
	Trials: papers.Measured("vcube-fault-free", "low-obtaining-large", "high-obtaining-linear",
		"high-obtaining-smaller",
		"conclusion"),
}

var figure8 = papers.Claim{
	Name: "Figure 8", Place: "section 8.2.1", Ruling: papers.Simulated,
	Text: "The messages for a request without crashes.",
	Trials: papers.Measured("vcube-fault-free", "messages-alike", "low-messages", "high-messages",
		"high-messages-per-unit"),
	Account: `What can be said of the number of messages without simulating is judged above. The metric of section 8.1
counts requests and replies, and figure 11 is explained by the acknowledgements; so these are counted here.`,
}

var figure9 = papers.Claim{
	Name: "Figure 9", Place: "section 8.2.2", Ruling: papers.Simulated,
	Text:   "The units allocated in 1000 t.u. with three crashes at random times.",
	Trials: papers.Measured("vcube-faults", "ray-worse-small", "alike-large", "vcube-grows-fast"),
}

var figure10 = papers.Claim{
	Name: "Figure 10", Place: "section 8.2.2", Ruling: papers.Simulated,
	Text:   "The mean time to obtain a unit with three crashes.",
	Trials: papers.Measured("vcube-faults", "ray-obtaining-small", "ray-obtaining-large"),
}

var figure11 = papers.Claim{
	Name: "Figure 11", Place: "section 8.2.2", Ruling: papers.Simulated,
	Text:   "The messages for a request with three crashes.",
	Trials: papers.Measured("vcube-faults", "low-messages", "others-messages-grow", "fewer-than-fault-free"),
}

var figure12 = papers.Claim{
	Name: "Figure 12", Place: "section 8.2.2", Ruling: papers.Simulated,
	Text: "The units allocated by 128 processes of which 1 to 100 crash.",
	Trials: papers.Measured("vcube-many-faults", "ray-worst", "vcube-mostly-best", "bas-more-at-20",
		"bas-unable",
		"vcube-high"),
}
