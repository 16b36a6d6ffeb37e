// Command realruns captures logs of locks and semaphores that others have written: etcd's
// mutex, a semaphore in the key-value store of NATS, ZooKeeper's semaphore as kazoo has
// it. Clients ask for them at random; what they log is when they have got them and when
// they give them back. The servers run embedded in this process, ZooKeeper as a child of it.
//
// It is a module of its own, so that nobody who wants the model checker gets three
// servers with it.
package main
