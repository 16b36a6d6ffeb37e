// Command dev is atmostk-cluster with the engine in it, for trials and tests: check --dev 4, or the verb
// server. It is a module of its own, since the engine takes long to build, and workers do not need it.
package main
