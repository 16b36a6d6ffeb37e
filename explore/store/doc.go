// Package store keeps a search on disk: the codes of the visited states in sorted runs, and the states of
// a level with the bytes of all their parts. No file depends on the process that wrote it, nor on the
// machine.
//
// A search goes level by level. The states of its level are in files, one per shard, sorted by code: the
// frontier. Two kinds of tasks lead to the next level. An expansion reads files of the frontier and writes
// the successors as sorted runs, one or several per shard. It needs the model: explore.Expander does it. A
// merge reads the runs of one shard and its visited codes, drops known states, and writes the others as
// frontier of the next level, with their codes. It needs no model: [Merge] does it. Both depend only on their
// input, write files that appear whole or not at all, and may be done twice, even at the same time. A
// [Search] lists the files that belong to it; other files are ignored.
//
// Delayed duplicate detection, which compares a whole level with the visited states at once, is due to
// Korf (AAAI 2004). Mur-phi has sorted runs on disk (Stern and Dill, CAV 1998).
package store
