// Package values has sets of processes that outgrow the 64 bits of protocol.Set: local states of models that
// are simulated with up to protocol.MaxStage processes hold them.
package values
