// Command site makes the documentation of atmostk into pages that need no server and no network:
//
//	go run . DIR      # in tools/site; writes DIR/index.html and all other pages
//
// It renders the pages and data of this repository, the help of the program (verbs, models, forms of
// files), and the kept counterexamples, each as a page to step through. A link to a file that does not
// exist is an error, and nothing is written then; a test follows all links, to headings too.
//
// It is a module of its own because checking a model needs no renderer of Markdown.
package main
