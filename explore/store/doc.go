// Package store keeps a search on disk: the codes of the visited states in sorted runs, and the states of
// a level with the bytes of all that they consist of. No file depends on the process that wrote it, nor on
// the machine.
//
// A search goes level by level. Its level is in files of states, one per shard, sorted by code: the
// frontier. To go on takes two kinds of tasks. An expansion reads files of the frontier and
// writes the successors as sorted runs, one or several per shard: explore.Expander does that, as it
// needs the model. A merge reads the runs of one shard and its visited codes, drops known states,
// and writes the rest as frontier of the next level, and its codes: [Merge] does that, and needs no model.
// Both depend on nothing but their input, write files that appear whole or not at all, and may be done
// twice, at the same time too. A [Search] says which files there are; others do not count.
//
// Delayed duplicate detection, in which a level is compared with what was visited at once and
// not state by state, is Korf's (AAAI 2004); sorted runs on disk are what Mur-phi has (Stern and Dill, CAV
// 1998).
package store
