package ring

import (
	"fmt"

	"github.com/atmostk/atmostk/model"
	"github.com/atmostk/atmostk/model/figures"
	"github.com/atmostk/atmostk/model/papers"
)

// What the paper claims of OnRelease, of AutoList and of other details that can be read in several ways.

// incompleteList asks whether a crash in a cold start under AutoList can make a process give up.
func incompleteList() papers.Finding {
	run := figures.Figure{
		Spec: plain, Args: "n=2 f=1 list=auto start=cold guard=none", Places: places,
		Steps: []string{"p2 crash", "p1 open-error"},
	}
	f := run.Follow()
	if f.Verdict == "holds" {
		f.Detail = "p2 crashes, p1 cannot connect, its list is empty"
	}
	return f
}

// listsOfSix compares the lists of a ring of six with the examples of section 3.
func listsOfSix() papers.Finding {
	r := &ring{n: 6, members: 6}
	for p := range model.Proc(6) {
		want := "("
		for k := range 6 {
			want += fmt.Sprintf("p%d ", (int(p)+1+k)%6+1)
		}
		if got := r.round(p).String(); got != want[:len(want)-1]+")" {
			return papers.Finding{Verdict: "violated", Detail: fmt.Sprintf("p%d has %s", p+1, got)}
		}
	}
	return papers.Finding{Verdict: "holds", Detail: "six lists of six"}
}
