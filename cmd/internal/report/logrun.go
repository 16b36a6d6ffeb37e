//go:build !js

package report

import "github.com/atmostk/atmostk/traces"

// Run is the run of the model that explains the log, or as much of it as can be explained.
func (v *Log) Run() (*traces.Run, error) {
	return traces.FromRun(v.Subject.Instance, v.Subject.Header(""), v.Explanation.Initial, v.Explanation.Taken)
}
