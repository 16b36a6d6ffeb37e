package store

import (
	"cmp"
	"context"
	"slices"
)

// Verify reads all files of a search in a directory once, and returns a *DamagedError for one that is not as
// it was written, also where the damage would not be read again. each calls a function for every number
// below n, for several at a time if it likes. If ctx is done before, its cause is the error.
func (s *Search) Verify(ctx context.Context, files Files, each func(n int, do func(i int))) error {
	all := slices.Concat(append([][]Run{s.Frontier}, s.Visited...)...)
	errs := make([]error, len(all))
	each(len(all), func(i int) {
		kind := Codes
		if i < len(s.Frontier) {
			kind = States
		}
		errs[i] = s.verify(ctx, files, all[i], kind)
	})
	return cmp.Or(errs...)
}

func (s *Search) verify(ctx context.Context, files Files, r Run, kind string) error {
	f, err := open(files, r.Name, kind, s.Model)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if b, err := f.frame(); err != nil {
			return err
		} else if b == nil {
			break
		}
	}
	if f.size != r.Bytes {
		return f.Damaged("it has another length than when it was written")
	}
	return nil
}
