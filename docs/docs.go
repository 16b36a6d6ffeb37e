// Package docs has the page about models in files, for the help in editors.
package docs

import _ "embed" // for the page

// Files is docs/files.md.
//
//go:embed files.md
var Files string
