package distributed

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"golang.org/x/term"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs"
	"github.com/atmostk/atmostk/traces/printable"
)

// A Server starts an engine in this process and returns its address. The engine listens on the loopback only
// and ends with the process. It keeps its state in a file; "": in memory. Port 0 means any free port.
type Server func(file string, port int) (address string, err error)

// A Cluster is the part of the command that runs on a cluster.
type Cluster struct {
	Server Server // nil: this program has no engine
	Diag   io.Writer

	program string // with its version
	flags   clusterFlags
	id      string      // of the search for whose finds it searches runs; "": none
	pipes   []io.Closer // to the workers that this process started
	alive   atomic.Int64
	gone    chan struct{} // closed when the last of them has ended; nil: there are none
	engine  client.Client
	files   *Files
}

// clusterFlags are the flags of all verbs, as given.
type clusterFlags struct {
	files   string
	id      string // of a search; "": the name of the model with random letters
	shards  int    // a power of two
	small   int64  // see Job
	lost    time.Duration
	dev     int
	file    string // state of the engine in this process
	port    int
	workers int
	memory  string
}

const (
	defaultShards = 32
	defaultSmall  = 50_000
	mostShards    = 1024
	mostName      = 200 // bytes of --id: names of folders have at most 255
)

// Program returns the command over all models of atmostk, on a cluster. Notices besides reports go to diag.
func Program(server Server, diag io.Writer) cmd.Program {
	return cmd.Program{
		Name: "atmostk-cluster", Specs: specs.All, Remote: &Cluster{Server: server, Diag: diag},
	}
}

// kept are the verbs that do the same as in a program for one process.
var kept = []string{"list", "show", "replay", "explore", "help", "completion"}

// Extend removes the verbs that search in this process, and adds the verbs of a cluster.
func (c *Cluster) Extend(program string, root *cobra.Command) {
	c.program = identity(program)
	c.flags.shards, c.flags.small = defaultShards, defaultSmall
	for _, verb := range root.Commands() {
		switch name := verb.Name(); {
		case name == "check":
			c.place(verb)
			flags := verb.Flags()
			flags.DurationVar(&c.flags.lost, "lost-after", DefaultLost,
				"a worker that is silent for this time is lost, and another one gets its task")
			if c.Server != nil {
				flags.IntVar(&c.flags.dev, "dev", 0,
					"start an engine in this process, with this many workers")
				flags.StringVar(&c.flags.memory, "worker-memory", "512M",
					"with --dev: the memory of each worker")
			}
			flags.StringVar(&c.flags.id, "id", "", "the name of the search and of the folder of its files: "+
				"given again, it joins a running search or resumes a stopped one")
			flags.IntVar(&c.flags.shards, "shards", defaultShards,
				"into how many shards states are divided, a power of two: the most tasks at the same time")
			flags.Int64Var(&c.flags.small, "alone", defaultSmall,
				"one worker does a level of at most this many states")
		case !slices.Contains(kept, name):
			root.RemoveCommand(verb)
		}
	}
	root.Short = "Model checker on many machines"
	root.Long = root.Name() + ` has check of atmostk done by workers on many machines. An engine,
Temporal, gives them tasks; it is found by TEMPORAL_ADDRESS and the other variables of its
SDK. All processes reach the same --files.`
	root.Example = "% worker --files s3://bucket\n% check 2pc n=11 --files s3://bucket\n% status"
	root.AddCommand(c.worker(), c.status(), c.cancel())
	if c.Server != nil {
		root.AddCommand(c.server())
	}
}

// identity returns a text that is the same in all processes of a cluster: the version of the program and, if
// the program was not built from a known revision, its checksum.
func identity(program string) string {
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	if settings["vcs.revision"] != "" && settings["vcs.modified"] == "false" {
		return program
	}
	program += ", built from an unknown revision"
	self, err := os.Executable()
	if err != nil {
		return program
	}
	content, err := os.ReadFile(self)
	if err != nil {
		return program
	}
	sum := sha256.Sum256(content)
	return fmt.Sprintf("%s, %x", program, sum[:6])
}

// place adds the flag for the place of files.
func (c *Cluster) place(verb *cobra.Command) {
	verb.Flags().StringVar(&c.flags.files, "files", os.Getenv("ATMOSTK_FILES"),
		"place of files: "+places+"; default: $ATMOSTK_FILES")
}

