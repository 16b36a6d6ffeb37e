"""Clients of kazoo's Semaphore on a ZooKeeper server that is running.

usage: semaphore.py PORT LEASES ENTRIES SEED STAY

Four clients, threads with a connection each, acquire one of LEASES leases ENTRIES
times, at random, and have it for about STAY seconds. Each acquisition, when the call has
come back, and each release, before the call, is a line of JSON on standard output with
the moment by the monotonic clock of this process.
"""

import datetime
import json
import random
import sys
import threading
import time

from kazoo.client import KazooClient

port, leases, entries, seed = (int(x) for x in sys.argv[1:5])
stay = float(sys.argv[5])
base, start = time.time_ns(), time.monotonic_ns()
output = threading.Lock()
failures = []


def now():
    """The time in nanoseconds."""
    return base + time.monotonic_ns() - start


def stamp(ns):
    """A time as log/slog writes it."""
    seconds, rest = divmod(ns, 1_000_000_000)
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + ".%09dZ" % rest


def logged(node, seq, event):
    """Log an event at the present moment."""
    moment = stamp(now())
    line = {"time": moment, "level": "INFO", "msg": event, "node": node, "event": event,
            "seq": seq, "begin": moment, "end": moment}
    with output:
        print(json.dumps(line, separators=(",", ":")), flush=True)


def client(number):
    node = "c%d" % number
    rng = random.Random("%d %d" % (seed, number))
    try:
        zk = KazooClient("127.0.0.1:%d" % port)
        zk.start(timeout=60)
        semaphore = zk.Semaphore("/semaphore", identifier=node, max_leases=leases)
        for entry in range(entries):
            time.sleep(2 * stay * rng.random())
            if not semaphore.acquire(timeout=60):
                raise RuntimeError("no lease within a minute")
            logged(node, 2 * entry + 1, "acquire")
            time.sleep(2 * stay * rng.random())
            logged(node, 2 * entry + 2, "release")
            semaphore.release()
        zk.stop()
        zk.close()
    except Exception as e:  # of a thread nobody else would hear
        failures.append("%s: %r" % (node, e))


threads = [threading.Thread(target=client, args=(i + 1,)) for i in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
if failures:
    sys.exit("; ".join(failures))
