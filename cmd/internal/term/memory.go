package term

import (
	"strconv"
	"strings"

	"github.com/atmostk/atmostk/model/usage"
)

// MemoryLimit reads a size in bytes such as 64M; "" is four fifths of the memory that is available. 0 is no
// limit. The error names the flag --memory.
func MemoryLimit(s string) (int64, error) {
	if s == "" {
		free := available()
		return min(free, max(1, free/5*4)), nil // 0 only if free is 0, unknown
	}
	number := strings.TrimRight(strings.ToUpper(s), "KMGTIB")
	unit := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(s)[len(number):], "B"), "I")
	shift, known := map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[unit]
	x, err := strconv.ParseFloat(number, 64)
	if x *= float64(int64(1) << shift); err != nil || !known || !(x >= 1 && x < 1<<62) {
		return 0, usage.Errorf("--memory=%s is not a size such as 64M, 512MiB or 8G", s)
	}
	return int64(x), nil
}
