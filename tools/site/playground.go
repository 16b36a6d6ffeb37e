package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/atmostk/atmostk/specs/gallery"
)

// exampleModels are files of specs/files that the playground has beside the gallery, with the arguments of
// their check. The first one is shown first.
var exampleModels = []struct{ name, args string }{
	{"raymond", "n=3 k=2 crashes=1"},
	{"die-hard", ""},
	{"2pc", ""},
	{"lamport-mutex", ""},
	{"chang-roberts", ""},
	{"bounded-buffer", ""},
	{"ewd840", ""},
	{"abstract-lock", ""},
	{"permission-lock", ""},
	{"atomic-commit", ""},
}

// examples is the script with the models that the playground begins with.
func (s *site) examples() ([]byte, error) {
	type example struct {
		Title string `json:"title"`
		Args  string `json:"args"`
		Text  string `json:"text"`
	}
	b := []byte("const playgroundExamples = {\n")
	add := func(name, args, text string) error {
		title, _, _ := strings.Cut(strings.TrimPrefix(text, `"""`), "\n")
		is, err := json.Marshal(example{strings.TrimSuffix(title, "."), args, text})
		b = fmt.Appendf(b, "%q: %s,\n", name, is)
		return err
	}
	for _, x := range exampleModels {
		text, err := os.ReadFile(filepath.Join(s.root, "specs", "files", x.name+".star"))
		if err == nil {
			err = add(x.name, x.args, string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, name := range gallery.Names() {
		text, err := gallery.Text(name)
		if err == nil {
			err = add("gallery/"+name, "mistake=no", text)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(b, "};\n"...), nil
}

// compiled is the script with the program, compiled for browsers and packed, and with the scripts of its
// worker: the page also works when it was opened from a disk, without a network.
func compiled() ([]byte, error) {
	folder, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a temporary folder
	file := filepath.Join(folder, "program.wasm")
	// Nothing is inlined in the verbs, in runs and their forms, and in what reads the command line and
	// tables, once: that saves 29 of 4,000 KB.
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-gcflags=github.com/spf13/...=-l",
		"-gcflags=go.yaml.in/yaml/v3=-l", "-gcflags=github.com/atmostk/atmostk/cmd/...=-l",
		"-gcflags=github.com/atmostk/atmostk/traces/...=-l",
		"-o", file, "./playground/program")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the program for browsers: %w\n%s", err, out)
	}
	// The runtime of another compiler would not fit the program.
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	goRoot := os.DirFS(strings.TrimSpace(string(root)))
	var packed, worker bytes.Buffer
	for _, x := range []struct {
		in   fs.FS
		name string
	}{{embedded, "playground/files.js"}, {goRoot, "lib/wasm/wasm_exec.js"},
		{embedded, "playground/worker.js"}} {
		text, err := fs.ReadFile(x.in, x.name)
		if err != nil {
			return nil, err
		}
		worker.Write(append(text, '\n'))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	script, err := json.Marshal(worker.String())
	return fmt.Appendf(nil, "const atmostkWorker = %s;\nconst atmostkProgram = %q;\n", script,
		base64.StdEncoding.EncodeToString(packed.Bytes())), err
}
