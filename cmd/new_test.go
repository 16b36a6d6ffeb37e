package cmd_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/cmd"
)

// TestExploreFile serves the page of a model in a file.
func TestExploreFile(t *testing.T) {
	text, err := os.ReadFile("../specs/files/die-hard.star")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write(t, "jugs.star", string(text))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	said, out := io.Pipe()
	ended := make(chan int)
	go func() {
		var diag bytes.Buffer
		ended <- cmd.Program{Name: "atmostk"}.Run(ctx, []string{"explore", "jugs.star"}, strings.NewReader(""), out, &diag)
	}()
	address, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	page, err := http.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	shown, err := io.ReadAll(page.Body)
	if err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(shown), "jugs.star") {
		t.Errorf("%s, %v: %.200s", page.Status, err, shown)
	}
	stop()
	if code := <-ended; code != 130 {
		t.Errorf("exit code %d", code)
	}
}

// TestNewModule compiles the module that `new --lang go` writes, runs its test, and checks its model.
func TestNewModule(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var out, diag bytes.Buffer
	args := []string{"new", "lock", "--lang", "go"}
	if code := (cmd.Program{Name: "atmostk"}).Run(context.Background(), args, strings.NewReader(""), &out, &diag); code != 0 {
		t.Fatalf("exit code %d: %s", code, diag.String())
	}
	mod, err := os.ReadFile("lock/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "lock/go.mod", strings.Replace(string(mod), "=> ../atmostk\n", "=> "+root+"\n", 1))
	write(t, "lock/go.sum", string(sums))
	t.Chdir("lock")
	t.Setenv("GOFLAGS", "-mod=mod -buildvcs=false -trimpath")
	t.Setenv("GOPROXY", "off")
	for _, line := range []string{
		"go vet .", "go test .", "go build", "./lock check lock", "./lock check lock mistake=yes --trace run.ndjson; test $? = 1",
		"./lock replay run.ndjson --as chart",
	} {
		said, err := exec.Command("sh", "-c", line).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, said)
		}
		if strings.HasSuffix(line, "chart") && !strings.Contains(string(said), "2 units in use, k=1") {
			t.Errorf("%s:\n%s", line, said)
		}
	}
}
