package distributed

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs"
)

// The text of a model in a file travels to the workers among the files of the search. Its digest is part of
// the file's name, of the job, and of the name that a search gets by default. A built-in model travels as its
// name, though it may have a text.

// textFile is the name of the file with the text of a digest, a starfile.Source in JSON.
func textFile(digest string) string { return "text-" + digest + ".json" }

// name names the job, unless --id did.
func (c *Cluster) name(in model.Instance, j *Job) {
	path := j.Args[0]
	if strings.HasSuffix(path, starfile.Extension) {
		j.Text = in.Text
	}
	if j.Folder == "" {
		words := []string{strings.TrimSuffix(filepath.Base(path), starfile.Extension)}
		if j.Text != "" {
			words = append(words, j.Text)
		}
		j.Folder = strings.Join(append(words, strings.ToLower(rand.Text()[:6])), "-")
	}
}

// sendText writes the text of the model of a job for the workers.
func (c *Cluster) sendText(ctx context.Context, j *Job) error {
	if j.Text == "" {
		return nil
	}
	path := j.Args[0]
	source, err := starfile.ReadSource(path)
	switch {
	case err != nil:
		return err
	case source.Digest() != j.Text:
		return usage.Errorf("%s was changed while it was read: start the search again", path)
	}
	return writeText(c.files.In(ctx, j.Folder), source)
}

// writeText writes a text to the files of a search.
func writeText(files store.Files, source starfile.Source) error {
	text, err := json.Marshal(source)
	if err != nil {
		return err
	}
	return write(files, textFile(source.Digest()), text)
}

// write writes a file that has some content.
func write(files store.Files, name string, content []byte) error {
	f, err := files.Create(name)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Commit()
}

// read returns the content of a file.
func read(files store.Files, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(f)
	return content, cmp.Or(err, f.Close())
}

// readText reads the text of a digest from the files of a search. Any other text is refused.
func readText(files store.Files, digest string) (source starfile.Source, err error) {
	name := textFile(digest)
	text, err := read(files, name)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(text, &source) != nil || source.Digest() != digest {
		return nil, &store.DamagedError{File: name, What: "it is not the text that the search began with"}
	}
	return source, nil
}

// instantiate returns the instance of a job, by a model of this program, or by a text among the files of the
// search. A worker never opens the path of a model on its own machine.
func instantiate(files store.Files, j *Job) (in model.Instance, err error) {
	var spec *model.Spec
	if j.Text == "" {
		i := slices.IndexFunc(specs.All, func(s model.Spec) bool { return s.Name == j.Args[0] })
		if i < 0 {
			return in, usage.Errorf("this worker has no model %s", j.Args[0])
		}
		spec = &specs.All[i]
	} else {
		source, err := readText(files, j.Text)
		if err != nil {
			return in, err
		}
		if spec, err = source.Load(j.Args[0]); err != nil {
			return in, usage.Errorf("the text of the model does not fit this program: %v", err)
		}
	}
	in, _, err = spec.Instantiate(j.Args[1:])
	return in, err
}
