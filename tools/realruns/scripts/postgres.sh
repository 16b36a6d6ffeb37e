#!/bin/bash
# Sessions of PostgreSQL that take an advisory lock and write. usage: postgres.sh LOG ENTRIES right|broken
#
# The log is the server's own, with log_statement = 'all'. The broken sessions call pg_try_advisory_lock and
# do not look at what it returns.
set -eu
log=$1 entries=$2 how=$3
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
dir=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }
trap 'as "$bin/pg_ctl" -s -D "$dir/data" -m immediate stop || true; rm -rf "$dir"' EXIT
if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
cd "$dir"
as "$bin/initdb" -D "$dir/data" -A trust -N > /dev/null
cat >> "$dir/data/postgresql.conf" <<C
listen_addresses = ''
unix_socket_directories = '$dir'
log_line_prefix = '%m [%p] %q%u@%d '
log_statement = 'all'
timezone = 'UTC'
log_timezone = 'UTC'
fsync = off
C
as "$bin/pg_ctl" -s -w -D "$dir/data" -l "$dir/server.log" start
sql() { as "$bin/psql" -qAt -h "$dir" -U postgres postgres > /dev/null 2> /dev/null; }
echo 'create table accounts (id int primary key, balance int); insert into accounts values (1, 0);' | sql
take=pg_advisory_lock
[ "$how" = right ] || take=pg_try_advisory_lock
session() {
  for ((i = 0; i < entries; i++)); do
    echo "select $take(42);"
    echo 'update accounts set balance = balance + 1 where id = 1;'
    echo "select pg_sleep(0.00$((1 + RANDOM % 9)));"
    echo 'select pg_advisory_unlock(42);'
    echo "select pg_sleep(0.00$((RANDOM % 10)));"
  done | sql
}
for s in 1 2 3 4; do session & done
wait
sed -n "/ready to accept/,\$p" "$dir/server.log" > "$log"
