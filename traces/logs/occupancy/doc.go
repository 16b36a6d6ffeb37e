// Package occupancy finds how many units of each resource were in use at once.
//
// An engine takes the events of a log. Each event waits in the lane of its node. In the order of time, events
// become holdings: intervals in which a node certainly or possibly holds units. Sweeps along time count the
// units of holdings that overlap. An event is forgotten when no later one can affect it. If any event may
// affect any other (clocks and messages are the order, or a node has several holdings at once), all events
// are kept, and cliques, chains and a search for an order decide. A Watch uses the same engine for logs that
// grow: it does not wait for later events, and its windows are bounded.
package occupancy
