package papers

import (
	"fmt"
	"strings"
)

// An Inventory lists what a paper claims: every numbered statement, bound and figure, each with
// the claim that judges it.
type Inventory []Item

// An Item is something that a paper claims.
type Item struct {
	What  string // "Lemma 5.1", "section 4: 6n messages in the worst case"
	Claim *Claim
}

// Markdown is the list as a table, with links to the claims on the same page.
func (inv Inventory) Markdown() string {
	var b strings.Builder
	fmt.Fprint(&b, "The paper's statements, bounds and figures, and where they are judged:\n\n")
	fmt.Fprint(&b, "| what the paper has | judged in |\n|---|---|")
	for _, item := range inv {
		fmt.Fprintf(&b, "\n| %s | [%s](#%s) |", item.What, item.Claim.Name, item.Claim.Key())
	}
	return b.String()
}

// Missing returns what a list of claims lacks: claims that the inventory names and the list
// does not have, and claims of the list that no item leads to.
func (inv Inventory) Missing(claims []Claim) (missing []string) {
	listed, led := map[string]bool{}, map[string]bool{}
	for i := range claims {
		listed[claims[i].Key()] = true
	}
	for _, item := range inv {
		led[item.Claim.Key()] = true
		if !listed[item.Claim.Key()] {
			missing = append(missing, fmt.Sprintf("%s: the page has no claim %q", item.What, item.Claim.Name))
		}
	}
	for i := range claims {
		if !led[claims[i].Key()] {
			missing = append(missing, fmt.Sprintf("no item leads to %q", claims[i].Name))
		}
	}
	return missing
}
