// Package cluster executes a composition with operating-system processes, one for each process of the
// algorithm. Each process runs the explored handlers and logs its steps with package capture. Processes
// request the critical section at random times, use it for a random time, and are killed with SIGKILL at
// random or planned times.
//
// Start runs a supervisor, which starts the processes. Each is the same program with arguments that make it
// call Process. Its standard input and output are pipes to the supervisor. When the supervisor's
// end of the pipes closes, for whatever reason, the process ends: no process outlives the supervisor.
//
// Channels: the supervisor keeps the state of the model's channels, with an envelope for each message. Each
// envelope waits a random time before it can be received. Under channel=bag this changes the order of the
// envelopes of one sender, under channel=fifo it does not. A process takes one step per turn: a turn has the
// local state, and the process reports the new one. Several processes have turns at the same time. In models
// with links only one process has a turn at a time: a crash breaks links at once, with their envelopes. A
// dead process that recovers is a new operating-system process with the local state that the crash left.
//
// Crashes: the supervisor kills a process at any moment; with Options.CrashInside, the process kills itself
// while it sends the messages of one step, after it has logged the step. The supervisor appends the event
// crash to the log of the dead process. In models with a failure detector it notifies the survivors, each
// after a random time.
//
// A run ends when it is quiet (no process has an enabled step and no envelope is on its way), when there were
// enough entries, when the next step of a process would leave the model's constraint, or when the time is
// over. Runs follow one another, each from the initial state and with its own logs, until there were
// enough entries in all: most models bound the number of requests of a process.
//
// A seed fixes the random choices of every process and of the supervisor. It does not fix the run, which also
// depends on the scheduling of the operating system.
package cluster
