// Package kernel turns a protocol into numbers: states are short vectors of words, and the steps of a
// process are looked up in tables, which are filled by asking the protocol once about each memo key.
// It knows canonical bytes and nothing of the types behind them.
//
// Local states, messages, inboxes and histories are interned: they are numbered in the order in which they
// come up. The steps of a process are remembered for its local state, the message received and its
// context. A state is the numbers of its parts, packed as a layout says, and its hash is
// a sum over the parts, so that a successor costs one addition for each part that changed. Of
// steps of different processes that commute most are counted only: see SleepTag.
package kernel
