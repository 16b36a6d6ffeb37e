package model

// A Drawing is the picture of an instance by itself, not of its runs: who is
// connected with whom.
type Drawing struct {
	Title string
	Nodes []DrawnNode // in the order in which they are listed
	Links []DrawnLink
}

// A DrawnNode is a process, or whatever else a picture connects.
type DrawnNode struct {
	Name string
	Note string // a few words beside the name
	Dead bool
}

// A DrawnLink connects two nodes, by name.
type DrawnLink struct {
	From, To string
	// Tree links lead from a node to its children and form trees; the others have no
	// direction.
	Tree bool
}
