package validate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/atmostk/atmostk/traces/logs/formats"
	"github.com/atmostk/atmostk/traces/validate"
)

// A program asks whether a log of its lock is in order.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "lock.log")
	lines := "1000 a acquire\n2000 b acquire\n3000 a release\n4000 b release\n"
	if err := os.WriteFile(file, []byte(lines), 0o666); err != nil {
		panic(err)
	}

	skew := time.Duration(0) // the time stamps are an order
	opt := validate.Options{Options: formats.Options{Skew: &skew}, Units: map[string]int{"": 1}}
	report, err := validate.Run(context.Background(), []string{file}, opt)
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Verdict())
	for _, f := range report.Findings() {
		fmt.Println(f.Severity, f.Message)
	}
	// Output:
	// rejected
	// error 2 units in use at once, where 1 may be, in every order of events that fits the log
}
