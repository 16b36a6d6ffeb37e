// Command realruns captures logs of locks and semaphores that others have written, each once as it should be
// and once broken on purpose. Clients ask for them at random and log when they have got them and when they
// give them back, or the program itself logs it. Servers run embedded in this process or as children of it.
//
// It is a module of its own, so that the model checker does not depend on the servers.
package main
