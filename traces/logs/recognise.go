package logs

import (
	"bytes"
	"io"
	"os"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/logs/products"
)

// Recognise looks for a product whose texts the beginnings of the files have, unless the options say how to
// read them, and sets Options.Product. If one server has written the only file, the order of its lines
// becomes the order of the events. A file that cannot be read is left to the Reader.
func Recognise(files []string, opt *formats.Options) error {
	if opt.Format != "" || opt.Mapping != nil {
		return nil
	}
	var starts [][]byte
	for _, name := range files {
		start, err := startOf(name, opt)
		if err != nil {
			return err
		}
		if hasHeader(start) {
			return nil
		}
		starts = append(starts, start)
	}
	opt.Product = products.Recognise(starts)
	if p := opt.Product; p != nil && p.Order == "lines" && len(files) == 1 && opt.Skew == nil && !opt.ByTime {
		opt.Lines = true
	}
	return nil
}

// startOf returns the beginning of a file, and keeps the one of standard input for the Reader.
func startOf(name string, opt *formats.Options) (start []byte, err error) {
	if name == formats.Stdin {
		if opt.Stdin == nil {
			return nil, nil
		}
		start, err = io.ReadAll(io.LimitReader(opt.Stdin, learnBytes))
		opt.Stdin = io.MultiReader(bytes.NewReader(start), opt.Stdin)
		return start, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil
	}
	defer func() { _ = f.Close() }() // it was only read
	if start, err = formats.TextOf(f, learnBytes); err != nil {
		return nil, nil
	}
	return start, nil
}

// hasHeader reports whether a log begins with a line of this program: a header with a model, or a trace.
func hasHeader(start []byte) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	return bytes.Contains(line, []byte(`"atmostk"`)) || formats.Detect(start) == "trace"
}
