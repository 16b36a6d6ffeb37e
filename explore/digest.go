package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/lts"
	"github.com/atmostk/atmostk/model/protocol"
)

// digestStates is the number of states of the plain semantics that go into a digest.
const digestStates = 200

// digest identifies a model with its parameters and the properties to check. It hashes the arguments, all
// declarations, the text of a model in a file, and the first states and steps. A change of later steps of a
// model in Go does not change the digest.
func digest(in model.Instance, asked uint64, reduce model.Reduction) string {
	h := sha256.New()
	fmt.Fprintf(h, "arguments %q\n", in.Arguments)
	if in.Text != "" {
		fmt.Fprintf(h, "text %s\n", in.Text)
	}
	fmt.Fprintln(h, asked, reduce, in.Space.Bounds(), in.Space.Reduced(), in.Space.Delivery())
	for _, a := range in.Space.Actions() {
		fmt.Fprintf(h, "action %q %v %v\n", a.Name, a.Kind, a.Receipt)
	}
	for _, p := range in.Space.Properties() {
		fmt.Fprintf(h, "property %q %q %v %q\n", p.Name, p.Doc, p.Kind, p.Moot)
	}
	for _, f := range in.Space.Fairness() {
		fmt.Fprintf(h, "fairness %q\n", f.Name)
	}
	func() {
		var mistake *model.Error // the search will report it
		defer model.Catch(&mistake)
		var queue []lts.State
		known := map[protocol.Code]bool{}
		add := func(ts []lts.Transition) {
			for _, t := range ts {
				code := t.Next.Code()
				fmt.Fprintln(h, t.Action, t.Outside, t.Pruned, code)
				if !t.Outside && !t.Pruned && !known[code] && len(known) < digestStates {
					known[code] = true
					queue = append(queue, t.Next)
				}
			}
		}
		for add(in.Plain.Init()); len(queue) > 0; queue = queue[1:] {
			add(in.Plain.Steps(queue[0]))
		}
	}()
	return hex.EncodeToString(h.Sum(nil)[:16])
}
