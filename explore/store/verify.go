package store

import (
	"cmp"
	"context"
	"slices"
)

// Verify reads all files of a search once, and returns a *DamagedError for a file that is not as it was
// written, even if the search would not read the damaged part again. each calls do for every number below n,
// possibly in parallel, and so is read called, with the bytes read since its last call. If ctx ends first, the
// error is its cause.
func (s *Search) Verify(ctx context.Context, files Files, each func(n int, do func(i int)),
	read func(bytes int)) error {
	all := slices.Concat(append([][]Run{s.Frontier}, s.Visited...)...)
	errs := make([]error, len(all))
	each(len(all), func(i int) {
		kind := Codes
		if i < len(s.Frontier) {
			kind = States
		}
		errs[i] = s.verify(ctx, files, all[i], kind, read)
	})
	return cmp.Or(errs...)
}

func (s *Search) verify(ctx context.Context, files Files, r Run, kind string, read func(bytes int)) error {
	f, err := open(files, r.Name, kind, s.Model)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		b, err := f.frame()
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		read(len(b))
	}
	if f.size != r.Bytes {
		return f.Damaged("its length is not as it was written")
	}
	return nil
}
