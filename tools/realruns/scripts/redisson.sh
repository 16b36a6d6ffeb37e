#!/bin/bash
# Captures the output of Redis's MONITOR into the folder $1, while clients lock as Redisson does: scripts with the commands
# of RedissonLock.java, RedissonFairLock.java and RedissonReadLock.java. With $2, a program atmostk, it judges the captures.
set -eu
out=$(realpath -m "$1"); judge=${2:-}
mkdir -p "$out"
work=$(mktemp -d)
port=63992
redis-server --port $port --bind 127.0.0.1 --save '' --dir "$work" --logfile "$work/server.log" & server=$!
trap 'kill $server 2>/dev/null || true; wait; rm -rf "$work"' EXIT
redis() { redis-cli -p $port "$@"; }
until redis ping >/dev/null 2>&1; do sleep 0.02; done

lock=$(redis script load 'local key, ms, who = KEYS[1], ARGV[1], ARGV[2]
if redis.call("exists", key) == 1 and redis.call("hexists", key, who) == 0 then return redis.call("pttl", key) end
redis.call("hincrby", key, who, 1)
redis.call("pexpire", key, ms)')
unlock=$(redis script load 'local key, channel, ms, who = KEYS[1], KEYS[2], ARGV[2], ARGV[3]
if redis.call("hexists", key, who) == 0 then return false end
if redis.call("hincrby", key, who, -1) > 0 then redis.call("pexpire", key, ms) return 0 end
redis.call("del", key)
redis.call("publish", channel, ARGV[1])
return 1')
read=$(redis script load 'local key, ms, who = KEYS[1], ARGV[1], ARGV[2]
if redis.call("hget", key, "mode") == "write" then return redis.call("pttl", key) end
redis.call("hset", key, "mode", "read")
redis.call("hincrby", key, who, 1)
redis.call("pexpire", key, ms)')
acquire() { # lock, holder, milliseconds of the lease
	[ -z "$(redis evalsha "$lock" 1 "$1" "$3" "$2")" ]
}
release() { # lock, holder
	redis evalsha "$unlock" 2 "$1" "redisson_lock__channel:{$1}" 0 30000 "$2" >/dev/null
}
a=2f1d7e60-4d1b-4c2e-9a52-0d6f0c1b7a01:31 b=8c0b6c1e-91a7-4f3d-8a77-5e2d9c3f4b02:44 c=8c0b6c1e-91a7-4f3d-8a77-5e2d9c3f4b02:45

capture() { # the output of MONITOR, while a function runs
	redis-cli -p $port monitor >"$out/$1.log" & monitor=$!
	until grep -q OK "$out/$1.log"; do sleep 0.02; done
	"$1"
	sleep 0.1
	kill $monitor
	wait $monitor 2>/dev/null || true
	redis flushall >/dev/null
}
correct() { acquire stock $a 30000; release stock $a; acquire stock $b 30000; release stock $b; }
worker() {
	for _ in 1 2 3; do
		until acquire stock "$1" 30000; do sleep 0.02; done
		acquire stock "$1" 30000 # again, as a reentrant lock allows
		release stock "$1"
		release stock "$1"
	done
}
contended() {
	for w in $a $b $c; do worker $w & workers+=($!); done
	wait "${workers[@]}"
}
expired() { acquire stock $a 200; sleep 0.3; acquire stock $b 30000; release stock $a; release stock $b; }
given_up() { # the holder does not unlock, but asks again and unlocks in vain
	acquire stock $a 100; sleep 0.2; acquire stock $b 30000; acquire stock $a 100 || release stock $a; release stock $b
}
readers() {
	redis evalsha "$read" 1 catalogue 30000 $a >/dev/null
	redis evalsha "$read" 1 catalogue 30000 $b >/dev/null
	redis eval 'redis.call("hincrby", KEYS[1], ARGV[1], -1)' 1 catalogue $a
	redis eval 'redis.call("hincrby", KEYS[1], ARGV[1], -1)' 1 catalogue $b
}
workers=()
for name in correct contended expired given_up readers; do capture $name; done
# The lines of an unlock are lost.
grep -v -e '"hincrby" "stock" "2f1d.* "-1"' -e 'channel.*"2f1d' "$out/correct.log" >"$out/missing.log"
if [ -n "$judge" ]; then
	for name in correct contended expired given_up readers missing; do
		echo "== $name"; "$judge" validate "$out/$name.log" || true
	done
fi
