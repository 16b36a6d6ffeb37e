package distributed

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/explore"
	"github.com/atmostk/atmostk/explore/simulate"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
)

// A Server starts an engine in this process, that listens on the loopback only and ends with it. Where it
// keeps its state is a file; "": in memory. It returns its address. A port of 0 is any.
type Server func(file string, port int) (address string, err error)

// A Cluster is what the command has besides what it has in one process.
type Cluster struct {
	Instantiate func(args []string) (model.Instance, error)
	Server      Server // nil: this program has none
	Diag        io.Writer

	program string // with its version
	files   string
	id      string
	shards  int
	small   int64
	lost    time.Duration
	dev     int
	file    string // of an engine of its own
	port    int
	workers int
	memory  string
	pipes   []io.Closer                            // to workers of its own
	connect func(context.Context) (*Client, error) // to the engine, once
}

// The parameters of a search that users need not know of: see Job.
const (
	defaultShards = 32
	defaultSmall  = 50_000
	mostShards    = 1024
)

// kept are the verbs of a program in one process that mean the same here.
var kept = []string{"list", "show", "help", "completion"}

// Extend takes away the verbs of searches in this process, and adds those of a cluster.
func (c *Cluster) Extend(program string, root *cobra.Command) {
	c.program, c.connect = identity(program), onceOf(c.dialed)
	for _, verb := range root.Commands() {
		switch name := verb.Name(); {
		case name == "check":
			c.flags(verb)
			verb.Flags().StringVar(&c.id, "id", "",
				"the name of the search and of the folder of its files: given again, it joins a search that "+
					"is under way or goes on with one that has stopped")
			verb.Flags().IntVar(&c.shards, "shards", defaultShards,
				"into how many shards states are divided, a power of two: the most tasks at the same time")
			verb.Flags().
				Int64Var(&c.small, "alone", defaultSmall,
					"a level of at most so many states is done by one worker")
		case name == "simulate":
			c.flags(verb)
		case !slices.Contains(kept, name):
			root.RemoveCommand(verb)
		}
	}
	root.Short = "Model checker on many machines"
	root.Long = root.Name() +
		` has check and simulate of atmostk done by workers on many machines. An engine,
Temporal, gives them tasks; it is found by TEMPORAL_ADDRESS and the other variables of its
SDK. All processes reach the same --files.`
	root.Example = "  " + strings.ReplaceAll(
		"% worker --files s3://bucket\n  % check 2pc n=11 --files s3://bucket\n  % status",
		"%",
		root.Name(),
	)
	root.AddCommand(c.worker(), c.status(), c.cancel())
	if c.Server != nil {
		root.AddCommand(c.server())
	}
}

// identity is what has to be the same of all processes of a cluster: the version of the program, and of
// one that was not built from a known revision the program itself.
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
	sum := sha256.New()
	self, err := os.Executable()
	if err == nil {
		var f *os.File
		if f, err = os.Open(self); err == nil {
			_, err = io.Copy(sum, f)
			_ = f.Close() // nothing was written
		}
	}
	if err != nil {
		return program + ", built from an unknown revision"
	}
	return fmt.Sprintf("%s, built from an unknown revision, %x", program, sum.Sum(nil)[:6])
}

// onceOf calls do once, and returns what it returned from then on.
func onceOf[A, R any](do func(A) (R, error)) func(A) (R, error) {
	var once sync.Once
	var result R
	var err error
	return func(a A) (R, error) {
		once.Do(func() { result, err = do(a) })
		return result, err
	}
}

// flags adds the flags of verbs that have something explored.
func (c *Cluster) flags(verb *cobra.Command) {
	c.place(verb)
	verb.Flags().
		DurationVar(&c.lost, "lost-after", DefaultLost,
			"a worker that was not heard of for so long is lost, and its task is given to another")
	if c.Server == nil {
		return
	}
	verb.Flags().
		IntVar(&c.dev, "dev", 0, "start an engine in this process, and so many workers, for trying out")
	verb.Flags().StringVar(&c.memory, "worker-memory", "512M", "with --dev: the memory of each worker")
}

// place adds the flag that says where files are.
func (c *Cluster) place(verb *cobra.Command) {
	verb.Flags().
		StringVar(&c.files, "files", os.Getenv("ATMOSTK_FILES"),
			"where files are: file:///DIR, s3://BUCKET, gs://BUCKET or azblob://CONTAINER; "+
				"default: $ATMOSTK_FILES")
}

// dial connects to the engine, as the environment or the file of the SDK says: TEMPORAL_ADDRESS,
// TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_...; 127.0.0.1:7233 by default. What is sent is
// compressed: lists of files are long.
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
		if opt.HostPort == "" {
			opt.HostPort = client.DefaultHostPort
		}
		return nil, fmt.Errorf("there is no engine at %s: %w", opt.HostPort, err)
	}
	return engine, nil
}

// Explore has an instance explored by the workers.
func (c *Cluster) Explore(ctx context.Context, q cmd.Question) (*explore.Report, error) {
	own, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	return own.Explore(ctx, q)
}

// Play has random runs played by the workers.
func (c *Cluster) Play(
	ctx context.Context,
	args []string,
	in model.Instance,
	opt simulate.Options,
) (*simulate.Report, error) {
	own, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	return own.Play(ctx, args, in, opt)
}

