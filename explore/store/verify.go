package store

import "context"

// Verify reads all files of a search in a directory once, and returns a *DamagedError for one that is not as
// it was written, also where the damage would not be read again. each calls a function for every number
// below n, for several at a time if it likes. If ctx is done before, its cause is the error.
func (s *Search) Verify(ctx context.Context, files Files, each func(n int, do func(i int))) error {
	type part struct {
		Run
		kind string
	}
	var all []part
	for _, r := range s.Frontier {
		all = append(all, part{r, States})
	}
	for _, shard := range s.Visited {
		for _, r := range shard {
			all = append(all, part{r, Codes})
		}
	}
	errs := make([]error, len(all))
	each(len(all), func(i int) { errs[i] = s.verify(ctx, files, all[i].Run, all[i].kind) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
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
