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
		p := cmd.Program{Name: "atmostk"}
		ended <- p.Run(ctx, []string{"explore", "jugs.star"}, strings.NewReader(""), out, &diag)
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

// TestWatchFile saves a model with a mistake, and wants to be told what changed.
func TestWatchFile(t *testing.T) {
	t.Chdir(t.TempDir())
	p := cmd.Program{Name: "atmostk"}
	var none bytes.Buffer
	args := []string{"new", "lock"}
	if code := p.Run(context.Background(), args, strings.NewReader(""), &none, &none); code != 0 {
		t.Fatal(none.String())
	}
	model, err := os.ReadFile("lock.star")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	said, out := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- p.Run(ctx, []string{"check", "lock.star", "--watch"}, strings.NewReader(""), out, out)
	}()
	lines := bufio.NewScanner(said)
	until := func(begin string) (text string) {
		for lines.Scan() {
			text += lines.Text() + "\n"
			if strings.HasPrefix(lines.Text(), begin) {
				return text
			}
		}
		t.Fatalf("it ends without %q:\n%s", begin, text)
		return ""
	}
	until("watching lock.star")
	write(t, "lock.star", strings.Replace(string(model), `"mistake", "no"`, `"mistake", "yes"`, 1))
	told := until("watching lock.star")
	for _, want := range []string{"changed: states: 19 -> ", "changed: at-most-k: holds -> violated"} {
		if !strings.Contains(told, want) {
			t.Errorf("it does not tell %q:\n%s", want, told)
		}
	}
	write(t, "lock.star", "x = = 1\n")
	if told := until("watching lock.star"); !strings.Contains(told, "atmostk: lock.star:1:5: ") {
		t.Errorf("it does not tell of the mistake:\n%s", told)
	}
	stop()
	go func() { _, _ = io.Copy(io.Discard, said) }()
	if code := <-ended; code != 130 {
		t.Errorf("exit code %d", code)
	}
}

// TestNewModule compiles the module that `new --lang go` writes, runs its test, and checks its model.
func TestNewModule(t *testing.T) {
	buildsModules(t)
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var out, diag bytes.Buffer
	p, args := cmd.Program{Name: "atmostk"}, []string{"new", "lock", "--lang", "go"}
	if code := p.Run(context.Background(), args, strings.NewReader(""), &out, &diag); code != 0 {
		t.Fatalf("exit code %d: %s", code, diag.String())
	}
	mod, err := os.ReadFile("lock/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("lock")
	write(t, "go.mod", beside(t, string(mod), root))
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+quickly+" -buildvcs=false")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "")
	for _, line := range []string{
		"GOWORK=off go list -mod=mod -deps -test .", // its go.mod is enough without the workspace
		"go vet .", "go test -vet=off .", "go build", "./lock check lock",
		"./lock check lock mistake=yes --trace run.ndjson; test $? = 1",
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
