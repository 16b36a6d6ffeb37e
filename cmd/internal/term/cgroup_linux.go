package term

import (
	"bufio"
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A hierarchy says how a version of Linux' control groups tells of memory; see
// Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel.
type hierarchy struct {
	kind   string   // of the mount
	limits []string // files with a limit, in bytes
	usage  string   // file with what is in use, in bytes
	cache  string   // field of memory.stat: what of that the kernel drops when it is short of memory
}

var hierarchies = []hierarchy{
	{"cgroup2", []string{"memory.max", "memory.high"}, "memory.current", "inactive_file"},
	{"cgroup", []string{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"},
}

// groupMemory returns the bytes that the control groups of the process, and those that these
// are in, leave to it; false if none has a limit. The file system is that of the machine.
func groupMemory(system fs.FS) (bytes int64, limited bool) {
	for _, h := range hierarchies {
		mount, group := h.find(system)
		for dir := group; mount != "" && within(dir, mount); dir = path.Dir(dir) {
			if free, ok := h.free(system, dir); ok && (!limited || free < bytes) {
				bytes, limited = free, true
			}
		}
	}
	return bytes, limited
}

// within reports whether a directory is another or lies in it.
func within(dir, other string) bool { return dir == other || strings.HasPrefix(dir, other+"/") }

// free returns what a group leaves; false if it has no limit.
func (h *hierarchy) free(system fs.FS, dir string) (free int64, ok bool) {
	for _, name := range h.limits {
		b, err := fs.ReadFile(system, path.Join(dir, name))
		limit, notNumber := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
		if err != nil || notNumber != nil || ok && limit >= free { // "max" is no limit
			continue
		}
		free, ok = limit, true
	}
	if !ok {
		return 0, false
	}
	used, _ := fs.ReadFile(system, path.Join(dir, h.usage)) // 0 where it is missing
	n, _ := strconv.ParseInt(strings.TrimSpace(string(used)), 10, 64)
	return max(0, free-max(0, n-h.cached(system, dir))), true
}

func (h *hierarchy) cached(system fs.FS, dir string) (n int64) {
	for _, fields := range lines(system, path.Join(dir, "memory.stat")) {
		if len(fields) == 2 && fields[0] == h.cache {
			n, _ = strconv.ParseInt(fields[1], 10, 64)
		}
	}
	return n
}

// find returns where the hierarchy is mounted and the directory of the process's group, without
// the slash at the beginning; "" if there is none.
func (h *hierarchy) find(system fs.FS) (mount, group string) {
	own, known := h.own(system)
	if !known {
		return "", ""
	}
	for _, fields := range lines(system, "proc/self/mountinfo") {
		// See proc_pid_mountinfo(5): ID, parent, device, root, mount point, options, any
		// number of optional fields, "-", type, source, options of the super block.
		dash := slices.Index(fields, "-")
		if dash < 6 || len(fields) < dash+4 || fields[dash+1] != h.kind {
			continue
		}
		if h.kind == "cgroup" && !slices.Contains(strings.Split(fields[dash+3], ","), "memory") {
			continue
		}
		mount := strings.TrimPrefix(path.Clean(fields[4]), "/")
		root := fields[3]
		if !within(own, strings.TrimSuffix(root, "/")) { // a group of another name space
			return mount, mount
		}
		return mount, path.Join(mount, strings.TrimPrefix(own, strings.TrimSuffix(root, "/")))
	}
	return "", ""
}

// own returns the path of the process's group in the hierarchy.
func (h *hierarchy) own(system fs.FS) (group string, known bool) {
	b, err := fs.ReadFile(system, "proc/self/cgroup")
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(b)) {
		// number:controllers:path; without controllers it is version 2.
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		memory := slices.Contains(strings.Split(parts[1], ","), "memory")
		if h.kind == "cgroup" && memory || h.kind == "cgroup2" && parts[1] == "" {
			return parts[2], true
		}
	}
	return "", false
}

// lines returns the words of each line of a file; none if it cannot be read.
func lines(system fs.FS, name string) (all [][]string) {
	b, err := fs.ReadFile(system, name)
	if err != nil {
		return nil
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		all = append(all, strings.Fields(s.Text()))
	}
	return all
}
