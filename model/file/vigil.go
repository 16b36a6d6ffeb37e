package file

import (
	"context"
	"slices"
	"sync"

	"go.starlark.net/starlark"
)

// A vigil knows the searches of a model that are under way, so that a function of the model that takes long
// ends when they are to end. It stands in the library of the file, where calls find it.
type vigil struct {
	typed
	mu    sync.Mutex
	under []context.Context
}

// vigilName is that in the library; no file can write it.
const vigilName = "~"

// until has the vigil know of a search, up to the call of what it returns: see model.Instance.
func (v *vigil) until(ctx context.Context) (release func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.under = append(v.under, ctx)
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if i := slices.Index(v.under, ctx); i >= 0 {
			v.under = slices.Delete(v.under, i, i+1)
		}
	}
}

// over reports whether there are searches, and all of them are to end.
func (v *vigil) over() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, ctx := range v.under {
		if ctx.Err() == nil {
			return false
		}
	}
	return len(v.under) > 0
}

// over reports whether the call on a thread is for searches that are to end.
func over(t *starlark.Thread) bool {
	for depth := range t.CallStackDepth() {
		if f, ok := t.DebugFrame(depth).Callable().(*starlark.Function); ok {
			v, _ := f.Module().Predeclared()[vigilName].(*vigil)
			return v != nil && v.over()
		}
	}
	return false
}
