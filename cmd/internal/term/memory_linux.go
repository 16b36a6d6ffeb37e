package term

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Peak returns the peak of the resident memory of the process, in bytes.
func Peak(int64) int64 { return procField("/proc/self/status", "VmHWM:") }

// PeakOf returns the peak of a process that has ended, in bytes; 0 if unknown.
func PeakOf(s *os.ProcessState) int64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}

// available returns the bytes that are free without swapping, within the limits of a container; 0 if unknown.
func available() int64 {
	available := procField("/proc/meminfo", "MemAvailable:")
	if free, limited := groupMemory(os.DirFS("/")); limited {
		return min(available, max(1, free)) // 0 would be no limit
	}
	return available
}

// procField returns a field of a file under /proc that is given in kB, in bytes.
func procField(file, field string) (bytes int64) {
	text, _ := os.ReadFile(file) // without the file the field is missing
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == field {
			bytes, _ = strconv.ParseInt(words[1], 10, 64)
		}
	}
	return bytes << 10
}

// ForgetStart drops the pages of the program that its start has touched. Each page fault also maps the 15
// pages around it, so that after the initialisers of a hundred packages most of the program is resident. A
// search runs a tenth of it, which is mapped again when it is touched: for lamport-mutex n=3 max-clock=6 the
// peak fell from 52 to 44 MB.
func ForgetStart() {
	maps, _ := os.ReadFile("/proc/self/maps")
	program, err := os.Executable()
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		var rights string
		_, wrong := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights)
		ofProgram := err == nil && wrong == nil && strings.HasSuffix(line, program+"\n")
		if ofProgram && !strings.Contains(rights, "w") {
			// An error does no harm: this is only advice.
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}
