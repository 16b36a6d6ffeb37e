package term

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

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
