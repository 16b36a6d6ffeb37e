// Command site makes the documentation of atmostk into pages that need no server and no network:
//
//	go run . DIR      # in tools/site; writes DIR/index.html and what it leads to
//
// What it writes is made from the pages of this repository, from what the program says of itself
// (verbs, models, forms of files) and from the kept counterexamples, each of which becomes a page to step
// through. A page that no section of the plan has, a link to nothing, and a heading that a link names and
// that does not exist are errors, and nothing is written then.
//
// It is a module of its own because nobody needs what renders Markdown to check a model.
package main
