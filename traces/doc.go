// Package traces is about single runs of a model.
package traces
