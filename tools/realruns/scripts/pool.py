"""Processes of Python's multiprocessing that share a semaphore of two. usage: pool.py LOG ENTRIES right|broken PORT SEED K

The log is the one of multiprocessing.get_logger(). In the broken one every process makes the semaphore
when it imports its module, as processes do that are spawned and not forked.
"""

import logging
import multiprocessing as mp
import random
import sys
import time


def work(slots, path, entries, seed):
    """Do some work in each slot that was got."""
    log, handler = mp.get_logger(), logging.FileHandler(path)
    handler.setFormatter(logging.Formatter("[%(levelname)s/%(processName)s] %(message)s"))
    log.setLevel(logging.INFO)
    log.addHandler(handler)
    rng = random.Random(f"{seed} {mp.current_process().name}")
    if slots is None:
        slots = mp.Semaphore(2)  # of this process alone
    for _ in range(entries):
        time.sleep(0.010 * rng.random())
        with slots:
            log.info("acquired a slot")
            time.sleep(0.010 * rng.random())
            log.info("released a slot")


if __name__ == "__main__":
    path, entries, how, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[5])
    mp.set_start_method("spawn")
    shared = mp.Semaphore(2) if how == "right" else None
    workers = [mp.Process(target=work, args=(shared, path, entries, seed)) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    sys.exit(any(w.exitcode for w in workers))
