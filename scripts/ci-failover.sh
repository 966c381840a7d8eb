#!/usr/bin/env bash
# Plays one kill and one switchover of the highly available set-up (about a minute). As root, it installs missing
# programs with apt-get. If programs are still missing, it prints their names and exits with 2: neither failed nor
# passed.
set -uo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/usr/sbin:/sbin"
packages=()
command -v patroni > /dev/null || packages+=(patroni)
command -v etcd > /dev/null || packages+=(etcd-server)
command -v haproxy > /dev/null || packages+=(haproxy)
compgen -G '/usr/lib/postgresql/*/bin/postgres' > /dev/null || packages+=(postgresql)
if [ "${#packages[@]}" -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  # The installation must neither start services nor replace installed packages.
  export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
  timeout 60 apt-get update -qq && timeout 240 apt-get install -qq -y --no-install-recommends --no-upgrade "${packages[@]}" > /dev/null ||
    echo "failover: ${packages[*]} cannot be installed here" >&2
fi
exec npm run --silent proof:failover -- --scenes kill,switchover --turns 1 --minutes 5
