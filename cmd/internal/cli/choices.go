package cli

import "maps"

// choices are the values of other flags that allow a few words, by verb and flag. For some, completion offers
// words to which a value is added.
var choices = withMachine(map[string][]string{
	"check reduce": {"none", "dead", "crashes", "movers"}, "check store": {"exact", "compact", "disk="},
	"show draw": {"text", "states"},
})

// withMachine adds the choices of the verbs that a program for browsers lacks.
func withMachine(all map[string][]string) map[string][]string {
	maps.Copy(all, machineChoices)
	return all
}
