package timerfree

import "testing"

// TestInventory: the page judges whatever the paper claims, and claims nothing else.
func TestInventory(t *testing.T) {
	inventory := Paper.Open().Inventory
	for _, missing := range inventory.Missing(Paper.Claims) {
		t.Error(missing)
	}
	if got := inventory[1:].Missing(Paper.Claims); len(got) != 1 {
		t.Errorf("without what messages are for: %v", got)
	}
	if got := inventory.Missing(Paper.Claims[3:]); len(got) == 0 {
		t.Error("three claims less, and none is missing")
	}
}
