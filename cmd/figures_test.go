package cmd_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFigures: the logs of VCube's Figures 4 and 5 are explained by runs of the models, and are
// not with a message to somebody else.
func TestFigures(t *testing.T) {
	for _, figure := range []string{"figure4", "figure5"} {
		file := filepath.Join("..", "docs", "claims", "vcube", figure+".log")
		run(t, "validate", file)
		log, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		wrong := filepath.Join(t.TempDir(), figure+".log")
		other := strings.Replace(string(log), `{"to":"p3"`, `{"to":"p1"`, 1)
		if other == string(log) {
			t.Fatalf("%s has no message to p3", file)
		}
		if err := os.WriteFile(wrong, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, diag bytes.Buffer
		args := []string{"validate", "--budget", "repair=0", wrong}
		if code := atmostk.Run(context.Background(), args, nil, &out, &diag); code != 1 && code != 3 {
			t.Errorf("%s with a message to somebody else: exit code %d\n%s%s", figure, code, out.String(),
				diag.String())
		}
	}
}
