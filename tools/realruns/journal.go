package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// A journal is where clients log, by their number from 1, in the way of one of Go's loggers.
type journal func(client int, event string) error

// byZap writes lines of JSON as zap's production encoder does; a client has a logger with its name.
func byZap(w io.Writer) journal {
	core := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()),
		zapcore.Lock(zapcore.AddSync(w)), zap.InfoLevel)
	root := zap.New(core)
	return func(client int, event string) error {
		root.Named(fmt.Sprintf("c%d", client)).Info(event, zap.String("lock", "mutex"))
		return nil
	}
}

// bySlog writes by a handler of log/slog.
func bySlog(h slog.Handler) journal {
	root := slog.New(h)
	return func(client int, event string) error {
		root.Info(event, "worker", fmt.Sprintf("c%d", client))
		return nil
	}
}

// byLog writes lines of text, by the package log with microseconds.
func byLog(w io.Writer) journal {
	root := log.New(w, "", log.LstdFlags|log.Lmicroseconds)
	return func(client int, event string) error {
		return root.Output(2, fmt.Sprintf("worker %d: %s", client, event))
	}
}
