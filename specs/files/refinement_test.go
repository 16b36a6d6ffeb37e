package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atmostk/atmostk/explore"
	starfile "github.com/atmostk/atmostk/model/starlark"
)

// TestPlantedMistakes: models implement their abstractions and have their properties, and with a planted
// mistake they do not. The mistake puts one text in place of another; length is that of the shortest run; -1:
// the property holds.
func TestPlantedMistakes(t *testing.T) {
	const lock, commit, raymond = "implements-abstract-lock", "implements-atomic-commit", "implements-raymond"
	const counted, list = "implements-permission-lock", "    properties = ["
	const asLock = list + `implements("abstract-lock.star", parameters = {"n": n, "k": k},
		mapping = lambda g: {"at": [WORDS[p.state] for p in g.all]}),`
	const asCounted = list + `implements("permission-lock.star", parameters = {"n": n, "k": k},
		mapping = lambda g: {"at": [WORDS[p.state] for p in g.all], "permitted": [
			[j for j in PROCS if j != p.id and p.miss[j] == 0] if waits(p) else [] for p in g.all]}),`
	const asRaymond = list + `implements("raymond.star", as_raymond, parameters = {"n": n, "k": k,
		"variant": "H" if advance_H else "0", "rounds": ",".join([str(r) for r in rounds])}),`
	for _, x := range []struct {
		file, args, property, old, planted string
		length                             int
	}{
		{"raymond", "n=2 k=1 rounds=2,2", lock, "", "", -1},
		{"raymond", "n=2 k=1 rounds=2,2", lock, "first = ", "first = me.id == 1 and ", 8},
		{"raymond", "n=2 k=1 crashes=1", lock, "", "", -1},
		{"raymond", "n=2 k=2", lock, `me.state = "requesting"`, `me.state = "CS"`, 1},
		{"timerfree", "n=2 k=1 f=0 rounds=2,2 rp=off", lock, list, asLock, -1},
		{"timerfree", "n=2 k=1 f=0 rounds=2,2 rp=off variant=c order=footnote", lock, list, asLock, 8},
		{"raymond", "n=4 k=2 rounds=2,0,0,0", counted, list, asCounted, -1},
		{"timerfree", "n=4 k=2 f=0 rounds=2,0,0,0 rp=off nodup=on", counted, "", "", -1},
		{"timerfree", "n=4 k=2 f=0 rounds=2,0,0,0 rp=off", counted, "", "", 13},
		{"timerfree", "n=2 k=1 f=0 rounds=2,2 rp=off variant=a", raymond, list, asRaymond, -1},
		{"timerfree", "n=2 k=1 f=0 rounds=2,2 rp=off variant=c", raymond, list, asRaymond, -1},
		{"timerfree", "n=2 k=1 f=0 rounds=2,2 rp=off variant=c order=footnote", raymond, list, asRaymond, 3},
		{"timerfree", "n=3 k=2 f=0 rounds=2,1,0 rp=off variant=c", raymond, list, asRaymond, 8},
		{"2pc", "n=3", commit, "", "", -1},
		{"2pc", "n=3 symmetry=on", commit, "", "", -1},
		{"2pc", "n=3", commit, "all(s.knows)", "len([i for i in RM if s.knows[i]]) >= n - 1", 6},
		{"2pc", "n=3", "consistent", "all(s.knows)", "any(s.knows)", 5},
		{"2pc", "n=3", commit, `when("Abort" in s.msgs)`, `when(s.tm != "init")`, 9},
		{"2pc", "n=3", commit + "-begins", `array(RM, enum("working", "prepared", "committed", "aborted")),`,
			`(array(RM, enum("working", "prepared", "committed", "aborted")), ["prepared"] * n),`, 0},
		{"chang-roberts", "n=3", "correct", "elif d == i:", `elif d > i:
        s.msgs[next(i)].add(d)
    elif d == i:`, 6},
		{"ewd840", "n=3", "termination-detection", "s.black[i] = True", "pass", 5},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, x.file+starfile.Extension)
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), x.old) {
			t.Fatalf("%s: %q: %v", x.file, x.old, err)
		}
		changed := strings.Replace(string(text), x.old, x.planted, 1)
		if x.property == raymond {
			changed = strings.Replace(changed, "waits =", mapping+"waits =", 1)
		}
		if x.old != "" {
			err = os.WriteFile(path, []byte(changed), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := lengthOf(t, path, x.args, x.property); got != x.length {
			t.Errorf("%s %s, %s, with %q: a run of %d steps, not %d", x.file, x.args, x.property, x.planted,
				got, x.length)
		}
	}
}

// mapping is the state of Raymond's algorithm in one of the timer-free algorithm without crashes: a refusal,
// NOPERM, is no message there, and a reply is owed for each request that was not answered.
const mapping = `
ASKED, REPLIED = message("REQUEST", ts = stamp), message("REPLY", count = int)

def as_raymond(g):
    owed = [(e.src, e.dst) for e in g.messages if e.kind == "REPLY" and e.message.ack == "PERM"]
    owed += [(e.dst, e.src) for e in g.messages if e.kind == "REQUEST"]
    owed += [(q.id, p) for q in g.all for p in PROCS if q.pending[p]]
    return {
        "all": [{"state": p.state, "H": p.H, "last": p.last, "perm_count": p.perm_count, "rounds": p.rounds,
            "miss": [len([1 for x in owed if x == (j, p.id)]) for j in PROCS],
            "defer": [1 if x else 0 for x in p.pending]} for p in g.all],
        "messages": [(e.src, e.dst, ASKED(e.message.time) if e.kind == "REQUEST" else REPLIED(1))
            for e in g.messages if e.kind == "REQUEST" or e.message.ack == "PERM"],
    }

`

// lengthOf returns the length of the shortest run that violates a property; -1: it holds, not vacuously.
func lengthOf(t *testing.T, path, args, property string) int {
	t.Helper()
	spec, err := starfile.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spec.Instantiate(strings.Fields(args))
	if err != nil {
		t.Fatal(err)
	}
	var which []int
	for i, p := range in.Space.Properties() {
		if p.Name == property {
			which = append(which, i)
		}
	}
	r, err := explore.Run(context.Background(), in, explore.Options{Properties: which, Workers: 2})
	if err != nil || r.Mistake != nil || len(which) != 1 || r.Properties[0].Vacuous != nil {
		t.Fatal(err, r.Mistake, which)
	}
	return r.Properties[0].Length
}
