// Package occupancy asks how many units of each resource were in use at once.
//
// An engine takes the events of a log. Each waits in the lane of its node. In the order of time they become
// holdings: intervals in which a node certainly or possibly holds units. Sweeps along time count the units
// of holdings that overlap. An event is forgotten when no later one can concern it. If all may concern each
// other (clocks and messages are the order, or a node has several holdings at once) all are kept, and
// cliques, chains and a search for an order decide. A Watch is the same engine on logs that grow: it waits
// for nothing, and its windows are bounded.
package occupancy