// dial connects to the engine that the environment or the file of the SDK names: TEMPORAL_ADDRESS,
// TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_...; 127.0.0.1:7233 by default. Payloads are compressed,
// because lists of files are long.
func dial(ctx context.Context, address string) (client.Client, error) {
	opt, err := envconfig.LoadDefaultClientOptions()
	if err != nil {
		return nil, usage.Errorf("%v", err)
	}
	if address != "" {
		opt = client.Options{HostPort: address}
	}
	opt.Logger = log.NewStructuredLogger(slog.New(slog.DiscardHandler))
	opt.DataConverter = converter.NewCodecDataConverter(converter.GetDefaultDataConverter(),
		converter.NewZlibCodec(converter.ZlibCodecOptions{}))
	engine, err := client.DialContext(ctx, opt)
	if err != nil {
		address = cmp.Or(opt.HostPort, client.DefaultHostPort)
		return nil, fmt.Errorf("there is no engine at %s: %w", address, err)
	}
	return engine, nil
}

// connect connects to the files and the engine. With --dev it first starts an engine in this process, and
// workers.
func (c *Cluster) connect(ctx context.Context) (err error) {
	f := &c.flags
	switch {
	case f.shards < 1 || f.shards > mostShards || f.shards&(f.shards-1) != 0:
		return usage.Errorf("--shards=%d: allowed are powers of two up to %d", f.shards, mostShards)
	case f.small < 0:
		return usage.Errorf("--alone=%d: allowed are 0 and more", f.small)
	case f.lost < time.Second:
		return usage.Errorf("--lost-after=%v: allowed are 1s and more", f.lost)
	case f.dev < 0 || f.dev > 64:
		return usage.Errorf("--dev=%d: allowed are 1 to 64", f.dev)
	case f.id != "" && (!filepath.IsLocal(f.id) || path.Clean(f.id) != f.id || f.id == "."):
		return usage.Errorf("--id=%s: allowed is the path of a folder below --files", f.id)
	case len(f.id) > mostName || !utf8.ValidString(f.id) || strings.ContainsFunc(f.id, unicode.IsControl):
		return usage.Errorf("--id=%q: allowed are at most %d bytes of text in one line", f.id, mostName)
	}
	if _, err := cmd.MemoryLimit(f.memory); err != nil { // otherwise only the workers would say so
		return usage.Errorf("--worker-memory=%s is not a size such as 512M or 8G", f.memory)
	}
	if c.files, err = OpenFiles(ctx, f.files); err != nil {
		return err
	}
	address := ""
	if f.dev > 0 { // engine and workers end with this process
		if address, err = c.Server("", 0); err != nil {
			return err
		}
		c.gone = make(chan struct{})
		c.alive.Store(int64(f.dev))
		for range f.dev {
			if err := c.spawn(ctx, address); err != nil {
				return err
			}
		}
	}
	c.engine, err = dial(ctx, address)
	return err
}

// orphan is the environment variable that makes a worker end with its input, a pipe from the process that
// started it.
const orphan = "ATMOSTK_WORKER_ENDS_WITH_INPUT"

// spawn starts a worker for an engine on this machine, in another process, which ends with this one.
func (c *Cluster) spawn(ctx context.Context, address string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p := exec.Command(self, "worker", "--files", c.flags.files, "--workers", "1", "--memory", c.flags.memory)
	p.Env = append(os.Environ(), "TEMPORAL_ADDRESS="+address, "TEMPORAL_NAMESPACE=default", orphan+"=1")
	pipe, err := p.StdinPipe()
	if err != nil {
		return err
	}
	c.pipes = append(c.pipes, pipe) // otherwise the garbage collector would close it
	var output bytes.Buffer
	p.Stderr = &output
	if err := p.Start(); err != nil {
		return fmt.Errorf("a worker could not be started: %w", err)
	}
	go c.follow(ctx, p, &output)
	return nil
}

func (c *Cluster) worker() *cobra.Command {
	verb := &cobra.Command{
		Use:   "worker",
		Short: "Do tasks of searches",
		Long: `Does tasks of searches of this version of the program, until it gets SIGTERM or SIGINT. It may be
ended in any way and at any time: another worker gets its task.`,
		Args: cobra.NoArgs,
		RunE: func(v *cobra.Command, _ []string) error { return c.runWorker(v.Context()) },
	}
	c.place(verb)
	verb.Flags().IntVar(&c.flags.workers, "workers", 0, "number of goroutines; 0: one for each processor")
	verb.Flags().StringVar(&c.flags.memory, "memory", "",
		"the budget of memory, such as 512M or 8G; default: four fifths of the available memory")
	return verb
}

