package distributed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
	"gocloud.dev/gcerrors"

	"github.com/atmostk/atmostk/explore/store"
	"github.com/atmostk/atmostk/model/usage"
)

// Files is the place of the files of all searches: a directory that all processes see, or a bucket.
type Files struct {
	dir    string       // "": the place is a bucket
	bucket *blob.Bucket // nil: the place is a directory
}

// places are the forms of a place of files.
const places = "file:///DIR, s3://BUCKET, gs://BUCKET or azblob://CONTAINER"

// OpenFiles opens the files at a URL: file:///DIR or a path of a directory, s3://BUCKET, gs://BUCKET,
// azblob://CONTAINER, with the parameters of gocloud.dev, and prefix=PATH/ for a part of a bucket.
func OpenFiles(ctx context.Context, place string) (*Files, error) {
	u, err := url.Parse(place)
	switch {
	case place == "":
		return nil, usage.Errorf("--files is needed: " + places)
	case err != nil:
		return nil, usage.Errorf("--files=%s: %v", place, err)
	case u.Scheme == "file" && u.Host != "":
		return nil, usage.Errorf("--files=%s: a directory has three slashes, file:///DIR", place)
	case u.Scheme == "file" || u.Scheme == "":
		dir, err := filepath.Abs(u.Path)
		if err == nil {
			err = os.MkdirAll(dir, 0o777)
		}
		if err != nil {
			return nil, usage.Errorf("--files=%s: %v", place, err)
		}
		return &Files{dir: dir}, nil
	}
	b, err := blob.OpenBucket(ctx, place)
	if err != nil {
		return nil, usage.Errorf("--files=%s: %v", place, err)
	}
	if _, err := b.IsAccessible(ctx); err != nil {
		return nil, fmt.Errorf("--files=%s: %w", place, err)
	}
	return &Files{bucket: b}, nil
}

// Close closes a bucket.
func (f *Files) Close() error {
	if f.bucket == nil {
		return nil
	}
	return f.bucket.Close()
}

// In returns the files of a folder. All operations on them end with ctx.
func (f *Files) In(ctx context.Context, folder string) store.Files {
	if f.bucket == nil {
		return store.Dir(filepath.Join(f.dir, filepath.FromSlash(folder)))
	}
	return objects{ctx, f.bucket, folder + "/"}
}

// objects are the files of a folder in a bucket. A name with slashes is a key.
type objects struct {
	ctx    context.Context
	bucket *blob.Bucket
	prefix string
}

// Create creates an object, which appears when it is committed.
func (o objects) Create(name string) (store.File, error) {
	ctx, cancel := context.WithCancel(o.ctx)
	as := &blob.WriterOptions{ContentType: "application/octet-stream"}
	w, err := o.bucket.NewWriter(ctx, o.prefix+name, as)
	if err != nil {
		cancel()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &object{w, cancel, name, false}, nil
}

// Open opens an object.
func (o objects) Open(name string) (io.ReadCloser, error) {
	r, err := o.bucket.NewReader(o.ctx, o.prefix+name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// Remove removes an object, or all objects of a folder.
func (o objects) Remove(name string) error {
	keys := []string{o.prefix + name}
	for i := o.bucket.List(&blob.ListOptions{Prefix: o.prefix + name + "/"}); ; {
		next, err := i.Next(o.ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		keys = append(keys, next.Key)
	}
	for _, key := range keys {
		if err := o.bucket.Delete(o.ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// An object is an object that is being written.
type object struct {
	*blob.Writer
	cancel context.CancelFunc
	name   string
	ended  bool
}

// Commit makes the object appear.
func (f *object) Commit() error {
	f.ended = true
	defer f.cancel()
	if err := f.Close(); err != nil {
		return fmt.Errorf("%s was not written: %w", f.name, err)
	}
	return nil
}

// Discard abandons the object: it cancels the context of the writer.
func (f *object) Discard() {
	if !f.ended {
		f.ended = true
		f.cancel()
		_ = f.Close() // its error is the cancellation
	}
}
