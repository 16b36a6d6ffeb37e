package ring

import "testing"

// TestInventory: the page judges whatever the paper claims, and claims nothing else.
func TestInventory(t *testing.T) {
	inventory := Paper.Open().Inventory
	for _, missing := range inventory.Missing(Paper.Claims) {
		t.Error(missing)
	}
	if got := inventory[3:].Missing(Paper.Claims); len(got) != 0 { // each of the three has another item
		t.Errorf("abstract left out: %v", got)
	}
	if got := inventory.Missing(Paper.Claims[:len(Paper.Claims)-1]); len(got) != 1 {
		t.Errorf("a claim less: %v", got)
	}
}
