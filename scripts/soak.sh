#!/usr/bin/env bash
# What takes longer than a change should wait for: each reader under mutated files for ten minutes, then rounds of the
# tests with many connections, cancels and restarts, CODECITE_SOAK_MINUTES (default 60) in all.
. "$(dirname "$0")/lib.sh"

minutes="${CODECITE_SOAK_MINUTES:-60}"
until_second=$((SECONDS + minutes * 60))
eval "$("$scripts/server.sh" env)"
export CODECITE="$state/bin/codecite"
# Connections of tests/faults that load the model, embed and go.
export CODECITE_CYCLES="${CODECITE_CYCLES:-300}"
cd "$repo"
say "Readers under mutated files"
CODECITE_MUTATION_SECONDS="${CODECITE_MUTATION_SECONDS:-600}" cargo test --locked --release -p codecite_core --test mutation -- --nocapture
say "Drafts with other mistakes"
CODECITE_VERIFY_SEEDS="${CODECITE_VERIFY_SEEDS:-20}" cargo test --locked --release -p codecite_core --test verify -- --nocapture rates
round=0
while [ "$SECONDS" -lt "$until_second" ]; do
  round=$((round + 1))
  for name in concurrent cancel dump mcp tenancy lifecycle replica faults; do
    say "Round $round: $name"
    "tests/$name/run.sh"
  done
done
say "$round rounds without a fault"
