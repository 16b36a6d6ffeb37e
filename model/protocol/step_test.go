package protocol

import "testing"

// TestManyCharges: what a step costs a process is counted however many messages it sends.
func TestManyCharges(t *testing.T) {
	var c Charges
	for range 70_000 {
		c.Add(3)
	}
	if c.All != 70_000 || c.To[3] != 70_000 {
		t.Errorf("%d messages in all, %d of them the process's; both are 70000", c.All, c.To[3])
	}
}
