//go:build !js

package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/atmostk/atmostk/cmd/internal/term"
	"github.com/atmostk/atmostk/model"
	starfile "github.com/atmostk/atmostk/model/starlark"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces"
	"github.com/atmostk/atmostk/traces/page"
	"github.com/atmostk/atmostk/traces/printable"
	"github.com/atmostk/atmostk/traces/tty"
)

type exploreFlags struct {
	Port    int
	Path    string
	Initial int
	Tty     bool
}

func (a *app) runExplore(c *cobra.Command, args []string, f *exploreFlags) error {
	if len(args) == 0 || len(args) == 1 && a.isRun(args[0]) {
		return a.exploreRun(c.Context(), args, f)
	}
	of, err := a.Played(args[0], args[1:])
	if err != nil {
		return err
	}
	start, err := pathOf(f.Path, f.Initial)
	if err != nil {
		return err
	}
	return a.servePage(c.Context(), of.Instance, of.Header(""), start, f)
}

// isRun reports whether an argument names the file of a run, not a model.
func (a *app) isRun(name string) bool {
	info, err := os.Stat(name)
	return strings.HasPrefix(filepath.ToSlash(name), lastPrefix) || err == nil && info.Mode().IsRegular() &&
		!strings.HasSuffix(name, starfile.Extension) &&
		!slices.ContainsFunc(a.Specs, func(s model.Spec) bool { return s.Name == name })
}

// pathOf reads --path.
func pathOf(text string, initial int) (page.Path, error) {
	p := page.Path{Initial: initial, Choices: []int{}}
	if text == "" {
		return p, nil
	}
	for number := range strings.SplitSeq(text, ".") {
		k, err := strconv.Atoi(number)
		if err != nil || k < 0 {
			return p, usage.Errorf("--path=%s: allowed are numbers from 0, with dots between them", text)
		}
		p.Choices = append(p.Choices, k)
	}
	return p, nil
}

// exploreRun serves the page of the run in a file, or of the last kept run.
func (a *app) exploreRun(ctx context.Context, args []string, f *exploreFlags) error {
	if f.Path != "" || f.Initial != 0 {
		return usage.Errorf("--path and --initial begin at a state of a model; a run has its own path")
	}
	run, err := a.loadRun(args)
	if err != nil {
		return err
	}
	start, err := page.PathOf(run)
	if err != nil {
		return badInput(err)
	}
	h := run.Trace.Header
	h.Property, h.Kind, h.Verdict, h.CycleAt, h.Mistake = "", "", "", nil, nil
	return a.servePage(ctx, run.Instance(), h, start, f)
}

// servePage serves the live page of a model until the context ends.
func (a *app) servePage(ctx context.Context, in model.Instance, h traces.Header, start page.Path,
	f *exploreFlags) error {
	about := a.About(&traces.Trace{Header: h})
	s := &page.Server{In: in, Header: h, Start: start, About: func(t *traces.Trace, p page.Path) page.About {
		now := about
		now.Command = a.Again(t, about.Args)
		if p.Initial > 0 {
			now.Command += fmt.Sprintf(" --initial %d", p.Initial)
		}
		if len(p.Choices) > 0 {
			choices := strings.ReplaceAll(fmt.Sprint(p.Choices), " ", ".")
			now.Command += " --path " + strings.Trim(choices, "[]")
		}
		return now
	}}
	if err := s.Check(); err != nil {
		return usage.Errorf("--initial, --path: %v", err)
	}
	defer func() { a.code = term.Interrupted(ctx) }()
	switch err := within("port", f.Port, 0, 65535); {
	case err != nil:
		return err
	case !f.Tty:
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(f.Port)))
		if err != nil {
			return badOutput(fmt.Errorf("the page cannot be served: %w", err))
		}
		host := listener.Addr().String()
		handler, path := s.Handler(host)
		printable.Fprintln(a.out, "http://"+host+path)
		printable.Fprintln(a.diag, "Only this machine can open the page, until this command is interrupted.")
		a.status.Store("serving a page")
		return serve(ctx, listener, handler)
	case !a.out.Terminal():
		return usage.Errorf("--tty shows the explorer on a terminal, and the output is not a terminal")
	}
	a.status.Store("exploring")
	if err := tty.Run(ctx, s, a.in, a.out.W); err != nil {
		return badOutput(err)
	}
	return nil
}

// serve answers requests until the context ends.
func serve(ctx context.Context, l net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return badOutput(err)
	}
	return nil
}
