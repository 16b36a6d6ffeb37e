// Package cluster executes a composition by operating-system processes: each process
// of the algorithm is one of them, runs the handlers that are explored, sends its messages
// over TCP on the loopback interface, and logs its steps with package capture. They ask for the
// critical section at random, stay there for a random time, and are killed with
// SIGKILL at random or on plan.
//
// A supervisor, Run, starts the processes, which are the same program again, called in a
// way that makes it call Process. It tells them through their standard input what to do and
// hears from their standard output how far they are. When its end of those pipes
// closes, for whatever reason, they end: no process outlives the supervisor.
//
// Channels: each ordered pair of processes has a connection of its own, on which only the
// first one writes. So the connection of a process that is killed is closed in order, and
// what it had sent arrives. Each envelope waits a random time at its receiver; under
// channel=bag that changes the order of the envelopes of one sender, under channel=fifo
// it does not.
//
// Models with links are run otherwise: their envelopes pass the supervisor, which keeps the links and lets
// one process after the other take a step. So a link breaks in the moment of a crash, with what is in it, and
// a dead process can come up again: as a new one, with the local state that the crash has left.
//
// Crashes: a process is killed at any moment, or, where that is asked for, by itself in the
// middle of sending the messages of one step. Its line of the log is written before
// the first of them. The supervisor ends the log of the dead process with an event crash. In models
// with a failure detector it tells the survivors, each after a random time.
//
// A run ends when it is quiet (nobody has a step left and no envelope is on its way),
// when there were enough entries, when a process cannot go on without leaving the model's
// constraint, or when the time is over. Runs follow one another, each from the
// initial states and with logs of its own, until there were enough entries in all: most models
// bound how often a process requests.
//
// A seed fixes the random choices of every process and the plan of the supervisor. It does
// not fix the run: operating system and network have their part in it.
package cluster
