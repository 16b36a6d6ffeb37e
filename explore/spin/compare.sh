#!/usr/bin/env bash
#
# Runs Spin and atmostk on the same two models and compares CPU time and memory.
#
#   explore/spin/compare.sh              three runs of each, interleaved; of the short one more
#   RUNS=5 explore/spin/compare.sh
#   PAN_EXTRA="-DNOCOMP -DNO_RESIZE" explore/spin/compare.sh
#
# CPU-s is user plus system time of the quickest run; memory is the peak
# resident set of that same run, so program, stack and tables are all counted.
# Without Spin or a C compiler nothing is run and the status is 0.
# Any disagreement between the two tools about the number of states, or
# with the number that the conformance case gives, ends the script with status 1.

set -euo pipefail
export LC_ALL=C

RUNS=${RUNS:-3}
PAN_EXTRA=${PAN_EXTRA:-}

# Exhaustive depth-first search: full state vectors, no partial order
# reduction (both tools then visit the same graph), no hash compaction.
PAN_CFLAGS="-O2 -DSAFETY -DNOREDUCE"

# Values of -m (depth bound) and -w (log2 of the slots of the hash table).
#
# -m: the search goes 28 deep on 2pc n=9 and 68 on lamport-mutex M=6, so 100
# is enough, and costs a few kilobytes where the default of 10000 costs 0.5 MB.
#
# -w, Spin 6.5.2, seconds of CPU and bytes per state:
#   2pc n=9            22: 15.1 s, 48 B   23: 12.9 s, 39 B   24: 12.1 s, 45 B   25: 11.4 s, 58 B
#   lamport-mutex M=6  19: 0.40 s, 48 B   20: 0.38 s, 54 B   21: 0.39 s, 65 B
# (22 ends larger than 23 because pan then has to rebuild the table.)
# 24 and 20 are within a few per cent of the quickest without paying for it
# with memory.  W_2PC and W_LAMPORT override them.
DEPTH=100
W_2PC=${W_2PC:-24}
W_LAMPORT=${W_LAMPORT:-20}

# lamport-mutex takes some tenths of a second, in which whatever else the machine does counts
# for more than in the seconds of 2pc: so it is run so many times as often.
SHORT=5

die() {
	printf 'compare.sh: %s\n' "$*" >&2
	exit 1
}

skip() {
	printf 'compare.sh: %s, so the comparison with Spin is skipped.\n' "$*" >&2
	exit 0
}

case $RUNS in
'' | *[!0-9]* | 0*) die "RUNS must be a positive number, not '$RUNS'" ;;
esac

command -v spin >/dev/null || skip "spin is not installed"
cc=""
for c in ${CC:+"$CC"} gcc cc clang; do
	if command -v "$c" >/dev/null; then
		cc=$c
		break
	fi
done
[ -n "$cc" ] || skip "there is no C compiler"

# GNU time counts hundredths of a second, which are 5% of a run of lamport-mutex.
if command -v python3 >/dev/null; then
	timer=python
elif /usr/bin/time -f %U true >/dev/null 2>&1; then
	timer=gnu
else
	skip "neither python3 nor GNU time is there to measure with"
fi
command -v go >/dev/null || die "go is needed to build atmostk"

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# measure OUT COMMAND...: runs the command with its standard output in OUT,
# and sets cpu, wall (seconds) and rss (kilobytes).
measure() {
	local out=$1 status=0
	shift
	if [ "$timer" = gnu ]; then
		/usr/bin/time -o "$tmp/usage" -f '%U %S %e %M' "$@" >"$out" 2>"$tmp/stderr" || status=$?
	else
		python3 - "$tmp/usage" "$@" >"$out" 2>"$tmp/stderr" <<'PY' || status=$?
import os, sys, time
start = time.monotonic()
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, use = os.wait4(pid, 0)
wall = time.monotonic() - start
kb = use.ru_maxrss // 1024 if sys.platform == "darwin" else use.ru_maxrss
with open(sys.argv[1], "w") as f:
    print("%.4f %.4f %.4f %d" % (use.ru_utime, use.ru_stime, wall, kb), file=f)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
PY
	fi
	if [ "$status" -ne 0 ]; then
		cat "$out" "$tmp/stderr" >&2
		die "'$*' ended with status $status"
	fi
	local user sys
	read -r user sys wall rss < <(tail -n 1 "$tmp/usage")
	cpu=$(awk -v a="$user" -v b="$sys" 'BEGIN { printf "%.4f", a + b }')
}

# run_spin PAN W: sets states, cpu, wall and rss.
run_spin() {
	measure "$tmp/out" "$1" "-m$DEPTH" "-w$2"
	if ! grep -q 'errors: 0$' "$tmp/out" || grep -qiE 'not completed|max search depth|out of memory' "$tmp/out" "$tmp/stderr"; then
		cat "$tmp/out" "$tmp/stderr" >&2
		die "Spin did not finish a clean, complete search ($1)"
	fi
	states=$(awk '/states, stored/ { printf "%.0f", $1; exit }' "$tmp/out")
	[ -n "$states" ] || die "no count of states in the output of $1"
}

