/*
 * Lamport's distributed mutual exclusion of 1978 with FIFO channels,
 * conformance case P2 for three processes, for Spin.
 *
 *   spin -DM=6 -a lamport-mutex.pml
 *   gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c
 *   ./pan -m100 -w20
 *
 * M (1..12) is the greatest clock value kept.  "states, stored" is the
 * number of distinct states: 10 209 for M = 3 and 724 274 for M = 6.
 *
 * How the counts are kept exact.  There is one process, it has a single
 * control point (the head of the loop), and the globals start with the
 * values of the initial state.  Every action is one d_step, so only
 * completed actions are stored.  Enter stays possible inside the critical
 * section, as in the case; that is a self-loop.
 *
 * The clock constraint.  Only receiving a request moves a clock, so only
 * there can a successor fail the constraint, and the guard of RECV refuses
 * the step that would.  Two things the case asks of such a rejected
 * successor are still done without building it:
 *
 *   - It is checked against the invariants.  It has the critical section of
 *     its predecessor, which has been checked, and one message more in one
 *     queue; when that queue is full RECV does take the step, to fail there.
 *   - Its predecessor is not deadlocked.  The last alternative of the loop is
 *     open only when nothing else is; it asserts that some rejected
 *     successor exists, and stays where it is.  So a true deadlock is
 *     reported, as a failed assertion.  This adds self-loops to the
 *     transitions (746 of them for M = 6), not to the states.
 *
 * With -DGENERATED every rejected successor becomes a self-loop instead.
 * Then "transitions" equals what the case calls generated (41 533 for
 * M = 3 and 2 729 079 for M = 6); this is to check the model, and it is slower.
 *
 * How it is kept small and quick.  A queue is a number: four bits for each
 * message, three messages, the oldest in the lowest four bits, zero where
 * there is none.  All of the state takes 120 bits for M <= 7.  pan spends
 * under a tenth of its time in the actions, the rest on storing states.
 */

#ifndef M
#define M 6
#endif
#if M < 1 || M > 12
#error M must be 1 to 12
#endif

#if M <= 7
#define CLOCKBITS 3
#else
#define CLOCKBITS 4
#endif

/* Messages: 1..M is a request with that clock, and the two below. */
#define ACK 14
#define REL 15

#define PROCESS(p) \
	unsigned clock##p  : CLOCKBITS = 1; \
	unsigned req##p##1 : CLOCKBITS; \
	unsigned req##p##2 : CLOCKBITS; \
	unsigned req##p##3 : CLOCKBITS; \
	unsigned ack##p    : 3; \
	bit      crit##p;

unsigned net12 : 12;	/* from 1 to 2 */
unsigned net13 : 12;
unsigned net21 : 12;
unsigned net23 : 12;
unsigned net31 : 12;
unsigned net32 : 12;
PROCESS(1)
PROCESS(2)
PROCESS(3)

#define HEAD(q)      (q & 15)
#define POP(q)       q = q >> 4
#define FULL(q)      (q >= 256)
#define APPEND(q, m) q = q | (m << (q == 0 -> 0 : (q < 16 -> 4 : 8)))
#define MAX(a, b)    (a > b -> a : b)

/*
 * The invariants, asserted where they could be broken: at most one process
 * in crit when one enters, at most three messages when one is appended.
 * The assertions are inside the d_steps, so every generated successor is
 * checked and no state is added.
 */
#define ROOM(q)       assert(!FULL(q))
#define ALONE(q, r)   assert(!crit##q && !crit##r)

#define REQUEST(p, q, r) \
	:: d_step { req##p##p == 0 -> \
		ROOM(net##p##q); ROOM(net##p##r); \
		req##p##p = clock##p; \
		ack##p = 1 << (p-1); \
		APPEND(net##p##q, clock##p); \
		APPEND(net##p##r, clock##p) }

/* OP is <= against a process of a higher number, < against a lower one. */
#define BEATS(p, q, OP) (req##p##q == 0 || req##p##p OP req##p##q)

#define ENTER(p, q, OPQ, r, OPR) \
	:: d_step { ack##p == 7 && BEATS(p, q, OPQ) && BEATS(p, r, OPR) -> \
		ALONE(q, r); \
		crit##p = 1 }

#define EXIT(p, q, r) \
	:: d_step { crit##p -> \
		ROOM(net##p##q); ROOM(net##p##r); \
		crit##p = 0; \
		req##p##p = 0; \
		ack##p = 0; \
		APPEND(net##p##q, REL); \
		APPEND(net##p##r, REL) }

/* Receiving a request leaves clock p within M. */
#define WITHIN(p, q)   (HEAD(net##q##p) < M && clock##p < M)
#define REJECTED(p, q) (net##q##p != 0 && HEAD(net##q##p) < ACK && !WITHIN(p, q))

/* The three receive actions of p from q, at most one of which is possible. */
#define RECV(p, q) \
	:: d_step { net##q##p != 0 && \
		    (HEAD(net##q##p) >= ACK || WITHIN(p, q) || FULL(net##p##q)) -> \
		if \
		:: HEAD(net##q##p) == ACK -> ack##p = ack##p | (1 << (q-1)) \
		:: HEAD(net##q##p) == REL -> req##p##q = 0 \
		:: else -> \
			ROOM(net##p##q); \
			req##p##q = HEAD(net##q##p); \
			clock##p = MAX(HEAD(net##q##p), clock##p) + 1; \
			APPEND(net##p##q, ACK) \
		fi; \
		POP(net##q##p) }

active proctype system()
{
	do
	REQUEST(1, 2, 3)
	REQUEST(2, 1, 3)
	REQUEST(3, 1, 2)
	ENTER(1, 2, <=, 3, <=)
	ENTER(2, 1, <,  3, <=)
	ENTER(3, 1, <,  2, <)
	EXIT(1, 2, 3)
	EXIT(2, 1, 3)
	EXIT(3, 1, 2)
	RECV(1, 2)
	RECV(1, 3)
	RECV(2, 1)
	RECV(2, 3)
	RECV(3, 1)
	RECV(3, 2)
#ifdef GENERATED
	:: d_step { REJECTED(1, 2) -> skip }
	:: d_step { REJECTED(1, 3) -> skip }
	:: d_step { REJECTED(2, 1) -> skip }
	:: d_step { REJECTED(2, 3) -> skip }
	:: d_step { REJECTED(3, 1) -> skip }
	:: d_step { REJECTED(3, 2) -> skip }
#else
	:: d_step { else ->
		assert(REJECTED(1, 2) || REJECTED(1, 3) || REJECTED(2, 1) ||
		       REJECTED(2, 3) || REJECTED(3, 1) || REJECTED(3, 2)) }
#endif
	od
}
