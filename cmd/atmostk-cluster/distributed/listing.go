package distributed

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"github.com/atmostk/atmostk/explore"
)

// status is the verb that tells of searches.
func (c *Cluster) status() *cobra.Command {
	return &cobra.Command{
		Use:   "status [ID]",
		Short: "Tell how far searches are",
		Long:  `Lists the searches that the engine knows, or tells how far one is that is under way.`,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(v *cobra.Command, args []string) error {
			engine, err := dial(v.Context(), "")
			if err != nil {
				return err
			}
			defer engine.Close()
			if len(args) == 0 {
				return list(v.Context(), engine, v.OutOrStdout())
			}
			s, err := (&Client{Engine: engine}).Standing(v.Context(), args[0])
			if err != nil {
				return fmt.Errorf("the search %s: %w", args[0], err)
			}
			return s.print(v.OutOrStdout())
		},
	}
}

// print tells how far a search is.
func (s *Standing) print(w io.Writer) error {
	shot := s.snapshot()
	last := int64(0)
	if n := len(s.Levels); n > 0 {
		last = s.Levels[n-1]
	}
	_, err := fmt.Fprintf(
		w,
		"%s\n%d states in %d levels, the last of %d\n%.1f s, %.0f states/s, %s of files\n",
		&s.Job,
		shot.States,
		shot.Level,
		last,
		s.Seconds,
		float64(shot.States)/max(s.Seconds, 0.001),
		explore.Bytes(s.Bytes),
	)
	if err == nil && s.Doing != "" {
		_, err = fmt.Fprintf(w, "%s: %d of %d tasks done\n", s.Doing, s.Done, s.Tasks)
	}
	if e, ok := explore.EstimateOf(s.Levels); err == nil && ok {
		_, err = fmt.Fprintf(w, "some %d states in the end, between %d and %d\n", e.States, e.Low, e.High)
	}
	return err
}

// list lists searches.
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

// cancel is the verb that ends a search.
func (c *Cluster) cancel() *cobra.Command {
	return &cobra.Command{
		Use:   "cancel ID",
		Short: "End a search",
		Long: `Ends a search that is under way. What it has finished stays with its files: check with the
same --id goes on from there.`,
		Args: cobra.ExactArgs(1),
		RunE: func(v *cobra.Command, args []string) error {
			engine, err := dial(v.Context(), "")
			if err != nil {
				return err
			}
			defer engine.Close()
			if err := engine.CancelWorkflow(v.Context(), args[0], ""); err != nil {
				return fmt.Errorf("the search %s: %w", args[0], err)
			}
			return nil
		},
	}
}

// orphan is the variable by which a worker is told to end with the process that started it, whose pipe it
// has.
const orphan = "ATMOSTK_WORKER_ENDS_WITH_INPUT"
