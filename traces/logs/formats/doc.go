// Package formats reads logs of several formats and makes an Entry of each event, by the names that a Mapping
// gives: lines of JSON (Schema), plain logs of locks, key=value, text by regular expressions, ShiViz and
// GoVector, Jepsen's histories, spans of OTLP and Jaeger, traces of check.
package formats
