package traces

import "io"

func asDOT(w io.Writer, r *Run, _ Options) error { return nil }
