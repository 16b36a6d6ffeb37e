package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// Goroutine returns the number of the goroutine that calls it, for Running.
func Goroutine() string {
	head := make([]byte, 64)
	words := strings.Fields(string(head[:runtime.Stack(head, false)]))
	return words[1]
}

// tracedBytes is how much is read at most of what all goroutines are doing.
const tracedBytes = 1 << 20

// Running returns the line at which a function of a model stands that a goroutine has called, or one that
// this goroutine has started: "ring/ring.go:35"; "" if neither is in any. It stops the process for a
// moment, and takes nothing from those who search.
func Running(goroutine string) (where string) {
	traces := make([]byte, tracedBytes)
	all := string(traces[:runtime.Stack(traces, true)])
	for trace := range strings.SplitSeq(all, "\n\n") {
		lines := strings.Split(strings.TrimSpace(trace), "\n")
		its := strings.HasPrefix(lines[0], "goroutine "+goroutine+" ")
		if n := len(lines); !its && (n < 2 || !strings.HasSuffix(lines[n-2], " in goroutine "+goroutine)) {
			continue
		}
		if where := outermost(lines[1:]); where != "" {
			return where
		}
	}
	return ""
}

// outermost returns the line of the function of a model that the others in a trace have called. What is
// called by this module's search, files or command is no model's, such as what compresses.
func outermost(lines []string) (where string) {
	ours := false
	for i := len(lines) - 1; i > 0; i-- {
		file, isFile := strings.CutPrefix(lines[i], "\t")
		if !isFile || strings.HasPrefix(lines[i-1], "created by ") {
			continue
		}
		if file, _, _ = strings.Cut(file, " +0x"); !ours && ofModel(lines[i-1], file) {
			dir, name := filepath.Split(file)
			return fmt.Sprintf("%s/%s", filepath.Base(dir), name)
		}
		if within(lines[i-1], module) {
			ours = !within(lines[i-1], module+"/model") && !within(lines[i-1], module+"/invariants")
		}
	}
	return ""
}

// module is this one.
const module = "github.com/atmostk/atmostk"

// ownModule is the path of the main module of the program.
var ownModule = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Path
	}
	return ""
})

// within reports whether a function is of a package or of one below it; of none: "".
func within(function, path string) bool {
	rest, ok := strings.CutPrefix(function, path)
	return path != "" && ok && (rest == "" || rest[0] == '/' || rest[0] == '.')
}

// ofModel reports whether a function, of a file with its line, belongs to a model: neither to what executes
// models nor to the standard library.
func ofModel(function, file string) bool {
	if within(function, module) {
		return within(function, module+"/specs") || strings.Contains(file, "_test.go:")
	}
	first, _, _ := strings.Cut(function, "/")
	host, _, _ := strings.Cut(first, "(")
	outside := strings.Contains(function, "/") && strings.Contains(host, ".") // a path begins with a host
	return outside || strings.HasPrefix(function, "main.") || within(function, ownModule())
}
