/*
 * Two-phase commit, conformance case P1, for Spin.
 *
 *   spin -DN=9 -a 2pc.pml
 *   gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c
 *   ./pan -m100 -w24
 *
 * N (1..10) is the number of resource managers.  "states, stored" is the
 * number of distinct states and "transitions" is the number of generated
 * successors plus the initial state:
 *
 *     N     stored    transitions
 *     3        288          1 146
 *     5      8 832         58 146
 *     7    296 448      2 744 706
 *     9 10 340 352    123 558 402
 *    10 61 515 776
 *
 * How the counts are kept exact.  There is one process, it has a single
 * control point (the head of the loop), and the globals start with the
 * values of the initial state, so no state is spent on starting up or
 * on ending.  Every action is one d_step, so nothing between its guard and
 * its last assignment is stored.
 *
 * How it is kept small and quick.  Sets of managers are bit masks; the
 * state of a manager is two bits kept in two masks:
 *
 *     working 00   prepared 01   aborted 11   committed 10     (hi lo)
 *
 * so that each action assigns to two masks at most.  All of the state then
 * takes 4N+4 bits: five bytes for N = 9.  Most of pan's time goes to looking
 * states up, hardly any to the actions.  The alternatives are listed action
 * by action and not manager by manager: the order in which successors are
 * met decides how well the hash table is cached, and this one was about a
 * tenth faster.
 *
 * The variables must stay global.  As bit fields local to the process, one
 * layout made the pan of Spin 6.5.2 store 6 915 072 states instead of
 * 10 340 352: its default packing of the state vector lost some of the bits
 * (with -DNOCOMP the count was right).
 */

#ifndef N
#define N 3
#endif

#define BIT(i)  (1 << (i))
#define ALL     (BIT(N) - 1)

#define INIT      0	/* values of tm */
#define COMMITTED 1
#define ABORTED   2

unsigned lo       : N;	/* the managers, low and high bit */
unsigned hi       : N;
unsigned sent     : N;	/* Prepared(i) has been sent */
unsigned prepared : N;	/* the coordinator has heard it */
unsigned tm       : 2;
bit      msg_commit;
bit      msg_abort;

/*
 * The invariant: nobody committed while somebody else aborted.  It is
 * checked by an alternative of the loop that can be taken only in a state
 * that breaks it.  Its guard is evaluated once for every stored state
 * (including the first), and as long as the invariant holds it yields no
 * step, so neither count moves.
 */
#define CONSISTENT (!(hi & lo) || !(hi & ~lo))

#define TM_COMMIT \
	:: d_step { tm == INIT && prepared == ALL -> tm = COMMITTED; msg_commit = 1 }
#define TM_ABORT \
	:: d_step { tm == INIT -> tm = ABORTED; msg_abort = 1 }

#define TM_RCV_PREPARED(i) \
	:: d_step { tm == INIT && (sent & BIT(i)) -> prepared = prepared | BIT(i) }
#define RM_PREPARE(i) \
	:: d_step { !((lo | hi) & BIT(i)) -> lo = lo | BIT(i); sent = sent | BIT(i) }
#define RM_CHOOSE_TO_ABORT(i) \
	:: d_step { !((lo | hi) & BIT(i)) -> lo = lo | BIT(i); hi = hi | BIT(i) }
#define RM_RCV_COMMIT(i) \
	:: d_step { msg_commit -> lo = lo & ~BIT(i); hi = hi | BIT(i) }
#define RM_RCV_ABORT(i) \
	:: d_step { msg_abort -> lo = lo | BIT(i); hi = hi | BIT(i) }

#if N == 1
#define EACH(A) A(0)
#elif N == 2
#define EACH(A) A(0) A(1)
#elif N == 3
#define EACH(A) A(0) A(1) A(2)
#elif N == 4
#define EACH(A) A(0) A(1) A(2) A(3)
#elif N == 5
#define EACH(A) A(0) A(1) A(2) A(3) A(4)
#elif N == 6
#define EACH(A) A(0) A(1) A(2) A(3) A(4) A(5)
#elif N == 7
#define EACH(A) A(0) A(1) A(2) A(3) A(4) A(5) A(6)
#elif N == 8
#define EACH(A) A(0) A(1) A(2) A(3) A(4) A(5) A(6) A(7)
#elif N == 9
#define EACH(A) A(0) A(1) A(2) A(3) A(4) A(5) A(6) A(7) A(8)
#elif N == 10
#define EACH(A) A(0) A(1) A(2) A(3) A(4) A(5) A(6) A(7) A(8) A(9)
#else
#error N must be 1 to 10
#endif

active proctype system()
{
	do
	:: d_step { !CONSISTENT -> assert(false) }
	TM_COMMIT
	TM_ABORT
	EACH(TM_RCV_PREPARED)
	EACH(RM_PREPARE)
	EACH(RM_CHOOSE_TO_ABORT)
	EACH(RM_RCV_COMMIT)
	EACH(RM_RCV_ABORT)
	od
}
