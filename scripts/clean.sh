#!/usr/bin/env bash
# Stops every server of this checkout and removes what can be made again: build results, Postgres, downloads, tools.
# The databases stay; ALL=1 removes them too, with every corpus in them.
. "$(dirname "$0")/lib.sh"

for noted in "$state"/server/*/pg_config; do
  [ ! -f "$noted" ] || PG_CONFIG="$(cat "$noted")" "$scripts/server.sh" down
done
say "Removing build results"
rm -rf "$repo/target"
if [ -n "${ALL:-}" ]; then
  say "Removing .codecite with its databases"
  # Below a long path the sockets have folders of their own in /tmp; they are empty now.
  # No server was ever made, or its folder is in use by another: neither keeps the rest from being removed.
  for socket in $(cat "$state"/server/*/socket_dir 2>/dev/null | grep '^/tmp/codecite-' || true); do rmdir "$socket" || true; done
  rm -rf "$state"
  if [ -L "$repo/.codecite" ]; then rm -f "$repo/.codecite"; fi
else
  find "$state" -mindepth 1 -maxdepth 1 ! -name server ! -name pg_config ! -name checkout -exec rm -rf {} +
  note "the databases are still in .codecite/server (make clean ALL=1 removes them too)"
fi
