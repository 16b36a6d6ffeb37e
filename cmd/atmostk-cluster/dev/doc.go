// Command dev is atmostk-cluster with a built-in engine, for trials and tests: check --dev 4, or the verb
// server. It is a separate module, because the engine takes long to build and workers do not need it.
package main
