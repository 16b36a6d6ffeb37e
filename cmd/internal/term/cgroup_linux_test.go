package term

import (
	"testing"
	"testing/fstest"
)

// TestGroupMemory reads the limits of containers as control groups of version 2 have them.
func TestGroupMemory(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		files   map[string]string
		want    int64
		limited bool
	}{
		"no control groups": {map[string]string{}, 0, false},
		"no limit": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n",
		}, 0, false},
		"a limit": {map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "314572800\n", "sys/fs/cgroup/a/memory.current": "104857600\n",
		}, 200 * mib, true},
		"what is cached can be taken": {map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "314572800\n", "sys/fs/cgroup/a/memory.current": "104857600\n",
			"sys/fs/cgroup/a/memory.stat": "anon 1\ninactive_file 52428800\n",
		}, 250 * mib, true},
		"the group above has less": {map[string]string{
			"proc/self/cgroup":           "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max": "104857600\n", "sys/fs/cgroup/a/b/memory.max": "314572800\n",
		}, 100 * mib, true},
		"throttled earlier": {map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "314572800\n", "sys/fs/cgroup/a/memory.high": "104857600\n",
		}, 100 * mib, true},
		"in a container with its own name space": {map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"sys/fs/cgroup/memory.max": "104857600\n",
		}, 100 * mib, true},
		"a part is mounted": {map[string]string{
			"proc/self/cgroup":           "0::/docker/abc/x\n",
			"sys/fs/cgroup/x/memory.max": "104857600\n",
		}, 100 * mib, true},
		"a group outside of what is mounted": {map[string]string{
			"proc/self/cgroup":         "0::/../other\n",
			"sys/fs/cgroup/memory.max": "104857600\n",
		}, 100 * mib, true},
		"more in use than allowed": {map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "100\n", "sys/fs/cgroup/a/memory.current": "104857600\n",
		}, 0, true},
		"nonsense": {map[string]string{
			"proc/self/cgroup":           "0:\nx\n0::/a\n",
			"sys/fs/cgroup/a/memory.max": "lots\n",
		}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			system := fstest.MapFS{}
			for file, text := range c.files {
				system[file] = &fstest.MapFile{Data: []byte(text)}
			}
			got, limited := groupMemory(system)
			if got != c.want || limited != c.limited {
				t.Errorf("%d, limited %v; want %d, %v", got, limited, c.want, c.limited)
			}
		})
	}
}
