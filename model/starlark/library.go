package starfile

import (
	"errors"
	"fmt"
	"sync/atomic"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/atmostk/atmostk/model"
)

// A builder is one execution of a file: it keeps what the file declares.
type builder struct {
	made     bool        // it has made its model
	looks    bool        // no model is made: the file is only gone through
	spec     *model.Spec // that is filled in
	args     *model.Args // nil: the execution that finds out which parameters there are
	built    *model.Instance
	room     atomic.Int64 // for nodes of memos
	searches cancelGroup

	entries  entries               // what the model calls
	premises map[string][]*premise // of properties, by where their functions stand

	rounds  []int
	endless bool // endless_params() was called
}

// A declaration is a function that declares a part of a model, with the names of its arguments.
type declaration struct {
	name, args string
	make       func(b *builder, s *settings) (starlark.Value, error)
}

// declarations are all of them; docs/files.md says what each is for.
var declarations = []declaration{
	{"param", "name default values doc", (*builder).param},
	{"require", "ok parameter allowed", (*builder).require},
	{"fairness_param", "", (*builder).fairnessParam},
	{"rounds_param", "n first", (*builder).roundsParam},
	{"network_params", "n crashes crash_sends first", (*builder).networkParams},
	{"endless_params", "", (*builder).endlessParams},
	{"reference", "args states depth generated violated origin large", (*builder).reference},
	{"source", "text", (*builder).source},

	{"record", "*", (*builder).record},
	{"message", "*", (*builder).message},
	{"enum", "*", (*builder).enum},
	{"array", "keys of", (*builder).arrayOf},
	{"set_of", "of", (*builder).setOf},
	{"list_of", "of max", (*builder).listOf},
	{"dict_of", "keys of", (*builder).dictOf},
	{"optional", "of", (*builder).optionOf},
	{"proc", "of", (*builder).procOf},

	{"processes", "n local steps receive properties init notice units capacity crash network channel " +
		"history constraint fairness first under_way charge rounds within limit", (*builder).processes},
	{"step", "do name lines kind request", (*builder).step},
	{"on", "message do name lines", (*builder).on},
	{"history", "of step guards", (*builder).history},

	{"system", "state actions properties init constraint fairness members names units capacity dead assume",
		(*builder).system},
	{"action", "do* name lines kind fair text", (*builder).action},
	{"weak", "name steps by", (*builder).fair},
	{"strong", "name steps by", (*builder).fair},

	{"invariant", "name holds each inbox message count messages least most use clear" + about,
		(*builder).property},
	{"reachable", "name goal" + about, (*builder).property},
	{"at_end", "name holds" + about, (*builder).property},
	{"deadlock_free", "name" + about, (*builder).property},
	{"step_property", "name holds steps" + about, (*builder).property},
	{"eventually", "name p begins" + about, (*builder).property},
	{"always_eventually", "name p" + about, (*builder).property},
	{"eventually_always", "name p" + about, (*builder).property},
	{"leads_to", "name p q" + about, (*builder).property},
	{"infinitely_often", "name ps q" + about, (*builder).property},
	{"no_run", "name start initially never avoids visits" + about, (*builder).property},
	{"served", "name waits" + about, (*builder).property},
	{"at_most", "k name" + about, (*builder).property},
	{"can_reach", "k name" + about, (*builder).property},
	{"no_starvation", "waits name" + about, (*builder).property},
	{"messages", "name opens closes least most" + about, (*builder).property},
	{"messages_total", "name served least most" + about, (*builder).property},
}

// about are the arguments that all properties have.
const about = " doc source on_request moot excuse"

// helpers are what steps and properties call.
var helpers = map[string]helper{
	"when": when, "pick": pick, "send": send, "note": note,
	"subsets": subsets, "majority": majority, "quorums": quorums, "without": without,
	"less": less, "sum": sum, "before": before, "joined": joined, "put": put, "take": take,
	"str": str, grownName: grown, factorName: factorOf, printedName: printed,
}

// Of Starlark's own functions some make, or go through, what they are given, and some are not for models.
var (
	countedFunctions = []string{
		"list", "tuple", "set", "dict", "sorted", "reversed", "enumerate", "zip", "min", "max", "any", "all",
	}
	refusedFunctions = []string{"getattr", "repr", "print", "bytes", "chr", "hash", "dir"}
)