func (c *Cluster) runWorker(ctx context.Context) error {
	memory, err := cmd.MemoryLimit(c.flags.memory)
	if err != nil {
		return err
	}
	files, err := OpenFiles(ctx, c.flags.files)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	if os.Getenv(orphan) != "" {
		go func() { // also before there is an engine: it may have ended with that process
			_, _ = io.Copy(io.Discard, os.Stdin)
			end()
		}()
	}
	engine, err := c.await(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	w := &Worker{Program: c.program, Files: files, Workers: c.flags.workers, Memory: memory}
	defer w.Close()
	r := worker.New(engine, QueueOf(c.program), worker.Options{
		MaxConcurrentActivityExecutionSize: 1, // one activity uses all processors
		DisableRegistrationAliasing:        true,
	})
	w.Register(r)
	if err := r.Start(); err != nil {
		return fmt.Errorf("the engine does not take the worker: %w", err)
	}
	defer r.Stop()
	c.notify("worker of %s; tasks come by %s", c.program, QueueOf(c.program))
	<-ctx.Done()
	return nil
}

// notify prints a line besides the report; on a terminal in place of the line of progress.
func (c *Cluster) notify(format string, args ...any) {
	if f, is := c.Diag.(*os.File); is && term.IsTerminal(int(f.Fd())) {
		format = "\r\x1b[K" + format
	}
	printable.Fprintf(c.Diag, format+"\n", args...) // the work goes on without it
}

// await connects a worker to the engine, and waits for it: workers may be started first.
func (c *Cluster) await(ctx context.Context) (client.Client, error) {
	for notified := false; ; notified = true {
		engine, err := dial(ctx, "")
		if err == nil || errors.As(err, new(*usage.Error)) {
			return engine, err
		}
		if !notified {
			c.notify("waiting: %v", err)
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

// server returns the verb that runs an engine.
func (c *Cluster) server() *cobra.Command {
	verb := &cobra.Command{
		Use:   "server",
		Short: "Run an engine for one machine",
		Long: `Runs an engine for processes of this machine, until it gets SIGTERM or SIGINT: it listens on the
loopback only. With --file it may be ended at any time, and goes on from there.`,
		Args: cobra.NoArgs,
		RunE: func(v *cobra.Command, _ []string) error {
			address, err := c.Server(c.flags.file, c.flags.port)
			if err != nil {
				return err
			}
			c.notify("engine at %s", address)
			<-v.Context().Done()
			return nil
		},
	}
	verb.Flags().StringVar(&c.flags.file, "file", "", "keep the state in this file; default: in memory")
	verb.Flags().IntVar(&c.flags.port, "port", 7233, "the port, on 127.0.0.1")
	return verb
}

// status returns the verb that reports the progress of searches.
func (c *Cluster) status() *cobra.Command {
	return asking(&cobra.Command{
		Use:   "status [ID]",
		Short: "Report how far searches are",
		Long:  `Lists the searches that the engine knows, or reports how far a running one is.`,
		Args:  cobra.MaximumNArgs(1),
	}, func(v *cobra.Command, engine client.Client, args []string) error {
		if len(args) == 0 {
			return list(v.Context(), engine, v.OutOrStdout())
		}
		s, err := standing(v.Context(), engine, args[0])
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no worker answers: %w", err)
		}
		if err != nil {
			return fmt.Errorf("the search %s: %w", args[0], err)
		}
		_, err = io.WriteString(v.OutOrStdout(), s.String())
		return err
	})
}

// asking completes a verb that queries the engine.
func asking(verb *cobra.Command, do func(*cobra.Command, client.Client, []string) error) *cobra.Command {
	verb.RunE = func(v *cobra.Command, args []string) error {
		engine, err := dial(v.Context(), "")
		if err != nil {
			return err
		}
		defer engine.Close()
		return do(v, engine, args)
	}
	return verb
}

func list(ctx context.Context, engine client.Client, w io.Writer) error {
	found, err := engine.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		Query: "WorkflowType = 'Search'", PageSize: 100,
	})
	if err != nil {
		return fmt.Errorf("searches cannot be listed: %w", err)
	}
	for _, x := range found.Executions {
		if x.Status == enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW {
			continue
		}
		if _, err := fmt.Fprintf(w, "%-32s %-10s since %s\n", x.Execution.WorkflowId, x.Status,
			x.StartTime.AsTime().Format(time.RFC3339)); err != nil {
			return err
		}
	}
	return nil
}

// cancel returns the verb that ends a search.
func (c *Cluster) cancel() *cobra.Command {
	return asking(&cobra.Command{
		Use:   "cancel ID",
		Short: "End a search",
		Long:  `Ends a running search. Its finished levels stay with its files: check with the same --id resumes it.`,
		Args:  cobra.ExactArgs(1),
	}, func(v *cobra.Command, engine client.Client, args []string) error {
		if err := engine.CancelWorkflow(v.Context(), args[0], ""); err != nil {
			return fmt.Errorf("the search %s: %w", args[0], err)
		}
		return nil
	})
}
