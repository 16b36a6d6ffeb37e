#!/usr/bin/env bash
#
# What a state takes, and how long it does: 2pc in the stores of Spin (exact, hash compaction in 4
# bytes, bitstate) and of atmostk (exact, compact), one after the other, one worker each.
#
#   explore/spin/stores.sh               n=10, 61,515,776 states: some eight minutes, 3 GB
#   N=8 explore/spin/stores.sh
#
# -w is the logarithm of the slots (bitstate: of the bits) of Spin's table. Bytes are the peak resident
# memory of the process divided by the states that it visited: a program that leaves some out, as bitstate
# does, says so by its number of states. Needs spin, a C compiler, GNU time.

set -euo pipefail
export LC_ALL=C

N=${N:-10}
W=${W:-26}
BITS=${BITS:-32}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for tool in spin gcc go /usr/bin/time; do
	command -v "$tool" >/dev/null || {
		printf 'stores.sh: %s is not there\n' "$tool" >&2
		exit 1
	}
done

(cd "$here/../.." && go build -o "$tmp/atmostk" ./cmd/atmostk)
cd "$tmp"
spin "-DN=$N" -a "$here/2pc.pml" >/dev/null
gcc -O2 -DSAFETY -DNOREDUCE -o exact pan.c
gcc -O2 -DSAFETY -DNOREDUCE -DHC4 -o hc4 pan.c
gcc -O2 -DSAFETY -DNOREDUCE -DBITSTATE -o bitstate pan.c

# timed NAME COMMAND...: runs the command, whose output has the number of states, and prints a line.
timed() {
	local name=$1 status=0
	shift
	/usr/bin/time -o usage -f '%U %S %M' "$@" >out 2>err || status=$?
	if [ "$status" -ne 0 ] && [[ $name != "atmostk compact" || $status -ne 2 ]]; then # never "holds"
		cat out err >&2
		exit 1
	fi
	awk -v name="$name" -v states="$(
		tr -d '[:space:]' <out | grep -oE '"states":[0-9]+|[0-9.e+]+states,stored' | head -1 | grep -oE '[0-9][0-9.e+]*'
	)" 'END { printf "%-16s %12.0f %8.1f %12.0f %8.1f\n", name, states, $1 + $2, states / ($1 + $2), $3 * 1024 / states }' usage
}

printf '%-16s %12s %8s %12s %8s\n' "2pc n=$N" states CPU-s states/CPU-s bytes
timed "Spin exact" ./exact -m200 "-w$W"
timed "Spin HC4" ./hc4 -m200 "-w$W"
timed "Spin bitstate" ./bitstate -m200 "-w$BITS"
timed "atmostk exact" ./atmostk check 2pc "n=$N" --workers 1 --format json
timed "atmostk compact" ./atmostk check 2pc "n=$N" --workers 1 --store compact --format json
