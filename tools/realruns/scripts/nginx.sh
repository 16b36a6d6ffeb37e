#!/bin/bash
# nginx that lets k clients download at once, by limit_conn. usage: nginx.sh LOG ENTRIES right|broken
#
# The log is its access log. The broken one counts connections by address where all together are meant.
set -eu
log=$1 entries=$2 how=$3 port=$4
dir=$(mktemp -d)
trap 'kill "$pid" 2> /dev/null || true; rm -rf "$dir"' EXIT
mkdir "$dir/www"
head -c 40000 /dev/zero > "$dir/www/file"
key='"all"'
[ "$how" = right ] || key='$binary_remote_addr'
cat > "$dir/nginx.conf" <<C
worker_processes 2;
daemon off;
pid $dir/pid;
error_log $dir/error.log info;
user root;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path $dir/t1; proxy_temp_path $dir/t2; fastcgi_temp_path $dir/t3;
  uwsgi_temp_path $dir/t4; scgi_temp_path $dir/t5;
  map \$binary_remote_addr \$everyone { default $key; }
  limit_conn_zone \$everyone zone=downloads:1m;
  log_format timed '\$msec \$request_time \$remote_addr \$connection \$status \$body_bytes_sent "\$request"';
  server {
    listen 127.0.0.1:$port;
    location / {
      root $dir/www;
      limit_conn downloads 2;
      limit_rate 800k;
      limit_rate_after 8k;
      access_log $dir/access.log timed;
    }
  }
}
C
nginx -e "$dir/error.log" -c "$dir/nginx.conf" &
pid=$!
for ((i = 0; i < 100; i++)); do (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null && break; sleep 0.05; done
client() {
  for ((i = 0; i < entries; i++)); do
    curl -s -o /dev/null --interface "127.0.0.$1" "http://127.0.0.1:$port/file" || true
    sleep "0.$((RANDOM % 20 + 10))"
  done
}
clients=()
for c in 1 2 3 4; do client "$c" & clients+=($!); done
wait "${clients[@]}"
cp "$dir/access.log" "$log"
