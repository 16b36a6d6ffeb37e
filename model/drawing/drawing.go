// Package drawing is what pictures of instances and of states consist of: nodes and links between them. It is
// data only; packages traces/dot and traces/page draw it.
package drawing

// A Drawing is the picture of an instance, or of a state: who is connected with whom. Nodes with a row stand
// in rows, those with Tree links between them form trees, vessels stand side by side, and all others form a
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
	Of     int    // of a vessel, what it has room for; 0: it is none
	Holds  int    // what is in it
	Row    int    // in which row it stands, 1 at the top; 0: in none
	Frame  string // what stands over the frame around its neighbours with the same one; "": it has none
}

// A Link connects two nodes, by name.
type Link struct {
	From, To string
	// Tree links lead from a node to its children and form trees; the others have no
	// direction.
	Tree bool
	Note string // what is on the link, a few words
}
