#!/bin/bash
# Starts PostgreSQL, three members of etcd, and Redis, as Debian packages them, on the loopback; lets clients compete
# for a lock; kills a holder and a server by SIGKILL; and writes the logs into the folder $1. With $2, a program
# atmostk, it judges them without a mapping. It needs root, to run PostgreSQL as the user postgres.
set -eu
out=$(realpath -m "$1"); judge=${2:-}
mkdir -p "$out"
work=$(mktemp -d); chmod 755 "$work"
servers=()
finish() {
	for p in "${servers[@]}"; do kill "$p" 2>/dev/null || true; done
	wait
	rm -rf "$work"
}
trap finish EXIT

# PostgreSQL: three sessions take turns; one is killed while it holds the lock, so that the server recovers.
bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres | tail -n 1)")
install -d -o postgres "$work/pg"
runuser -u postgres -- "$bin/initdb" -D "$work/pg" -A trust >/dev/null
runuser -u postgres -- "$bin/postgres" -D "$work/pg" -p 54391 -c listen_addresses=127.0.0.1 \
	-c unix_socket_directories="$work/pg" -c log_statement=all -c log_lock_waits=on -c deadlock_timeout=20ms \
	-c log_line_prefix='%m [%p] %q%u@%d ' 2>"$work/postgresql.log" &
servers+=($!)
query() { PGOPTIONS='' "$bin/psql" -qAt -h 127.0.0.1 -p 54391 -U postgres postgres "$@" >/dev/null 2>&1; }
until query -c 'create table if not exists accounts (balance int)'; do sleep 0.1; done
turns() {
	for _ in $(seq "$1"); do
		echo "select pg_advisory_lock(42);
update accounts set balance = balance + 1;
select pg_sleep(0.005);
select pg_advisory_unlock(42);"
	done
}
clients=()
for _ in 1 2 3; do turns 8 | query & clients+=($!); done
wait "${clients[@]}"
{ echo 'select pg_advisory_lock(42);'; echo "select 'victim', pg_sleep(5);"; } | query & victim=$!
sleep 0.5
turns 2 | query & other=$!
sleep 0.3
kill -9 "$(sed -n 's/.*\[\([0-9]*\)\].*victim.*/\1/p' "$work/postgresql.log" | tail -n 1)"
wait "$victim" "$other" || true
until query -c 'select 1'; do sleep 0.1; done
turns 2 | query

# etcd: the leader of three members is killed twice, and starts again.
cluster=m1=http://127.0.0.1:23901,m2=http://127.0.0.1:23902,m3=http://127.0.0.1:23903
declare -A member
start() {
	etcd --name "m$1" --data-dir "$work/m$1" --logger=zap --log-outputs=stderr --initial-cluster "$cluster" \
		--initial-advertise-peer-urls "http://127.0.0.1:2390$1" --listen-peer-urls "http://127.0.0.1:2390$1" \
		--listen-client-urls "http://127.0.0.1:2391$1" --advertise-client-urls "http://127.0.0.1:2391$1" \
		2>>"$work/etcd-m$1.log" &
	member[$1]=$!
	servers+=($!)
}
for i in 1 2 3; do start $i; done
leader() { # waits for the member that leads, for at most 20 s
	for _ in $(seq 100); do
		for i in 1 2 3; do
			status=$(ETCDCTL_API=3 etcdctl --command-timeout 1s --endpoints "127.0.0.1:2391$i" endpoint status 2>/dev/null) || continue
			if [ "$(echo "$status" | cut -d, -f5 | tr -d ' ')" = true ]; then echo "$i"; return; fi
		done
		sleep 0.2
	done
	return 1
}
for _ in 1 2; do
	l=$(leader)
	kill -9 "${member[$l]}"
	wait "${member[$l]}" || true
	sleep 3
	start "$l"
	sleep 1
done
leader >/dev/null

# Redis: three clients take a lock with SET NX PX and give it back by its token; a second capture gives it back late;
# in a third the server, which keeps its data in memory only, is killed while a client holds the lock, and starts again.
serve() {
	redis-server --port 63991 --bind 127.0.0.1 --save '' --dir "$work" --logfile "$work/redis-server.log" &
	redis=$!
	servers+=("$redis")
	until redis-cli -p 63991 ping >/dev/null 2>&1; do sleep 0.02; done
}
serve
release="if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
worker() { # name, rounds, seconds of work, milliseconds of the lease
	for r in $(seq "$2"); do
		until [ "$(redis-cli -p 63991 set jobs "$1-$r" nx px "$4" 2>/dev/null)" = OK ]; do
			echo "$(date -u +%FT%T.%NZ) worker=$1 could not acquire lock=jobs"; sleep 0.02
		done
		echo "$(date -u +%FT%T.%NZ) worker=$1 acquired lock=jobs token=$1-$r"
		sleep "$3"
		# The line is written while the lock is held.
		if [ "$(redis-cli -p 63991 get jobs)" = "$1-$r" ]; then
			echo "$(date -u +%FT%T.%NZ) worker=$1 released lock=jobs token=$1-$r"
			redis-cli -p 63991 eval "$release" 1 jobs "$1-$r" >/dev/null
		else
			echo "$(date -u +%FT%T.%NZ) worker=$1 release failed lock=jobs token=$1-$r not_owner"
		fi
	done
}
for log in redis.log:0.02:5000 redis-expired.log:0.15:60 redis-killed.log:0.3:5000; do
	IFS=: read -r name works lease <<<"$log"
	clients=()
	for w in w1 w2 w3; do worker $w 4 "$works" "$lease" >"$work/$w.$name" & clients+=($!); done
	if [ "$name" = redis-killed.log ]; then
		until grep -q ' acquired ' "$work"/w?."$name"; do sleep 0.02; done
		sleep 0.05
		kill -9 "$redis"
		wait "$redis" || true
		serve
	fi
	wait "${clients[@]}"
	sort -s "$work"/w?."$name" >"$work/$name"
	redis-cli -p 63991 del jobs >/dev/null
done

cp "$work"/postgresql.log "$work"/etcd-m?.log "$work"/redis.log "$work"/redis-expired.log \
	"$work"/redis-killed.log "$work"/redis-server.log "$out"
if [ -n "$judge" ]; then
	cd "$out"
	"$judge" validate postgresql.log || true
	"$judge" validate etcd-m1.log etcd-m2.log etcd-m3.log --skew 1ms || true
	"$judge" validate redis.log --skew 0s --node worker || true
	"$judge" validate redis-expired.log --skew 0s --node worker || true
	"$judge" validate redis-killed.log --skew 0s --node worker || true
fi
