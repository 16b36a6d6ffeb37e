package term

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// mount is the directory of Linux' control groups, version 2; see Documentation/admin-guide/cgroup-v2.rst of
// the kernel.
const mount = "sys/fs/cgroup"

// groupMemory returns the bytes that the control group of the process, and the groups around it,
// leave to it; false if none has a limit. The file system is the machine's.
func groupMemory(system fs.FS) (bytes int64, limited bool) {
	groups, _ := fs.ReadFile(system, "proc/self/cgroup") // nothing: there are no control groups
	for line := range strings.Lines(string(groups)) {
		group, is := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for dir := groupDir(system, group); is && strings.HasPrefix(dir, mount); dir = path.Dir(dir) {
			if free, ok := freeOf(system, dir); ok && (!limited || free < bytes) {
				bytes, limited = free, true
			}
		}
	}
	return bytes, limited
}

// groupDir returns the directory of a group. In a container only a part of the tree may be mounted, and the
// path of the group begins outside of it.
func groupDir(system fs.FS, group string) string {
	group = path.Clean("/" + group)
	for group != "/" {
		dir := path.Join(mount, group)
		if _, err := fs.Stat(system, dir); err == nil {
			return dir
		}
		_, rest, _ := strings.Cut(group[1:], "/")
		group = "/" + rest
	}
	return mount
}

// freeOf returns the bytes that a group leaves; false if it has no limit. The kernel drops what it has cached
// when it is short of memory.
func freeOf(system fs.FS, dir string) (free int64, limited bool) {
	for _, name := range []string{"memory.max", "memory.high"} {
		limit, ok := number(system, path.Join(dir, name)) // "max" is no limit
		if ok && (!limited || limit < free) {
			free, limited = limit, true
		}
	}
	used, _ := number(system, path.Join(dir, "memory.current")) // 0 where it is missing
	stat, _ := fs.ReadFile(system, path.Join(dir, "memory.stat"))
	for line := range strings.Lines(string(stat)) {
		if value, ok := strings.CutPrefix(line, "inactive_file "); ok {
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
