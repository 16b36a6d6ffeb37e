package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// What section 5 concludes from simulations, a row for each sentence; the experiments are beside the models.

var figure1 = papers.Claim{
	Name: "Figure 1", Place: "section 5.2", Page: "14", Line: "the figure, and the text about it",
	Ruling: papers.Simulated,
	Text: "The time to obtain a unit against rho, the ratio of the time between two requests to " +
		"that of a use.",
	Trials: papers.Measured("timerfree-rho", "obtaining-falls", "obtaining-two-seconds"),
	Account: `**What happens.** In light load a request takes one round trip to the other clusters, and from then on
nobody waits. The report has two seconds for the round trip and an empty queue from rho=9 on. Ten units that
are handed over in no time serve 100 processes from there on: 100 / (2 + 2 rho) requests a second, five at
most. But a unit is handed over by a message, and with a second for that ten units serve fewer: the queue is
empty from rho of about 13 on. With messages so short that it is empty at 9 a round trip is not two seconds.`,
}

var figure2 = papers.Claim{
	Name: "Figure 2", Place: "section 5.2", Page: "14", Line: "the figure, and the text about it",
	Ruling: papers.Simulated,
	Text:   "How many processes wait, against rho.",
	Trials: papers.Measured("timerfree-rho", "queue-empty"),
}

var figure3 = papers.Claim{
	Name: "Figure 3", Place: "section 5.2", Page: "14", Line: "the figure, and the text about it",
	Ruling: papers.Simulated,
	Text:   "Critical sections per second against rho: as many as there can be up to 9, then fewer.",
	Trials: papers.Measured("timerfree-rho", "throughput-constant", "throughput-falls"),
}

var overhead = papers.Claim{
	Name: "No overhead against Raymond's algorithm", Place: "section 5.2", Page: "15", Line: "last paragraph",
	Ruling: papers.Simulated,
	Text: "The algorithm behaves as Raymond's without crashes, though it sends more messages (X, Y " +
		"and Z% are left " +
		"open in the text).",
	Trials: papers.Measured("timerfree-rho", "no-overhead", "more-messages"),
	Account: `The numbers that the text leaves open are in the second row: X and Y for each rho. They depend on how
often a request meets another: the more do, the more NOPERM are sent.`,
}

var figure4 = papers.Claim{
	Name: "Figure 4", Place: "section 5.3", Page: "15-16", Line: "the figure, and the text about it",
	Ruling: papers.Simulated,
	Text: "The time from a crash until all know of it grows with the number of crashes, and is shorter " +
		"the more often " +
		"processes request, as requests tell of crashes.",
	Trials: papers.Measured("timerfree-crashes", "detection-grows", "detection-and-rho"),
}

var efficiency = papers.Claim{
	Name: "Units in use after nine crashes", Place: "sections 5.3 and 7", Page: "15 and 17",
	Line:   "the figure without number, and the text about it",
	Ruling: papers.Simulated,
	Text: "With Raymond's algorithm a unit is lost with each crash; with the report's the number of " +
		"units in use comes " +
		"back to 9 within 100 seconds of the last.",
	Trials: papers.Measured("timerfree-crashes", "raymond-loses", "ours-recovers"),
	Account: `The units in use are said to fall from 9 to 1 with nine crashes and k=10, where it is from 10 to 1, and to
come back to 9, where it is to 10: the most that are in use at once is taken here, which in the mean over time
is less, as a unit that is handed over is in nobody's use for the time of a message.`,
}
