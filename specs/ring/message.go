package ring

import (
	"fmt"
	"strings"

	"github.com/atmostk/atmostk/model"
)

// An id is a process as messages and variables name it, 1 to n; 0 is NULL.
type id uint8

func idOf(p model.Proc) id { return id(p) + 1 }

// proc returns the process with an id that is not NULL.
func (i id) proc() model.Proc { return model.Proc(i - 1) }

func (i id) String() string {
	if i == 0 {
		return "NULL"
	}
	return fmt.Sprintf("p%d", uint8(i))
}

// ids is a list of ids, a byte for each: a string, to be comparable.
type ids string

// add returns the list with i behind it.
func (l ids) add(i id) ids { return l + ids([]byte{byte(i)}) }

func (l ids) String() string {
	var parts []string
	for _, i := range []byte(l) {
		parts = append(parts, id(i).String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// A stamp is the time of a token, which distinguishes it from others; 0 is NULL.
type stamp uint8

func (t stamp) String() string {
	if t == 0 {
		return "NULL"
	}
	return fmt.Sprint(uint8(t))
}

type kind uint8

const (
	meToken  kind = iota // the token of the basic algorithm
	election             // E: election(id)
	elected              // E: elected(id)
	rupToken             // RUP: rup(id), with AutoList rup(id, list)
	clearing             // MrkME: clear, in the first pass; under repair=epoch clear(time)
	token                // MrkME: token(time)
	inject               // INJ: inj(id, before)
)

type message struct {
	kind   kind
	id     id
	before id
	time   stamp
	list   ids
	count  uint8 // repair=count: the number of processes that have passed a rup on
}

func (m message) String() string {
	switch m.kind {
	case election:
		return fmt.Sprintf("election(%v)", m.id)
	case elected:
		return fmt.Sprintf("elected(%v)", m.id)
	case rupToken:
		if m.list != "" {
			return fmt.Sprintf("rup(%v, %v)", m.id, m.list)
		}
		if m.count > 0 {
			return fmt.Sprintf("rup(%v, %d passed)", m.id, m.count)
		}
		return fmt.Sprintf("rup(%v)", m.id)
	case clearing:
		if m.time != 0 {
			return fmt.Sprintf("clear(%v)", m.time)
		}
		return "clear"
	case token:
		return fmt.Sprintf("token(%v)", m.time)
	case inject:
		return fmt.Sprintf("inj(%v, %v)", m.id, m.before)
	}
	return "token"
}
