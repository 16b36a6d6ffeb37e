package explain

import (
	"context"
	"errors"
	"fmt"
)

// A budget counts what a search has spent.
type budget struct {
	opt    *Options
	states int64
	keys   int64 // bytes of the keys of cuts
	steps  int64
}

// spent says which limit has been reached; "" if none.
func (b *budget) spent(ctx context.Context, s *search) string {
	b.steps++
	if b.opt.States > 0 && b.states >= b.opt.States {
		return fmt.Sprintf("%d states were not enough", b.opt.States)
	}
	if b.steps&(1<<8-1) != 0 {
		return ""
	}
	switch err := context.Cause(ctx); {
	case errors.Is(err, context.DeadlineExceeded):
		return "the time is up"
	case err != nil:
		return "interrupted"
	}
	const entry = 120 // bytes of the map, per cut
	if b.opt.Memory > 0 && b.keys+b.states*entry+int64(len(s.stack))*600+s.track.bytes > b.opt.Memory {
		return fmt.Sprintf("%d bytes of memory were not enough", b.opt.Memory)
	}
	return ""
}
