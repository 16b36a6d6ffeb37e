// Package formats reads logs in several formats and makes an Entry of each event, with the names that a
// Mapping gives. Formats: lines of JSON (Schema), lines of locks, key=value, text by regular expressions,
// ShiViz and GoVector, histories of Jepsen, spans of OTLP and Jaeger, traces of check.
package formats
