package timerfree

import (
	"github.com/atmostk/atmostk/model/papers"
)

// inventory lists the paper's theorems, lemmas, algorithm, bounds, examples and figures, each
// with the claim of the page that judges it.
var inventory = papers.Inventory{
	{What: "abstract, section 1: no extra messages for detecting failures", Claim: &noExtra},
	{What: "section 1: k at once in spite of crashes", Claim: &capacity},
	{What: "section 1: fewer messages after detected crashes", Claim: &fewer},
	{What: "section 1: strong completeness", Claim: &theorem1},
	{What: "section 1: perpetual strong accuracy", Claim: &lemma1},
	{What: "sections 1, 2, 4, 4.2 and 7: f < k, 1 < f < k, 1 <= f < k", Claim: &bounds},
	{What: "section 2: reliable channels", Claim: &lossless},
	{What: "section 2: the Responsiveness Property", Claim: &responsive},
	{What: "section 3, first example: a ring", Claim: &ringExample},
	{What: "section 3, second example: a grid", Claim: &gridExample},
	{What: "Algorithm 1", Claim: &listing},
	{What: "section 4.1, footnote 1", Claim: &footnote},
	{What: "section 4.1: perm_count, have_perm, lines 24-26", Claim: &permissions},
	{What: "section 4.1: not_rec_from", Claim: &missing},
	{What: "section 4.1: pending, lines 17-19 and 30", Claim: &deferred},
	{What: "section 4.1: conditions (1) and (2)", Claim: &toldOf},
	{What: "section 4.1: a crash that is not known costs efficiency only", Claim: &capacity},
	{What: "Theorem 1", Claim: &theorem1},
	{What: "Lemma 1", Claim: &lemma1},
	{What: "Lemma 2", Claim: &lemma2},
	{What: "Lemma 2, the cases of its proof", Claim: &proof2},
	{What: "Lemma 3", Claim: &lemma3},
	{What: "Lemma 3, a step of its proof", Claim: &proof3},
	{What: "Theorem 2", Claim: &theorem2},
	{What: "section 5: Raymond's algorithm tolerates k-1 crashes", Claim: &raymondTolerates},
	{What: "sections 1, 5 and 5.3: Raymond's algorithm loses a unit with each crash", Claim: &raymondLoses},
	{What: "section 5.2: more messages than Raymond's algorithm", Claim: &surplus},
	{What: "Figure 1: obtaining time", Claim: &figure1},
	{What: "Figure 2: waiting queue", Claim: &figure2},
	{What: "Figure 3: critical sections per second", Claim: &figure3},
	{What: "section 5.2: no significant overhead", Claim: &overhead},
	{What: "section 5.3: units in use after nine crashes", Claim: &efficiency},
	{What: "Figure 4: detection time", Claim: &figure4},
	{What: "section 6: n-1 crashes, n - k log2(2n/k) failures", Claim: &related},
	{What: "section 7: efficiency comes back when crashes are detected", Claim: &capacity},
}
