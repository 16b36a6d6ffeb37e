package param

import "strconv"

// Choice declares a choice between words. The first is the default.
func Choice(name, doc string, words ...string) Param {
	return Param{Name: name, Doc: doc, Default: words[0], Type: OneOf(words...)}
}

// Number declares a whole number from lo to hi.
func Number(name, doc string, value, lo, hi int) Param {
	return Param{Name: name, Doc: doc, Default: strconv.Itoa(value), Type: IntRange(lo, hi)}
}

// Numbers declares whole numbers from lo to hi, one for all processes or one for each.
func Numbers(name, doc, value string, lo, hi int) Param {
	return Param{Name: name, Doc: doc, Default: value, Type: PerProcess(lo, hi)}
}

// Procs declares n, the number of processes p1..pn.
func Procs(value int) Param {
	return Param{Name: "n", Doc: "number of processes, p1..pn", Default: strconv.Itoa(value),
		Type: ProcCount(1)}
}

// Units declares k, the number of units.
var Units = Param{Name: "k", Doc: "units: processes that may be in the critical section at once; at most n",
	Default: "2",
	Type:    ProcCount(1)}

// Else returns the parameter with another default; "": it depends on other parameters, as Doc says.
func (p Param) Else(value string) Param {
	p.Default = value
	return p
}
