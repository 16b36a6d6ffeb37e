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

	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/printable"
)

// lastPrefix is what the names of kept counterexamples begin with, and mostKept how many are kept.
const (
	lastPrefix = "last/"
	mostKept   = 20
)

// lastFolder is where the last counterexamples are kept that check found.
func (p *Program) lastFolder() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, p.Name, filepath.FromSlash(lastPrefix)), nil
}

// lastNames lists the counterexamples that are kept, the latest first.
func (p *Program) lastNames() (names []string, err error) {
	dir, err := p.lastFolder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	written := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".ndjson") {
			written[e.Name()] = info.ModTime()
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(written[b].Compare(written[a]), cmp.Compare(b, a))
	})
	return names, nil
}

// keepLast keeps the first counterexample of a check, so that replay can show it without another
// search. Where there is no place for it, nothing is kept: nobody asked for it.
func (a *app) keepLast(c *checked) {
	run := c.Counterexample()
	if run == nil {
		return
	}
	dir, err := a.lastFolder()
	if err != nil || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	t := *run.Trace
	if t.Folder, err = os.Getwd(); err != nil {
		return
	}
	if strings.HasSuffix(t.Spec, starfile.Extension) && !filepath.IsAbs(t.Spec) {
		t.Spec = filepath.Join(t.Folder, t.Spec)
	}
	name, err := reserved(dir, strings.TrimSuffix(filepath.Base(t.Spec), starfile.Extension))
	if err != nil || traces.WriteFile(filepath.Join(dir, name), &t) != nil {
		return
	}
	c.Kept = lastPrefix + name
	if names, err := a.lastNames(); err == nil {
		for _, old := range names[min(mostKept, len(names)):] {
			_ = os.Remove(filepath.Join(dir, old)) // another check may have removed it
		}
	}
}

// reserved makes a file that is not there yet, whose name says when and of which model.
func reserved(dir, model string) (name string, err error) {
	base := time.Now().UTC().Format("20060102-150405-") + model
	for i := 1; ; i++ {
		if name = base + ".ndjson"; i > 1 {
			name = fmt.Sprintf("%s-%d.ndjson", base, i)
		}
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return name, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
}

// replayed returns the file that replay is given, which may be one of those kept. Without one it is the last
// that was found in this folder, else the last of a model that the program has, and says which.
func (a *app) replayed(args []string) (string, error) {
	dir, err := a.lastFolder()
	if len(args) > 0 {
		name, is := strings.CutPrefix(filepath.ToSlash(args[0]), lastPrefix)
		if _, missing := os.Stat(args[0]); is && missing != nil && err == nil {
			return filepath.Join(dir, name), nil
		}
		return args[0], nil
	}
	if err != nil {
		return "", inputError{fmt.Errorf("no file is given, and no counterexample is kept: %w", err)}
	}
	names, err := a.lastNames()
	if err != nil {
		return "", inputError{err}
	}
	here, _ := os.Getwd() // else none was found here
	taken := ""
	for _, name := range names {
		t, err := traces.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if _, err := a.Spec(t.Spec); err == nil && (taken == "" || t.Folder == here) {
			if taken = name; t.Folder == here {
				break
			}
		}
	}
	switch {
	case taken != "":
		printable.Fprintf(a.diag, "%s: no file is given; this is ", a.Name)
		a.kept(a.diag, dir, taken)
		return filepath.Join(dir, taken), nil
	case len(names) > 0:
		return "", inputError{fmt.Errorf("no file is given, and of no counterexample kept at %s the model "+
			"is there; `%s replay --list` shows them", dir, a.Name)}
	}
	return "", inputError{fmt.Errorf("no file is given, and no counterexample is kept at %s: check has "+
		"found none yet", dir)}
}

// kept writes of a kept counterexample what it shows, of which model, and where and when it was found.
func (a *app) kept(w io.Writer, dir, name string) {
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

// listLast lists the counterexamples that are kept.
func (a *app) listLast() error {
	names, err := a.lastNames()
	if err != nil {
		return inputError{err}
	}
	dir, _ := a.lastFolder() // it is there: names are
	for _, name := range names {
		a.kept(a.out, dir, name)
	}
	if names == nil {
		printable.Fprintln(a.out, "no counterexample is kept")
	}
	return nil
}
