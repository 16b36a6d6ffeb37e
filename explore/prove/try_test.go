package prove

import (
	"fmt"
	"os"
	"testing"
)

func TestTry(t *testing.T) {
	th, err := translate(os.Getenv("TRY"), map[string]string{"k": os.Getenv("K"), "order": os.Getenv("ORDER")}, map[string]bool{os.Getenv("R1"): true, os.Getenv("R2"): true})
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range th.goals() {
		_ = os.WriteFile(fmt.Sprintf("/tmp/goals/%03d.smt2", i), []byte(th.text(g, size{}, nil)), 0o644)
	}
	t.Log(th.notes)
}
