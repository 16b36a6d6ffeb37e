// Package drawing has pictures of instances and of states as data: nodes and links between them.
// Packages traces/dot and traces/page draw them.
package drawing

// A Drawing is the picture of an instance, or of a state: nodes and their connections. Nodes with a row stand
// in rows, nodes with Tree links between them form trees, vessels stand side by side, and all others form a
// ring in the order in which they are listed.
type Drawing struct {
	Title string
	Nodes []Node // in the order in which they are listed
	Links []Link
}

// A Node is a process, or whatever else a picture connects.
type Node struct {
	Name string
	Note string // a few words beside the name
	Dead bool
	// Of a state:
	Inside bool   // it uses the resource
	Of     int    // capacity of a vessel; 0: it is none
	Holds  int    // contents of a vessel
	Row    int    // its row, 1 at the top; 0: none
	Frame  string // title of the frame around its neighbours with the same one; "": none
}

// A Link connects two nodes, by name.
type Link struct {
	From, To string
	// Tree links lead from a node to its children and form trees; the others have no
	// direction.
	Tree bool
	Note string // on the link, a few words
}