// dialed connects to the engine, which it starts before if it is one of its own.
func (c *Cluster) dialed(ctx context.Context) (*Client, error) {
	if c.shards == 0 { // no verb that has the flag
		c.shards, c.small = defaultShards, defaultSmall
	}
	switch {
	case c.shards < 1 || c.shards > mostShards || c.shards&(c.shards-1) != 0:
		return nil, usage.Errorf("--shards=%d: allowed are powers of two up to %d", c.shards, mostShards)
	case c.small < 0:
		return nil, usage.Errorf("--alone=%d: allowed are 0 and more", c.small)
	case c.lost < time.Second:
		return nil, usage.Errorf("--lost-after=%v: allowed are 1s and more", c.lost)
	case c.dev < 0 || c.dev > 64:
		return nil, usage.Errorf("--dev=%d: allowed are 1 to 64", c.dev)
	}
	files, err := OpenFiles(ctx, c.files)
	if err != nil {
		return nil, err
	}
	address := ""
	if c.dev > 0 { // it ends with this process, and the workers do
		if address, err = c.Server("", 0); err != nil {
			return nil, err
		}
		for range c.dev {
			if err := c.spawn(address); err != nil {
				return nil, err
			}
		}
	}
	engine, err := dial(ctx, address)
	if err != nil {
		return nil, err
	}
	return &Client{
		Engine: engine, Program: c.program, Files: files, Diag: c.Diag, ID: c.id, Shards: c.shards,
		Small: c.small, Lost: c.lost,
	}, nil
}

// worker is the verb of workers.
func (c *Cluster) worker() *cobra.Command {
	verb := &cobra.Command{
		Use:   "worker",
		Short: "Do tasks of searches",
		Long: `Does tasks of searches of this version of the program, until it gets SIGTERM or SIGINT. It may be
ended in any way and at any time: what it had in hand is given to another worker.`,
		Args: cobra.NoArgs,
		RunE: func(v *cobra.Command, _ []string) error { return c.runWorker(v.Context()) },
	}
	c.place(verb)
	verb.Flags().IntVar(&c.workers, "workers", 0, "number of goroutines; 0: one for each processor")
	verb.Flags().
		StringVar(&c.memory, "memory", "",
			"the budget of memory, such as 512M or 8G; default: four fifths of what is available")
	return verb
}

func (c *Cluster) runWorker(ctx context.Context) error {
	memory, err := cmd.MemoryLimit(c.memory)
	if err != nil {
		return err
	}
	files, err := OpenFiles(ctx, c.files)
	if err != nil {
		return err
	}
	engine, err := c.engine(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	w := &Worker{
		Program:     c.program,
		Instantiate: c.Instantiate,
		Files:       files,
		Workers:     c.workers,
		Memory:      memory,
	}
	defer w.Close()
	r := worker.New(engine, QueueOf(c.program), worker.Options{
		MaxConcurrentActivityExecutionSize: 1, // which uses all processors
		DisableRegistrationAliasing:        true,
	})
	w.Register(r)
	if err := r.Start(); err != nil {
		return fmt.Errorf("the engine does not take the worker: %w", err)
	}
	defer r.Stop()
	_, _ = fmt.Fprintf(
		c.Diag,
		"worker of %s; tasks come by %s\n",
		c.program,
		QueueOf(c.program),
	) // it is only said
	parent := make(chan struct{})
	if os.Getenv(orphan) != "" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // until the process is gone that started this one
			close(parent)
		}()
	}
	select {
	case <-ctx.Done():
	case <-parent:
	}
	return nil
}

// engine connects a worker to the engine, for which it waits: workers may be started first.
func (c *Cluster) engine(ctx context.Context) (client.Client, error) {
	for told := false; ; told = true {
		engine, err := dial(ctx, "")
		if err == nil || errors.As(err, new(*usage.Error)) {
			return engine, err
		}
		if !told {
			_, _ = fmt.Fprintf(c.Diag, "waiting: %v\n", err) // it is only said
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

// server is the verb of an engine of its own.
func (c *Cluster) server() *cobra.Command {
	verb := &cobra.Command{
		Use:   "server",
		Short: "Be an engine for one machine",
		Long: `Is an engine for processes of this machine, until it gets SIGTERM or SIGINT: it listens on the
loopback only. With --file it may be ended at any time, and goes on from there.`,
		Args: cobra.NoArgs,
		RunE: func(v *cobra.Command, _ []string) error {
			address, err := c.Server(c.file, c.port)
			if err != nil {
				return err
			}
			_, _ = fmt.Fprintf(c.Diag, "engine at %s\n", address) // it is only said
			<-v.Context().Done()
			return nil
		},
	}
	verb.Flags().StringVar(&c.file, "file", "", "keep the state in this file; default: in memory")
	verb.Flags().IntVar(&c.port, "port", 7233, "the port, on 127.0.0.1")
	return verb
}

// spawn starts a worker of an engine on this machine in a process of its own, which ends when this one does.
func (c *Cluster) spawn(address string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p := exec.Command(self, "worker", "--files", c.files, "--workers", "1", "--memory", c.memory)
	p.Env = append(os.Environ(), "TEMPORAL_ADDRESS="+address, "TEMPORAL_NAMESPACE=default", orphan+"=1")
	pipe, err := p.StdinPipe()
	if err != nil {
		return err
	}
	c.pipes = append(c.pipes, pipe) // else it is closed when it is collected
	if err := p.Start(); err != nil {
		return fmt.Errorf("a worker could not be started: %w", err)
	}
	return nil
}
