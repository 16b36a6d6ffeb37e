"""Clients of kazoo's Semaphore on a ZooKeeper server, which this script starts.

usage: zookeeper.py LOG ENTRIES right|broken PORT SEED LEASES

Four clients, threads with a connection each, acquire one of LEASES leases ENTRIES times, at random. Python's logging writes
the log, in the format of its manual with the thread in it: each acquisition when the call has returned, and each release
before the call. In the broken run the session of the first client ends while it has a lease, as if it had been paused for
too long, and it goes on until others have all leases.
"""

import atexit
import logging
import os
import random
import subprocess
import sys
import threading
import time

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

path, entries, broken = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "broken"
port, seed, leases = (int(x) for x in sys.argv[4:7])
stay = 0.010  # seconds, the mean time of a lease
server = subprocess.Popen([
    "java", "-Dzookeeper.admin.enableServer=false", "-Dzookeeper.forceSync=no",
    "-Dzookeeper.clientPortAddress=127.0.0.1", "-cp", "/usr/share/java/zookeeper.jar",
    "org.apache.zookeeper.server.ZooKeeperServerMain", str(port), os.getcwd()])
atexit.register(server.kill)
logging.basicConfig(
    level=logging.INFO, filename=path, format="%(asctime)s - %(threadName)s - %(levelname)s - %(message)s")
log = logging.getLogger("workers")
failures = []
inside = set()


def end_session(zk):
    """Let the server end the session of a client, by a second connection that has the same."""
    other = KazooClient("127.0.0.1:%d" % port, client_id=zk.client_id)
    other.start(timeout=60)
    other.stop()
    other.close()


def client(number):
    rng = random.Random("%d %d" % (seed, number))
    try:
        zk = KazooClient("127.0.0.1:%d" % port)
        zk.start(timeout=60)
        semaphore = zk.Semaphore("/semaphore", identifier="c%d" % number, max_leases=leases)
        for entry in range(entries):
            time.sleep(2 * stay * rng.random())
            if not semaphore.acquire(timeout=60):
                raise RuntimeError("no lease within a minute")
            log.info("acquired a lease of /semaphore")
            inside.add(number)
            if broken and number == 1 and entry == entries // 3:
                end_session(zk)
                for _ in range(5000):
                    if len(inside) > leases:
                        break
                    time.sleep(0.001)
            time.sleep(2 * stay * rng.random())
            log.info("released a lease of /semaphore")
            inside.discard(number)
            try:
                semaphore.release()
            except KazooException:
                if not broken:
                    raise
            if broken and number == 1:
                semaphore = zk.Semaphore("/semaphore", identifier="c1", max_leases=leases)
        zk.stop()
        zk.close()
    except Exception as e:  # of a thread nobody else would hear
        failures.append("c%d: %r" % (number, e))


threads = [threading.Thread(target=client, args=(i + 1,), name="worker-%d" % (i + 1)) for i in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
if failures:
    sys.exit("; ".join(failures))
