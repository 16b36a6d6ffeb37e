package term

import "context"

// Signals returns a context without end: a page stops the program as a whole.
func Signals() context.Context { return context.Background() }
