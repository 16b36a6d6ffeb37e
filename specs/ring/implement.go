package ring

import (
	"github.com/atmostk/atmostk/model/papers"
)

// implement is what to take: variant=repaired.
var implement = papers.Claim{
	Name: "What to implement", Place: "variant=repaired",
	Text: "The chain of algorithms with the changes below keeps what the page judges, in schemes 1 and 2, " +
		"with crashes and with channels that break and open again.",
	Ruling: papers.Stands, Within: "f<=n-min-k",
	Account: `variant=repaired. Lines with ! differ from what is printed, or say what it leaves open;
lines with * are as the author's program has them. Process i has one output channel, to the process next.
list holds all ids from the successor round to i itself, known from the start (AutoList = false). Scheme 1
is the same without what stands in brackets.

    CEH.GD
      start:              next := the head of list, removed; errors := 0; replaced := {}      !
      channel opens:      errors := 0; RUP := DOWN; send rup(i, 0)
      channel closes:     errors := 0; RUP := DOWN; open it again after a while
      it cannot be opened:  RUP := DOWN; errors := errors + 1
                          if errors < MAX_CEH_ERR: try again after a while      [scheme 1: always]
                          [else if |list| >= MIN_K:                             ! nothing about RUP
                             replaced := replaced + next                        ! orphan
                             next := the head of list, removed; errors := 0; try again
                           else: give the channel up for ever]

    RUP.GD
      on rup(j, c):       if j in replaced: drop it                             ! orphan
                          else if j != i: participant := false                  ! participant
                            send rup(j, c+1)                                    ! count
                          else if c+1 < MIN_K: give the channel up for ever     ! count
                          else: RUP := UP; start E
      on time-out:        if RUP = DOWN and the channel is open: send rup(i, 0)

    E
      start:              participant := true; coordinator := NULL; send election(i)
      on election(j):     if j in replaced: drop it                             ! orphan
                          else if j > i: participant := true; coordinator := NULL; send election(j)
                          else if j < i: if not participant: as start
                          else: participant := false; coordinator := i; send elected(i)
      on elected(j):      if j in replaced: drop it                             ! orphan
                          else if j != i: participant := false; coordinator := j; send elected(j)
                          if it was not dropped: after the election

    MrkME and Mx1ME
      after the election: if state = INIT: state := RELEASED                    * not otherwise
                          if coordinator = i: ON := true; time := NULL
                            seen := a time never used before; send clear(seen)  ! epoch
      on clear(t):        if state = HELD: pending := t                         ! with its time; the latest
                          else Clear(t)
      Clear(t):           if coordinator != i: ON := true; time := NULL; seen := t; send clear(t)
                          else if t = seen: time := t; send token(t)            ! epoch; else drop it
      on token(t):        if ON and t != seen, or not ON and t != time: drop it ! epoch
                          else if ON and coordinator = i: if t = time: ON := false; send token(t)  * OFF
                          else if ON: if time = NULL: ON := false; time := t
                            send token(t)
                          else if state = WANTED: state := HELD; enter the critical section
                          else if state = RELEASED: send token(t); in INIT and HELD: drop it
      request:            if state = RELEASED: state := WANTED                  ! whatever the time: remember
      release:            state := RELEASED
                          if there is a pending clear: Clear(pending); pending := none
                          else if not ON: send token(time)                      ! drop

With scheme 3 also: a process that turns to a newcomer puts its old neighbour back into its list, behind the
newcomer (requeue), which goes to the front (insert=front) and is not in replaced any more.

**What each change is for.** participant: an election cut short does not swallow the next one. orphan:
nothing of the dead goes round for ever. epoch and drop: there is never a second token, though an election
makes the coordinator NULL while its clear is under way. remember: no request is ignored. count: MIN_K
bounds what is left.

**What it costs.** No change sends a message of its own; drop and orphan send a few less, and participant
lets an election go on that would have been swallowed. A clear carries a time, a rup a number of at most n,
and a process keeps the set of the neighbours that it has replaced. The rows count the messages from a crash
to the ring that has recovered, the least and the most over all runs.

**What stays unknown.** More than five processes (six without requests), and more than two requests each.
A channel that stays broken while its process lives: ME1 is lost, see there. Time-outs never fire here for
what is only slow: a rup that is sent again too soon starts one more election, which was not explored.
That a time was never used before is assumed, over crashes of the coordinator, too: a clock that is set
back breaks it. Under AutoList a crash before the first rup is back still ends recovery.`,
	Trials: []papers.Trial{
		{
			Compute: of(recoveryMessages, "n=2 f=1 rounds=0 variant=repaired"),
			Remark:  "messages to recover from a crash, two processes",
		},
		{
			Compute: of(recoveryMessages, "n=2 f=1 rounds=0"),
			Aside:   papers.Contrast,
			Remark:  "two, as printed",
		},
		{Compute: of(recoveryMessages, "n=3 f=1 rounds=0 variant=repaired"), Remark: "three processes"},
		{Compute: of(recoveryMessages, "n=3 f=1 rounds=0"), Aside: papers.Contrast,
			Remark: "three, as printed"},
		{
			Compute: of(recoveryMessages, "n=3 f=1 rounds=1 variant=repaired"),
			Remark:  "three, with a request each",
		},
		{
			Compute: of(recoveryMessages, "n=3 f=1 rounds=1"), Aside: papers.Contrast,
			Remark: "three, with a request each, as printed",
		},
		{Compute: of(recoveryMessages, "n=4 f=1 rounds=0 variant=repaired"), Remark: "four processes"},
		{Compute: of(recoveryMessages, "n=4 f=1 rounds=0"), Aside: papers.Contrast,
			Remark: "four, as printed"},
		{Spec: "ring-recovery", Args: "n=4 f=2 variant=repaired", Property: "requests-served"},
		{
			Spec: "ring-recovery", Args: "n=3 f=1 start=cold variant=repaired", Property: "mutual-exclusion",
		},
		{Spec: "ring-recovery", Args: "n=5 f=3 variant=repaired", Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "scheme=1 n=2 f=2 rounds=2 variant=repaired",
			Property: "mutual-exclusion"},
		{Spec: "ring-recovery", Args: "n=2 breaks=3 variant=repaired", Property: "mutual-exclusion"},
	},
	Statements: []papers.Statement{
		{
			Says: "Without failures, and in scheme 2 with up to n-k crashes and channels that " +
				"break and open " +
				"again, every property holds with variant=repaired.",
			Spec: "ring-recovery", Where: "variant=repaired scheme=0/2 f<=n-min-k lasting=no",
			Verdict: papers.Everywhere,
		},
		{
			Says: "So it does in scheme 1, where the neighbour does not give up.", Spec: "ring-recovery",
			Where: "variant=repaired scheme=1 max-err=0 lasting=no", Verdict: papers.Everywhere,
		},
		{
			Says: "With more crashes than n-k nothing unsafe happens, and no ring of fewer than " +
				"k stays closed.",
			Spec:  "ring-recovery",
			Where: "variant=repaired scheme=2 f>n-min-k lasting=no", Verdict: papers.Everywhere,
			Properties: "mutual-exclusion,one-token,one-usable-token,no-pop-empty,min-k-stable," +
				"no-lost-request",
		},
		{
			Says: "In scheme 3, as it is read here, every property holds as well.", Spec: "ring-recovery",
			Where: "variant=repaired scheme=3", Verdict: papers.Everywhere,
		},
	},
}
