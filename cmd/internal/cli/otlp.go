//go:build !js

package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/atmostk/atmostk/model/usage"
	"github.com/atmostk/atmostk/traces/logs"
	"github.com/atmostk/atmostk/traces/printable"
)

// maxRequest is the longest request to export spans, in bytes, unpacked.
const maxRequest = 16 << 20

// An otlpReceiver takes spans by OTLP over HTTP, as SDKs and collectors send them, and writes each request
// on a line in JSON.
type otlpReceiver struct {
	mu  sync.Mutex // a line at a time
	out *io.PipeWriter
}

// ServeHTTP takes a request. It is answered when its spans are to be read next, so that who sends more than
// is read has to wait.
func (o *otlpReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	inJSON := kind == "application/json"
	if !inJSON && kind != "application/x-protobuf" {
		http.Error(w, "allowed are application/json and application/x-protobuf",
			http.StatusUnsupportedMediaType)
		return
	}
	body, err := unpacked(w, r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var line bytes.Buffer
	if inJSON {
		err = json.Compact(&line, body)
	} else {
		body, err = logs.OTLPAsJSON(body)
		line.Write(body)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	line.WriteByte('\n')
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, err := o.out.Write(line.Bytes()); err != nil {
		http.Error(w, "the watch has ended", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", kind)
	if inJSON {
		_, _ = io.WriteString(w, "{}") // who asks may have gone
	}
}

// unpacked is the body of a request.
func unpacked(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	in := io.Reader(http.MaxBytesReader(w, r.Body, maxRequest))
	switch r.Header.Get("Content-Encoding") {
	case "":
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = z
	default:
		return nil, errors.New("allowed as Content-Encoding is gzip")
	}
	body, err := io.ReadAll(io.LimitReader(in, maxRequest+1))
	if err == nil && len(body) > maxRequest {
		err = errors.New("the request is too long")
	}
	return body, err
}

// receive listens for spans, and returns what is written of them and what ends that.
func (a *app) receive(address string) (io.Reader, func(), error) {
	l, err := a.onLoopback("otlp", address)
	if err != nil {
		return nil, nil, err
	}
	in, out := io.Pipe()
	mux := http.NewServeMux()
	mux.Handle("POST /v1/traces", &otlpReceiver{out: out})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second, ReadTimeout: time.Minute,
		MaxHeaderBytes: 1 << 14}
	a.serve("otlp", s, l)
	printable.Fprintf(a.diag, "%s: spans are taken at http://%s/v1/traces\n", a.Name, l.Addr())
	return in, func() {
		_ = out.Close()
		_ = in.Close()
		_ = s.Close()
	}, nil
}

// onLoopback listens at an address, which has to be one of the loopback.
func (a *app) onLoopback(flag, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	if err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, usage.Errorf("--%s=%s: allowed are addresses of the loopback with a port, such as "+
			"127.0.0.1:9464", flag, address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, usage.Errorf("--%s: %v", flag, err)
	}
	return l, nil
}

// serve answers until the server is closed.
func (a *app) serve(flag string, s *http.Server, l net.Listener) {
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			printable.Fprintf(a.diag, "%s: --%s: %v\n", a.Name, flag, err)
		}
	}()
}
