#!/bin/bash
# Two services of systemd of which only one may run. usage: systemd.sh LOG ENTRIES right|broken
#
# The log is what systemd writes to the journal, by journalctl -o json. Services that conflict with each other are stopped when the other
# one starts; in the broken one it is not said that one has to be stopped before the other is started (After=).
# systemd is process 1 of a namespace of its own, with its own journal, for as long as this takes; that needs root.
set -eu
log=$1 entries=$2 how=$3
dir=$(mktemp -d)
group=atmostk-realruns-$$
groups=()
for g in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  [ -w "$g/cgroup.procs" ] && mkdir -p "$g/$group" && groups+=("$g/$group")
done
tidy() {
  for ((i = 0; i < 20; i++)); do
    find "${groups[@]}" -mindepth 1 -depth -type d -exec rmdir {} + 2> /dev/null || true
    rmdir "${groups[@]}" 2> /dev/null && break
    sleep 0.1
  done
  rm -rf "$dir"
}
trap tidy EXIT
mkdir "$dir/units"
cp /lib/systemd/system/systemd-journald{.service,.socket,-dev-log.socket} "$dir/units"
service() { # its name, the one that it conflicts with
  cat > "$dir/units/$1.service" <<C
[Unit]
DefaultDependencies=no
Conflicts=$2.service
StartLimitIntervalSec=0
$([ "$how" = right ] && echo "After=$2.service")
[Service]
ExecStart=/bin/sleep 60
ExecStop=/bin/sleep 0.1
C
}
service migrate report
service report migrate
cat > "$dir/units/driver.service" <<C
[Unit]
DefaultDependencies=no
Requires=systemd-journald.service
After=systemd-journald.service
[Service]
Type=oneshot
ExecStart=/bin/bash $dir/drive.sh
StandardOutput=file:$dir/driver.txt
StandardError=inherit
C
cat > "$dir/drive.sh" <<C
for ((i = 0; i < $entries; i++)); do
  systemctl start migrate; sleep 0.0\$((RANDOM % 9))
  systemctl start report; sleep 0.0\$((RANDOM % 9))
done
systemctl stop migrate report
journalctl --sync
journalctl -o json SYSLOG_IDENTIFIER=systemd --output-fields=MESSAGE,UNIT,_HOSTNAME,_PID > $dir/journal.json
touch $dir/done
C
cat > "$dir/boot.sh" <<C
mount --make-rprivate /
$(for g in "${groups[@]}"; do echo "mount --bind $g ${g%/*}"; done)
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd /run/lock
exec env -i PATH=/usr/bin:/bin container=other SYSTEMD_UNIT_PATH=$dir/units /lib/systemd/systemd --system --unit=driver.service
C
(
  for g in "${groups[@]}"; do echo "$BASHPID" > "$g/cgroup.procs"; done
  exec unshare --fork --pid --mount --cgroup --uts --ipc --kill-child bash "$dir/boot.sh"
) < /dev/null > "$dir/out.txt" 2>&1 &
pid=$!
for ((i = 0; i < 600; i++)); do [ -e "$dir/done" ] && break; sleep 0.1; done
kill -KILL "$pid"
wait "$pid" 2> /dev/null || true
cp "$dir/journal.json" "$log"
