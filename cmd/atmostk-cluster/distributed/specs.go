package distributed

import (
	"io"

	"github.com/atmostk/atmostk/cmd"
	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/specs"
)

// Program returns the command over all models of atmostk, on a cluster. What is to be told besides
// reports goes to diag.
func Program(server Server, diag io.Writer) cmd.Program {
	return cmd.Program{
		Name: "atmostk-cluster", Specs: specs.All,
		Remote: &Cluster{
			Server: server,
			Diag:   diag,
			Instantiate: func(args []string) (model.Instance, error) {
				for i := range specs.All {
					if specs.All[i].Name == args[0] {
						in, _, err := specs.All[i].Instantiate(args[1:])
						return in, err
					}
				}
				return model.Instance{}, usage.Errorf("this worker has no model %s", args[0])
			},
		},
	}
}
