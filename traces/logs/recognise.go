package logs

import (
	"bytes"
	"fmt"
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
		if native(start) {
			return nil
		}
		starts = append(starts, start)
	}
	opt.Product = products.Recognise(starts)
	switch p := opt.Product; {
	case p == nil:
	case p.Refuses != "":
		return fmt.Errorf("%s: it is read as the log of %s and not judged: %s", files[0], p.Name, p.Refuses)
	case p.Order == "lines" && len(files) == 1 && opt.Skew == nil && !opt.ByTime:
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

// native reports whether a log has a format that needs no recognition. ndjson and logfmt need none if there
// is a header, or if the first lines name the node and an event of a lock.
func native(start []byte) bool {
	format := formats.Detect(bytes.TrimSpace(start))
	if format != "ndjson" && format != "logfmt" {
		return format != ""
	}
	const looked = 100 // lines
	n := 0
	for line := range bytes.Lines(start) {
		fields := formats.FieldsOf(format, bytes.TrimSpace(line))
		var event string
		raw := fields["event"]
		if raw == nil {
			raw = fields["msg"]
		}
		_ = formats.Text("event", raw, &event) // another value is no name
		if n++; n > looked {
			break
		}
		if fields["atmostk"] != nil || fields["node"] != nil && formats.RoleOf(event) != formats.Other {
			return true
		}
	}
	return false
}
