// Command dev is atmostk-cluster with the engine in it, for trying out and for tests: check --dev 4, or
// the verb server. It is a module of its own, since the engine takes long to be built, and workers do not
// need it.
package main
