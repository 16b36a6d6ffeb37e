// Package cli is the verbs of the command: their flags, and what they call.
package cli
