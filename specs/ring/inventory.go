package ring

import (
	"github.com/atmostk/atmostk/model/papers"
)

// inventory lists the paper's requirements, schemes, algorithms, constants, bounds, examples and
// figures, each with the claim of the page that judges it.
var inventory = papers.Inventory{
	{What: "abstract: both schemes guarantee recovery from any kind of multiple faults; scheme 1",
		Claim: &strict},
	{What: "abstract: the same, scheme 2", Claim: &anyFaults},
	{What: "abstract: scheme 2 saves the delay of the repair", Claim: &latency},
	{What: "introduction: ME1", Claim: &me1},
	{What: "introduction: ME2", Claim: &me2},
	{What: "introduction: ME3", Claim: &me3},
	{What: "introduction: the coordinator is the largest, found by an election", Claim: &elects},
	{What: "introduction: the order in the ring is irrelevant", Claim: &irrelevant},
	{What: "introduction: absolute reliability of the basic algorithm", Claim: &reliable},
	{What: "Figure 1, and the lists AutoList_1 to AutoList_6 of section 3", Claim: &examples},
	{What: "section 1, Figure 2: failures of processes and of channels", Claim: &channels},
	{What: "section 1, Figure 2: a failed channel is a failed process; fail-stop", Claim: &lastingChannels},
	{What: "section 1, scheme 1: ME1 and ME2 strictly", Claim: &strict},
	{What: "section 1, scheme 1: resume from the state they were in", Claim: &resumption},
	{What: "section 1, scheme 1: the whole system stops", Claim: &stopping},
	{What: "section 1, scheme 2: recovery from any fail-stop failures", Claim: &anyFaults},
	{What: "section 1, scheme 2: latency", Claim: &latency},
	{What: "Figure 3: six processes of which three fail", Claim: &figure3Claim},
	{What: "section 1: (n-k) resilience", Claim: &resilience},
	{What: "section 1, MIN_K: a minimum of k faultless processes", Claim: &notFewer},
	{What: "section 1: 1 < k <= n; algorithm 1.1: 1 <= MIN_K", Claim: &rangeOfK},
	{What: "section 1: (n-1) at most, one point", Claim: &onePoint},
	{What: "section 1: scheme 3, elasticity", Claim: &stretching},
	{What: "section 2: the chain CEH, RUP, E, MrkME, Mx1ME; section 4: RUP starts E", Claim: &starting},
	{What: "section 2: one and only one active token", Claim: &oneActive},
	{What: "section 2: OnRelease, rectified", Claim: &rectified},
	{What: "section 2, reference [8]: the handlers of scheme 1", Claim: &printedHandlers},
	{What: "section 2: Mx1ME.GD equals Mx1ME", Claim: &equal},
	{What: "section 3: MAX_CEH_ERR, scheme 1", Claim: &exhausted},
	{What: "section 3, Algorithms 1.1 and 1.2: the next candidate", Claim: &neighbours},
	{What: "Algorithm 1.2, OnOutputError: the condition on AutoList; section 4", Claim: &autoLists},
	{What: "Algorithms 2.1 and 2.2: ListPIds := list", Claim: &assignment},
	{What: "section 4: failures during RUP.GD", Claim: &incomplete},
	{What: "conclusion: the test bed and its modes", Claim: &testBed},
}
