// Package cluster executes a composition by operating-system processes: each process of the algorithm is one
// of them, runs the handlers that are explored, and logs its steps with package capture. They ask for the
// critical section at random, stay there for a random time, and are killed with SIGKILL at random or on plan.
//
// A supervisor, Run, starts the processes, which are the same program again, called in a way that makes it
// call Process. Their standard input and output connect them with it. When its end of those pipes closes, for
// whatever reason, they end: no process outlives the supervisor.
//
// Channels: the supervisor keeps the state of the model's channels, with an envelope for each message. Each
// envelope waits a random time for its receiver; under channel=bag that changes the order of the envelopes of
// one sender, under channel=fifo it does not. A process takes a step in its turn, which hands it its local
// state, and reports the one afterwards; several processes have turns at the same time. In models with links one has its turn after the other: a link breaks in the moment
// of a crash, with its envelopes, and a dead process can recover, as a new one with the local state that the
// crash has left.
//
// Crashes: a process is killed at any moment, or, on demand, by itself in the middle of sending the messages
// of one step. It writes its line of the log before it sends the first of them. The supervisor ends the log
// of the dead process with an event crash. In models with a failure detector it notifies the survivors, each
// after a random time.
//
// A run ends when it is quiet (no process has a step left and no envelope is on its way), when there were
// enough entries, when a process cannot go on without leaving the model's constraint, or when the time is
// over. Runs follow one another, each from the initial states and with logs of its own, until there were
// enough entries in all: most models bound the number of requests of a process.
//
// A seed fixes the random choices of every process and of the supervisor. It does not fix the run: the
// operating system has its part in it.
package cluster
