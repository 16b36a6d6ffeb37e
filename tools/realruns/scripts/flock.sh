#!/bin/bash
# Workers that do a job one at a time, by flock(1) of util-linux. usage: flock.sh LOG ENTRIES right|broken
#
# The broken ones tidy up: who is done removes the lock file. Who waits for the file that is removed and who
# opens the new one then have two locks.
set -eu
log=$1 entries=$2 how=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { printf '%s [worker-%d] %s\n' "$(date '+%F %T.%6N')" "$1" "$2" >> "$log"; }
worker() {
  for ((i = 0; i < entries; i++)); do
    sleep "0.00$((RANDOM % 10))"
    (
      flock 9
      say "$1" 'acquired report.lock'
      sleep "0.00$((1 + RANDOM % 9))"
      say "$1" 'released report.lock'
      [ "$how" = right ] || rm -f "$dir/report.lock"
    ) 9> "$dir/report.lock"
  done
}
for w in 1 2 3 4; do worker "$w" & done
wait
