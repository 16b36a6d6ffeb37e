package vcube

import "github.com/atmostk/atmostk/model"

// inventory lists the paper's theorem, lemmas, algorithms, equation, bounds and figures, each
// with the claim of the page that judges it.
var inventory = model.Inventory{
	{What: "highlights, abstract, section 1: tolerates n-1 crashes", Claim: &theorem74},
	{What: "section 1: logarithmic message complexity of the dissemination", Claim: &linear},
	{What: "section 1: Raymond's algorithm takes up to 2(n-1) messages and n-k replies", Claim: &messagesPerRequest},
	{What: "section 1: Raymond's algorithm tolerates k-1 crashes, each of which takes a unit", Claim: &raymondTolerates},
	{What: "sections 1 and 3: T is the weakest detector; only in a synchronous system", Claim: &synchronous},
	{What: "section 2: 2(n-1) messages for Ricart and Agrawala's algorithm", Claim: &messagesPerRequest},
	{What: "section 2: 3(n-1), d 2^d, 2d, O(log n) for others", Claim: &related},
	{What: "section 2: BAS tolerates n-1 crashes", Claim: &basTolerates},
	{What: "sections 3 and 4: log2 n links, distance log2 n", Claim: &logarithmic},
	{What: "sections 3 and 4: the logarithmic properties are kept after failures", Claim: &selfHealing},
	{What: "section 4: the square of log2 n rounds", Claim: &latency},
	{What: "section 4: n log2 n tests in log2 n rounds", Claim: &tests},
	{What: "section 4: a logarithmic number of rounds after a change", Claim: &logarithmicRounds},
	{What: "section 4: a logarithmic number of tests after a change", Claim: &logarithmicTests},
	{What: "equation (1), Figure 1", Claim: &figures12},
	{What: "section 5: n-1 messages in a tree", Claim: &shape},
	{What: "section 5.1: cluster_i(j)", Claim: &clusters},
	{What: "section 5.1: examples of FF_neighbor and neighborhood", Claim: &examples},
	{What: "section 5.2: who is a leaf", Claim: &leaf},
	{What: "Algorithm 5.1, section 5.2: what is sent after a crash", Claim: &startedOnly},
	{What: "Figure 2", Claim: &figures12},
	{What: "Lemma 5.1, with Figure 3, which pictures its proof", Claim: &lemma51},
	{What: "Algorithm 6.1, section 6.2: a broadcast is concluded", Claim: &acknowledged},
	{What: "Figure 4", Claim: &figure4Claim},
	{What: "Lemma 6.1", Claim: &lemma61},
	{What: "Lemma 6.2", Claim: &lemma62},
	{What: "Theorem 6.3", Claim: &theorem63},
	{What: "Algorithm 7.1, section 7.2: perm_count, n-f-k permissions", Claim: &permissions},
	{What: "Figure 5", Claim: &figure5Claim},
	{What: "Lemma 7.1", Claim: &lemma71},
	{What: "Lemma 7.2", Claim: &lemma72},
	{What: "Lemma 7.3", Claim: &lemma73},
	{What: "Theorem 7.4", Claim: &theorem74},
	{What: "section 8: VCube sends more messages for a request, RAY and BAS equally many", Claim: &messagesPerRequest},
	{What: "Figures 6 to 12, and what is concluded from them", Claim: &simulated},
}
