package term

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

// mount is the directory of Linux' control groups, version 2; see Documentation/admin-guide/cgroup-v2.rst of
// the kernel.
const mount = "sys/fs/cgroup"

// groupMemory returns the bytes that the control group of the process, and the groups around it,
// leave to it; false if none has a limit. system is the file system of the machine.
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

// freeOf returns the bytes that a group leaves; false if it has no limit. The kernel drops cached files when
// it is short of memory.
func freeOf(system fs.FS, dir string) (free int64, limited bool) {
	for _, name := range []string{"memory.max", "memory.high"} {
		limit, ok := number(system, path.Join(dir, name), "") // "max" is no limit
		if ok && (!limited || limit < free) {
			free, limited = limit, true
		}
	}
	used, _ := number(system, path.Join(dir, "memory.current"), "") // 0 where it is missing
	cached, _ := number(system, path.Join(dir, "memory.stat"), "inactive_file ")
	return max(0, free-max(0, used-cached)), limited
}

// number returns the number behind a word at the beginning of a line of a file, in kB if the file says so;
// false: the file has no such line, or no number in it.
func number(system fs.FS, file, word string) (n int64, ok bool) {
	text, _ := fs.ReadFile(system, file) // without the file there is no number
	for line := range strings.Lines(string(text)) {
		if rest, is := strings.CutPrefix(line, word); is {
			n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// Peak returns the peak of the resident memory of the process, in bytes.
func Peak(int64) int64 {
	kilobytes, _ := number(os.DirFS("/"), "proc/self/status", "VmHWM:")
	return kilobytes << 10
}

// PeakOf returns the peak of a process that has ended, in bytes; 0 if unknown.
func PeakOf(s *os.ProcessState) int64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}

// available returns the bytes that are free without swapping, within the limits of a container; 0 if unknown.
func available() int64 {
	kilobytes, _ := number(os.DirFS("/"), "proc/meminfo", "MemAvailable:")
	if free, limited := groupMemory(os.DirFS("/")); limited {
		return min(kilobytes<<10, max(1, free)) // 0 would be no limit
	}
	return kilobytes << 10
}
