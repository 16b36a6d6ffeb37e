package term

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A hierarchy is a version of Linux' control groups; see Documentation/admin-guide/cgroup-v2.rst and
// cgroup-v1/memory.rst of the kernel.
type hierarchy struct {
	mount      string   // directory
	controller string   // of its lines in /proc/self/cgroup; "": none is named
	limits     []string // files with a limit, in bytes
	usage      string   // file with the memory in use, in bytes
	cache      string   // field of memory.stat: memory that the kernel drops when it is short of memory
}

var hierarchies = []hierarchy{
	{"sys/fs/cgroup", "", []string{"memory.max", "memory.high"}, "memory.current", "inactive_file"},
	{"sys/fs/cgroup/memory", "memory", []string{"memory.limit_in_bytes"}, "memory.usage_in_bytes",
		"total_inactive_file"},
}

// groupMemory returns the bytes that the control group of the process, and the groups around it,
// leave to it; false if none has a limit. The file system is the machine's.
func groupMemory(system fs.FS) (bytes int64, limited bool) {
	groups, _ := fs.ReadFile(system, "proc/self/cgroup") // nothing: there are no control groups
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		for i := range hierarchies {
			h := &hierarchies[i]
			if len(parts) < 3 || !slices.Contains(strings.Split(parts[1], ","), h.controller) {
				continue
			}
			for dir := h.find(system, parts[2]); strings.HasPrefix(dir, h.mount); dir = path.Dir(dir) {
				if free, ok := h.free(system, dir); ok && (!limited || free < bytes) {
					bytes, limited = free, true
				}
			}
		}
	}
	return bytes, limited
}

// find returns the directory of a group. In a container only a part of the tree may be mounted, and the path
// of the group begins outside of it.
func (h *hierarchy) find(system fs.FS, group string) string {
	group = path.Clean("/" + group)
	for group != "/" {
		if dir := path.Join(h.mount, group); isThere(system, dir) {
			return dir
		}
		_, rest, _ := strings.Cut(group[1:], "/")
		group = "/" + rest
	}
	return h.mount
}

func isThere(system fs.FS, dir string) bool {
	_, err := fs.Stat(system, dir)
	return err == nil
}

// free returns the bytes that a group leaves; false if it has no limit.
func (h *hierarchy) free(system fs.FS, dir string) (free int64, limited bool) {
	for _, name := range h.limits {
		limit, ok := number(system, path.Join(dir, name)) // "max" is no limit
		if ok && (!limited || limit < free) {
			free, limited = limit, true
		}
	}
	used, _ := number(system, path.Join(dir, h.usage)) // 0 where it is missing
	stat, _ := fs.ReadFile(system, path.Join(dir, "memory.stat"))
	for line := range strings.Lines(string(stat)) {
		if value, ok := strings.CutPrefix(line, h.cache+" "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			used -= n
		}
	}
	return max(0, free-max(0, used)), limited
}

// number reads a file with a number.
func number(system fs.FS, name string) (n int64, ok bool) {
	b, err := fs.ReadFile(system, name)
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}
