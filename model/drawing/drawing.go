// Package drawing has pictures of instances and of states as data: nodes and links between them.
// Packages traces/dot and traces/page draw them.
package drawing

// A Drawing is the picture of an instance, or of a state: nodes and their connections. Nodes with a row stand
// in rows, nodes with Tree links between them form trees, vessels stand side by side, and all others form a
// ring in the order in which they are listed.
type Drawing struct {
	Title string `json:"-"`
	Nodes []Node `json:"nodes"` // in the order in which they are listed
	Links []Link `json:"links"`
}

// A Node is a process, or another thing that a picture connects. Its form in JSON is for the page of a run.
type Node struct {
	Name string `json:"name"`
	Note string `json:"note,omitempty"` // a few words beside the name
	Dead bool   `json:"dead,omitempty"`
	// Of a state:
	Inside bool   `json:"inside,omitempty"` // it uses the resource
	Of     int    `json:"of,omitempty"`     // the room in a vessel; 0: it is no vessel
	Holds  int    `json:"holds,omitempty"`  // the content of the vessel
	Row    int    `json:"row,omitempty"`    // its row, 1 at the top; 0: none
	Frame  string `json:"frame,omitempty"`  // title of the frame around it and its neighbours
}

// A Link connects two nodes, by name.
type Link struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Tree links lead from a node to its children and form trees; the others have no
	// direction.
	Tree bool   `json:"tree,omitempty"`
	Note string `json:"note,omitempty"` // on the link, a few words
}
