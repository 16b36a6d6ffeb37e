package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed playground/*.js playground/*.html playground/*.css
var playground embed.FS

// examples are the models of the playground, with the arguments of their check. The first one is shown first.
var examples = []struct{ name, args string }{
	{"raymond", "n=3 k=2 crashes=1"},
	{"die-hard", ""},
	{"2pc", ""},
	{"lamport-mutex", ""},
	{"chang-roberts", ""},
	{"bounded-buffer", ""},
	{"ewd840", ""},
}

// writePlayground writes the page on which models are written and checked: the program is compiled for
// browsers and stands in a script, so that the page also works when it was opened from a disk, without a
// network.
func (s *site) writePlayground(dir string) error {
	for _, name := range []string{"playground.html", "playground.css", "playground.js", "codemirror.js"} {
		text, err := playground.ReadFile("playground/" + name)
		if err != nil {
			return err
		}
		if name == "playground.html" {
			name = "index.html"
		}
		if err := put(dir, "playground/"+name, text); err != nil {
			return err
		}
	}
	program, err := compiled()
	if err != nil {
		return err
	}
	if err := put(dir, "playground/program.js", program); err != nil {
		return err
	}
	models, err := s.exampleModels()
	if err != nil {
		return err
	}
	return put(dir, "playground/examples.js", models)
}

// exampleModels returns the script with the models that the playground begins with.
func (s *site) exampleModels() ([]byte, error) {
	type example struct {
		Title string `json:"title"`
		Args  string `json:"args"`
		Text  string `json:"text"`
	}
	var b bytes.Buffer
	b.WriteString("const playgroundExamples = {\n")
	for _, x := range examples {
		text, err := os.ReadFile(filepath.Join(s.root, "specs", "files", x.name+".star"))
		if err != nil {
			return nil, err
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), `"""`), "\n")
		is, err := json.Marshal(example{strings.TrimSuffix(title, "."), x.args, string(text)})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q: %s,\n", x.name, is)
	}
	b.WriteString("};\n")
	return b.Bytes(), nil
}

// runtimeOfGo returns the script of the present compiler: the script of another version would not fit the
// program.
func runtimeOfGo() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
}

// compiled returns the script that has the program, packed, and the scripts of its worker.
func compiled() ([]byte, error) {
	folder, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // a temporary folder
	file := filepath.Join(folder, "program.wasm")
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./playground/program")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the program for browsers: %w\n%s", err, out)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(program); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	var worker []byte
	for _, read := range []func() ([]byte, error){
		func() ([]byte, error) { return playground.ReadFile("playground/files.js") },
		runtimeOfGo,
		func() ([]byte, error) { return playground.ReadFile("playground/worker.js") },
	} {
		text, err := read()
		if err != nil {
			return nil, err
		}
		worker = append(append(worker, text...), '\n')
	}
	script, err := json.Marshal(string(worker))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "const atmostkWorker = %s;\nconst atmostkProgram = %q;\n",
		script, base64.StdEncoding.EncodeToString(packed.Bytes()))
	return b.Bytes(), nil
}
