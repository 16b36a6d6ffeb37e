// Package files holds models that are files in Starlark, one a page: docs/files.md is the reference
// of the language. Some are models of other folders, with the same figures; the others are examples.
package files
