package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// lastPrefix begins the names of kept counterexamples. mostKept is the most that are kept.
const (
	lastPrefix = "last/"
	mostKept   = 20
)

// kept returns the folder of the kept counterexamples and the names of its files, the latest first.
func (a *app) kept() (dir string, names []string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", nil, err
	}
	dir = filepath.Join(cache, a.Name, filepath.FromSlash(lastPrefix))
	names, err = fs.Glob(os.DirFS(dir), "*.ndjson")
	written := map[string]time.Time{}
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			written[name] = info.ModTime()
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(written[b].Compare(written[a]), cmp.Compare(b, a))
	})
	return dir, names, err
}

// keepLast keeps a counterexample, so that replay can show it without another search, and returns its name
// for replay. It keeps nothing, and returns "", if run is nil or the folder cannot be written.
func (a *app) keepLast(run *traces.Run) string {
	if run == nil { // most of the time: the folder need not be read
		return ""
	}
	dir, names, err := a.kept()
	if err != nil || os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	t := *run.Trace
	if t.Folder, err = os.Getwd(); err != nil || !utf8.ValidString(t.Folder) {
		return ""
	}
	if strings.HasSuffix(t.Spec, starfile.Extension) && !filepath.IsAbs(t.Spec) {
		t.Spec = filepath.Join(t.Folder, t.Spec)
	}
	// The name has the time and the model.
	base := time.Now().UTC().Format("20060102-150405-") +
		strings.TrimSuffix(filepath.Base(t.Spec), starfile.Extension)
	name := base + ".ndjson"
	for i := 2; ; i++ {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil && f.Close() == nil {
			break
		} else if !errors.Is(err, fs.ErrExist) {
			return ""
		}
		name = fmt.Sprintf("%s-%d.ndjson", base, i)
	}
	if traces.WriteFile(filepath.Join(dir, name), &t) != nil {
		return ""
	}
	for _, old := range names[min(mostKept-1, len(names)):] {
		_ = os.Remove(filepath.Join(dir, old)) // another check may have removed it
	}
	return lastPrefix + name
}

// replayed returns the file to replay, which may be a kept one. Without an argument it returns and names the
// last kept file from this folder or, if there is none, the last one of a model of this program.
func (a *app) replayed(args []string) (string, error) {
	dir, names, err := a.kept()
	if len(args) > 0 {
		name, is := strings.CutPrefix(filepath.ToSlash(args[0]), lastPrefix)
		if _, missing := os.Stat(args[0]); is && missing != nil && dir != "" {
			return filepath.Join(dir, name), nil
		}
		return args[0], nil
	}
	if err != nil {
		return "", badInput(fmt.Errorf("no file is given, and no counterexample is kept: %w", err))
	}
	here, _ := os.Getwd() // "" matches no folder
	taken := ""
	for _, name := range names {
		t, err := traces.ReadFile(filepath.Join(dir, name))
		if err != nil || taken != "" && t.Folder != here {
			continue
		}
		if _, err := a.Spec(t.Spec); err != nil {
			continue
		}
		if taken = name; t.Folder == here {
			break
		}
	}
	switch {
	case taken != "":
		printable.Fprintf(a.diag, "%s: no file is given; this is ", a.Name)
		a.writeKept(a.diag, dir, taken)
		return filepath.Join(dir, taken), nil
	case len(names) > 0:
		return "", badInput(fmt.Errorf("no file is given, and %s has no model of the counterexamples kept "+
			"at %s; `%[1]s replay --list` shows them", a.Name, dir))
	}
	return "", badInput(fmt.Errorf("no file is given, and no counterexample is kept at %s: check has not "+
		"found one yet", dir))
}

// writeKept writes the model, the property, the folder and the time of a kept counterexample.
func (a *app) writeKept(w io.Writer, dir, name string) {
	path := filepath.Join(dir, name)
	t, err := traces.ReadFile(path)
	info, gone := os.Stat(path)
	if err = cmp.Or(err, gone); err != nil {
		printable.Fprintf(w, "%s%s: %v\n", lastPrefix, name, err)
		return
	}
	printable.Fprintf(w, "%s%s\n  %s: %s %s\n  found %s in %s\n", lastPrefix, name, cmp.Or(a.About(t).Args,
		t.Spec), t.Property, t.Verdict, info.ModTime().Format(time.DateTime), t.Folder)
}

func (a *app) listLast() error {
	dir, names, err := a.kept()
	if err != nil {
		return badInput(err)
	}
	for _, name := range names {
		a.writeKept(a.out, dir, name)
	}
	if names == nil {
		printable.Fprintln(a.out, "no counterexample is kept")
	}
	return nil
}

// writable returns an error if a file cannot be written, so that it comes before the search and not after it.
// "" means no file.
func writable(file string) error {
	info, err := os.Stat(file)
	switch {
	case file == "":
		return nil
	case err == nil && info.IsDir():
		return usage.Errorf("--trace=%s is a directory; allowed are files", file)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a terminal
		return nil
	}
	t, err := os.CreateTemp(filepath.Dir(file), ".trace-*")
	if err == nil {
		err = cmp.Or(t.Close(), os.Remove(t.Name()))
	}
	return unwritable(file, err)
}

// unwritable is the error that a trace file cannot be written; nil if err is nil.
func unwritable(file string, err error) error {
	if err == nil {
		return nil
	}
	return badOutput(fmt.Errorf("--trace=%s cannot be written: %w", file, err))
}

// writeTraces writes runs to files; "": to no file. The first run goes to file, each other one to a file
// beside it with the name of its property before the extension.
func writeTraces(file string, runs []*traces.Run) error {
	for i, run := range runs {
		if file == "" {
			break
		}
		name := file
		if i > 0 {
			ending := filepath.Ext(file)
			property := strings.NewReplacer("/", "%2F", "%", "%25").Replace(run.Trace.Property)
			name = strings.TrimSuffix(file, ending) + "." + property + ending
		}
		if err := traces.WriteFile(name, run.Trace); err != nil {
			return unwritable(name, err)
		}
		run.File = name
	}
	return nil
}
