// Package explain looks for a run of a model that explains a log.
package explain
