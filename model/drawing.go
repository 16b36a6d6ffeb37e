package model

// A Drawing is the picture of an instance by itself, not of its runs: who is
// connected with whom.
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
}

// A Link connects two nodes, by name.
type Link struct {
	From, To string
	// Tree links lead from a node to its children and form trees; the others have no
	// direction.
	Tree bool
}