# run_atmostk ARGUMENT...: sets states, cpu, wall and rss.
run_atmostk() {
	measure "$tmp/out" "$tmp/atmostk" check "$@" --format json
	if ! grep -qE '"complete"[[:space:]]*:[[:space:]]*true' "$tmp/out"; then
		cat "$tmp/out" "$tmp/stderr" >&2
		die "atmostk did not report a complete search ($*)"
	fi
	states=$(tr -d '[:space:]' <"$tmp/out" | awk '
		match($0, /"states":[0-9]+/) { print substr($0, RSTART + 9, RLENGTH - 9) }')
	[ -n "$states" ] || die "no count of states in the JSON of atmostk ($*)"
}

# less A B: A < B, for decimals.
less() {
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'
}

declare -A best_cpu best_rss best_wall count

# keep KEY: remembers the run just measured if it is the quickest of its kind.
keep() {
	count[$1]=$states
	if [ -z "${best_cpu[$1]:-}" ] || less "$cpu" "${best_cpu[$1]}"; then
		best_cpu[$1]=$cpu
		best_rss[$1]=$rss
	fi
	if [ -z "${best_wall[$1]:-}" ] || less "$wall" "${best_wall[$1]}"; then
		best_wall[$1]=$wall
	fi
}

# agree WORKLOAD EXPECTED KEY...: every tool has counted EXPECTED states.
agree() {
	local workload=$1 expected=$2 key bad=0
	shift 2
	for key; do
		[ "${count[$key]}" = "$expected" ] || bad=1
	done
	[ "$bad" = 0 ] && return
	for key; do
		printf 'compare.sh: %s: %s counts %s states, the case says %s\n' "$workload" "$key" "${count[$key]}" "$expected" >&2
	done
	die "THE STATE COUNTS DISAGREE on $workload"
}

# build_pan NAME DEFINE MODEL
build_pan() {
	mkdir "$tmp/$1"
	(
		cd "$tmp/$1"
		spin "$2" -a "$here/$3" >spin.log 2>&1 &&
			$cc $PAN_CFLAGS $PAN_EXTRA -o pan pan.c >cc.log 2>&1
	) || {
		cat "$tmp/$1"/*.log >&2
		die "could not build the verifier for $3"
	}
}

printf 'Building.\n' >&2
(cd "$root" && go build -o "$tmp/atmostk" ./cmd/atmostk) || die "could not build atmostk"
build_pan 2pc -DN=9 2pc.pml
build_pan lamport -DM=6 lamport-mutex.pml

cd "$tmp" # pan leaves its files in the current directory
for ((run = 1; run <= RUNS; run++)); do
	printf 'Run %d of %d.\n' "$run" "$RUNS" >&2

	run_spin "$tmp/2pc/pan" "$W_2PC"
	keep 2pc/spin
	run_atmostk 2pc n=9 --workers 1
	keep 2pc/atmostk
	run_atmostk 2pc n=9 --workers 2
	keep 2pc/atmostk-2-workers
	agree "2pc n=9" 10340352 2pc/spin 2pc/atmostk 2pc/atmostk-2-workers

	for ((short = 1; short <= SHORT; short++)); do
		run_spin "$tmp/lamport/pan" "$W_LAMPORT"
		keep lamport/spin
		run_atmostk lamport-mutex n=3 max-clock=6 --workers 1
		keep lamport/atmostk
	done
	agree "lamport-mutex n=3 max-clock=6" 724274 lamport/spin lamport/atmostk
done

layout='%-30s  %10s  %-8s  %8s  %14s  %13s  %12s  %13s\n'

# row WORKLOAD PREFIX TOOL
row() {
	local key=$2/$3 spin=$2/spin
	awk -v layout="$layout" -v workload="$1" -v tool="$3" -v n="${count[$key]}" \
		-v cpu="${best_cpu[$key]}" -v rss="${best_rss[$key]}" \
		-v spin_cpu="${best_cpu[$spin]}" -v spin_rss="${best_rss[$spin]}" '
		# A run too short for the clock counts as one tick.
		function tick(t) { return t > 0 ? t : 0.01 }
		BEGIN {
			cpu = tick(cpu); spin_cpu = tick(spin_cpu)
			printf layout, workload, n, tool, sprintf("%.3f", cpu),
				sprintf("%.0f", n / cpu), sprintf("%.1f", rss * 1024 / n),
				sprintf("%.2f", spin_cpu / cpu), sprintf("%.2f", rss / spin_rss)
		}'
}

printf '%s; gcc flags %s; best of %d\n\n' "$(spin -V 2>&1 | head -n 1)" "$PAN_CFLAGS${PAN_EXTRA:+ $PAN_EXTRA}" "$RUNS"
# shellcheck disable=SC2059
printf "$layout" workload states tool CPU-s states/CPU-s bytes/state speed/Spin memory/Spin
row "2pc n=9" 2pc spin
row "2pc n=9" 2pc atmostk
row "lamport-mutex n=3 max-clock=6" lamport spin
row "lamport-mutex n=3 max-clock=6" lamport atmostk

awk -v one="${best_wall[2pc/atmostk]}" -v two="${best_wall[2pc/atmostk-2-workers]}" '
	BEGIN {
		printf "\n2pc n=9, atmostk, wall time: --workers 1 %.2f s, --workers 2 %.2f s, %.2f times as fast\n",
			one, two, one / (two > 0 ? two : 0.01)
	}'