// library returns what a file may use besides Starlark's own.
func (b *builder) library() starlark.StringDict {
	all := starlark.StringDict{
		"time":   &intType{typed: typed{name: "times"}, hi: maxInt, isTime: true, endless: true},
		"stamp":  &intType{typed: typed{name: "times"}, hi: maxInt, isTime: true, stamp: true, endless: true},
		"Rounds": roundsType,
	}
	add := func(name string, f helper) { all[name] = starlark.NewBuiltin(name, f.called) }
	for _, d := range declarations {
		add(d.name, func(in given) (starlark.Value, error) {
			if !callOf(in.t).loading {
				return nil, fmt.Errorf(
					"%s declares something, and cannot be called in a step or a property", d.name)
			}
			for _, pair := range in.named {
				pair.Freeze()
			}
			in.args.Freeze()
			s := settingsOf(d.name, d.args, in.args, in.named)
			if s.err != nil {
				return nil, s.err
			}
			v, err := d.make(b, s)
			if s.err != nil {
				return nil, s.err
			}
			return v, err
		})
	}
	for name, f := range helpers {
		add(name, f)
	}
	for _, name := range countedFunctions {
		plain := starlark.Universe[name].(*starlark.Builtin)
		add(name, func(in given) (starlark.Value, error) {
			for _, v := range in.args {
				if err := spendOn(in.t, v); err != nil {
					return nil, err
				}
			}
			return plain.CallInternal(in.t, in.args, in.named)
		})
	}
	for _, name := range refusedFunctions {
		add(name, func(given) (starlark.Value, error) { return nil, errors.New("models do without " + name) })
	}
	add("fail", func(in given) (starlark.Value, error) {
		lines := make(starlark.Tuple, len(in.args))
		for i, v := range in.args {
			lines[i] = starlark.String(short(v))
			if text, ok := v.(starlark.String); ok {
				lines[i] = starlark.String(cut(string(text), 1000))
			}
		}
		return starlark.Universe["fail"].(*starlark.Builtin).CallInternal(in.t, lines, in.named)
	})
	return all
}

// grown(v) is v, which an operator has made of two values.
func grown(in given) (starlark.Value, error) { return in.args[0], spendOn(in.t, in.args[0]) }

// A factor is the second operand of a product.
type factor struct {
	starlark.Value
	thread *starlark.Thread
}

func factorOf(in given) (starlark.Value, error) { return factor{in.args[0], in.t}, nil }

// Binary multiplies, if the result is not too large.
func (f factor) Binary(op syntax.Token, x starlark.Value, _ starlark.Side) (starlark.Value, error) {
	n, times := starlark.Len(x), f.Value
	if n < 0 {
		n, times = starlark.Len(f.Value), x
	}
	if k, err := starlark.AsInt32(times); n > 0 && (err != nil || k > maxElements/n) {
		return nil, fmt.Errorf("a value of %d elements %s times is too large; allowed are %d elements",
			n, short(times), maxElements)
	}
	v, err := starlark.Binary(op, x, f.Value)
	if err == nil {
		err = spendOn(f.thread, v)
	}
	return v, err
}

// printed(v) is what is put into a string: the texts of all values, as a whole.
func printed(in given) (starlark.Value, error) {
	all, ok := in.args[0].(starlark.Tuple)
	if !ok {
		return printable(in, in.args[0], maxElements)
	}
	lines, left := make(starlark.Tuple, len(all)), maxElements
	for i, v := range all {
		text, err := printable(in, v, left)
		if err != nil {
			return nil, err
		}
		lines[i] = text
		left -= max(0, starlark.Len(text))
	}
	return lines, nil
}

// printable is a value as it is put into a string: numbers and the like, or the whole text, of at most
// left bytes.
func printable(in given, v starlark.Value, left int) (starlark.Value, error) {
	switch v := v.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType:
		return v, nil
	}
	text, err := whole(v)
	if err == nil && len(text) > left {
		err = fmt.Errorf("a string of more than %d bytes is too large", maxElements)
	}
	return starlark.String(text), errors.Join(err, spend(in.t, len(text)))
}

// str(v) is the text of a value.
func str(in given) (starlark.Value, error) {
	var v starlark.Value
	if err := in.unpack(1, &v); err != nil {
		return nil, err
	}
	text, err := printable(in, v, maxElements)
	if s, ok := text.(starlark.String); ok || err != nil {
		return s, err
	}
	return starlark.String(v.String()), nil
}
