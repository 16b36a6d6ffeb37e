//go:build !linux

package explore

import "runtime/metrics"

// resident returns the memory in bytes that the Go runtime has not returned to the system.
func resident() int64 {
	s := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}
