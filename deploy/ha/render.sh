#!/bin/sh
# Fills in the files of one machine:  render.sh cluster.env node1|node2|node3|proxy FOLDER
# A node gets patroni.yml and etcd.yml, the proxy haproxy.cfg.
set -eu
[ $# -eq 3 ] || { sed -n 2,3p "$0" >&2; exit 2; }
settings=$1 node=$2 folder=$3 here=$(dirname "$0")
value() { sed -n "s/^$1=//p" "$settings" | tail -n 1; }
names='NODE1 NODE2 NODE3 NETWORK LISTEN ETCD_API DIRECTORY PROGRAMS SUPERUSER_PASSWORD REPLICATION_PASSWORD RESTAPI_PASSWORD'
script=
for name in $names; do
  found=$(value "$name")
  [ -n "$found" ] || { echo "render.sh: $name has no value in $settings." >&2; exit 1; }
  case $found in *[!A-Za-z0-9./:_-]*) echo "render.sh: $name may have letters, digits and . / : _ - only." >&2; exit 1 ;; esac
  script="$script;s|[$]{$name}|$found|g"
done
case $(value ETCD_API) in
  etcd) ;;
  etcd3) script="$script;/^enable-v2:/d" ;; # etcd 3.6 does not know this setting
  *) echo 'render.sh: ETCD_API is etcd3, or etcd for the v2 API.' >&2; exit 1 ;;
esac
case $node in
  node1 | node2 | node3)
    address=$(value "$(echo "$node" | tr a-z A-Z)")
    script="$script;s|[$]{NODE}|$node|g;s|[$]{ADDRESS}|$address|g"
    files='patroni.yml etcd.yml'
    ;;
  proxy) files=haproxy.cfg ;;
  *) echo 'render.sh: the machine is node1, node2, node3 or proxy.' >&2; exit 1 ;;
esac
umask 077
mkdir -p "$folder"
for file in $files; do sed "${script#;}" "$here/$file" > "$folder/$file"; done
