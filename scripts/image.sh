#!/usr/bin/env bash
# Proves Dockerfile.postgres and docker-compose.yml without a container engine, then the Debian package: image.sh [image|deb]
# (default: both). Needs root, on Debian, and the network; 15 to 30 minutes the first time.
#
# image   The Dockerfile's own steps, as scripts/dockerfile.py reads them, are carried out in plain Debian 13 roots. In the
#         last one the services of docker-compose.yml (as docker-compose itself resolves them) run as its users, with their
#         settings, environment and health checks, without capabilities, in a network of their own: the extension is
#         made by the image's init file, a sample ingested, a question asked by command and over HTTP.
# deb     scripts/deb.sh in the root of the stage `build`; the package is installed in a clean root, used and removed.
#
# What stands in for what:
#   debian:trixie-slim      debootstrap's smallest Debian 13
#   rust:1.95-trixie        that, build-essential, and the machine's Rust toolchain, read-only. As in the original, which
#                           holds rustup's minimal profile, the commands rustfmt and clippy are there and fail.
#   postgres:17-trixie      that, Debian's postgresql-17 (the original has PGDG's), its locale, and a shorter docker-entrypoint.sh
#   the network             the machine's certificates and pip settings are seen while a RUN step runs; crates that cargo has
#                           downloaded already are not downloaded again
#   cgroups, seccomp        nothing: memory limits and filtered system calls are not tried, nor are Docker's own layers
#
# All lies in .codecite/image; the stages' roots are made anew each time, the build folder is kept.
. "$(dirname "$0")/lib.sh"
# shellcheck source=roots.sh
. "$scripts/roots.sh"

is_root || die "Debian roots can only be made and entered by root" "Run: sudo scripts/image.sh"
[ "$(. /etc/os-release && echo "$ID")" = debian ] || die "this machine has no source of Debian packages"
have ip || die "ip is missing" "It is part of Debian's package iproute2."
image="$state/image"
mkdir -p "$image"
log="$image/log"
system_path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
megabytes() { du -smx "$1" | cut -f 1; }
# added_megabytes OLD NEW: of the files that are in NEW alone, or differ in size or time.
added_megabytes() {
  comm -13 <(sized "$1") <(sized "$2") | awk -F '\t' '{ sum += $2 } END { printf "%.0f\n", sum / 1048576 }'
}
sized() { (cd "$1" && find . -xdev -type f -printf '%p\t%s\t%T@\n' | LC_ALL=C sort); }
# The last lines of the log say why.
failed() { die "$1" "The whole log: $log" "$(tail -n 25 "$log")"; }

# --- stand-ins of the base images ------------------------------------------------------------------------------------

apt_install() {
  in_root "$1" env DEBIAN_FRONTEND=noninteractive sh -ec 'apt-get update -qq; apt-get install -qq -y --no-install-recommends "$@"' sh "${@:2}"
}
# made NAME PACKAGE…: a root with these packages, made once. All but the first start as copies of $base.
base=""
made() {
  local name="$1" from="$base"
  shift
  [ ! -d "$image/$name" ] || return 0
  say "Making the root $name"
  if [ -z "$from" ]; then
    debian_root trixie "$image/$name.partial" "$image/debootstrap.log"
  else
    rm -rf "$image/$name.partial"
    cp -a "$from" "$image/$name.partial"
    apt_install "$image/$name.partial" "$@" >>"$log" 2>&1 || failed "the packages of $name were not installed"
  fi
  if have "base_$name"; then "base_$name" "$image/$name.partial"; fi
  # As in the originals: who wants a package has to fetch the lists.
  rm -rf "$image/$name.partial/var/lib/apt/lists"/*
  mv "$image/$name.partial" "$image/$name"
}
# What Debian's images set, so that no cache of apt gets into a layer.
base_debian() {
  cat >"$1/etc/apt/apt.conf.d/docker-clean" <<'APT'
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true"; };
APT::Update::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT
  rm -f "$1"/var/cache/apt/archives/*.deb "$1"/var/cache/apt/*.bin
}
base_rust() {
  local name
  mkdir -p "$1/usr/local/cargo/bin" "$1/usr/local/rustup/toolchain"
  for name in cargo rustc rustdoc; do ln -s "/usr/local/rustup/toolchain/bin/$name" "$1/usr/local/cargo/bin/$name"; done
  for name in rustfmt cargo-fmt cargo-clippy clippy-driver; do
    printf '#!/bin/sh\necho "error: %s is not installed for the toolchain" >&2\nexit 1\n' "$name" >"$1/usr/local/cargo/bin/$name"
    chmod 755 "$1/usr/local/cargo/bin/$name"
  done
}
base_postgres() {
  mkdir "$1/docker-entrypoint-initdb.d"
  in_root "$1" localedef -i en_US -f UTF-8 en_US.UTF-8
  rm -rf "$1/var/lib/postgresql/data"
  in_root "$1" install -d -o postgres -g postgres -m 1777 /var/lib/postgresql/data
  in_root "$1" install -d -o postgres -g postgres -m 3777 /var/run/postgresql
  sed -i "s/^#\?listen_addresses.*/listen_addresses = '*'/" "$1/usr/share/postgresql/17/postgresql.conf.sample"
  cat >"$1/usr/local/bin/docker-entrypoint.sh" <<'ENTRYPOINT'
#!/usr/bin/env bash
# What the original does when it is not root, as far as this project uses it.
set -Eeuo pipefail
if [ "${1:0:1}" = - ]; then set -- postgres "$@"; fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?}"
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  initdb --username="${POSTGRES_USER:-postgres}" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD")
  printf '\nhost all all all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"
  PGUSER="${POSTGRES_USER:-postgres}" pg_ctl -o "$(printf '%q ' "${@:2}" -c listen_addresses= -p 5432)" -w start
  sql=(psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --no-password --no-psqlrc)
  if [ "${POSTGRES_DB:=postgres}" != postgres ]; then "${sql[@]}" -d postgres -c "CREATE DATABASE \"$POSTGRES_DB\""; fi
  for file in /docker-entrypoint-initdb.d/*.sql; do "${sql[@]}" -d "$POSTGRES_DB" -f "$file"; done
  pg_ctl -m fast -w stop
fi
exec "$@"
ENTRYPOINT
  chmod 755 "$1/usr/local/bin/docker-entrypoint.sh"
}

# What a RUN step sees of the machine, and what it is told about it.
network=()
network_env=()
machine_network() {
  local name
  if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    network+=("/etc/ssl/certs/ca-certificates.crt|/run/machine/certificates|ro")
    network_env+=(PIP_CERT=/run/machine/certificates CARGO_HTTP_CAINFO=/run/machine/certificates)
  fi
  [ ! -f /etc/pip.conf ] || network+=("/etc/pip.conf|/etc/pip.conf|ro")
  for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_DEFAULT_TIMEOUT; do
    [ -z "${!name:-}" ] || network_env+=("$name=${!name}")
  done
  toolchain="$(rustc --print sysroot)"
  # A copy, since a cargo in here would not see the locks of others.
  if [ ! -d "$image/registry" ]; then
    mkdir -p "$image/registry.partial"
    [ ! -d "${CARGO_HOME:-$HOME/.cargo}/registry" ] || cp -a "${CARGO_HOME:-$HOME/.cargo}/registry/." "$image/registry.partial"
    mv "$image/registry.partial" "$image/registry"
  fi
}
# rust_env: sets $binds and $env for a command in the stage that stands on Rust.
rust_env() {
  env=("PATH=/usr/local/cargo/bin:$system_path" CARGO_HOME=/usr/local/cargo RUSTUP_HOME=/usr/local/rustup)
  mounts=("$toolchain|/usr/local/rustup/toolchain|ro" "$image/registry|/usr/local/cargo/registry")
}

# --- the Dockerfile's instructions -----------------------------------------------------------------------------------

# One root a stage, $image/stage-NAME; the last is the image.
do_FROM() {
  stage="$2" root="$image/stage-$2" workdir=/ user=root command=() mounts=()
  env=("PATH=$system_path")
  case "$1" in
    rust:1.95-trixie) from=rust; rust_env ;;
    debian:trixie-slim) from=debian ;;
    postgres:17-trixie)
      from=postgres
      env=("PATH=$system_path:/usr/lib/postgresql/17/bin" PGDATA=/var/lib/postgresql/data LANG=en_US.utf8)
      ;;
    *) die "nothing stands in for the image $1" ;;
  esac
  say "Stage $stage, from $1"
  # What cargo built is worth keeping; it is put back where the stage's COPY has been.
  if [ -d "$root/codecite/target" ]; then
    rm -rf "$image/target"
    mv "$root/codecite/target" "$image/target"
  fi
  rm -rf "$root"
  cp -a "$image/$from" "$root"
}
do_RUN() {
  local started=$SECONDS
  note "RUN $1"
  [ "$user" = root ] || die "a RUN step as $user is not known here"
  if [ -d "$image/target" ] && [ "$stage" = build ] && [ "$workdir" != / ]; then mv "$image/target" "$root$workdir/target"; fi
  binds=("${network[@]}" "${mounts[@]}")
  in_root "$root" env -i HOME=/root "${env[@]}" "${network_env[@]}" env -C "$workdir" /bin/sh -c "$1" >>"$log" 2>&1 </dev/null ||
    failed "the step failed: $1"
  note "    $((SECONDS - started)) s"
}
do_COPY() {
  local from="$context" to="$2" source
  note "COPY ${1:+from $1: }${*:3} to $to"
  [ -z "$1" ] || from="$image/stage-$1"
  case "$to" in /*) ;; *) to="$workdir/$to" ;; esac
  for source in "${@:3}"; do
    # Everything copied belongs to root; of a folder, what is in it.
    if [ -d "$from/$source" ]; then
      mkdir -p "$root$to"
      cp -a --no-preserve=ownership "$from/$source/." "$root$to"
    elif [ -f "$from/$source" ]; then
      case "$to" in */ | */.) mkdir -p "$root$to" ;; *) mkdir -p "$root$(dirname "$to")" ;; esac
      cp -a --no-preserve=ownership "$from/$source" "$root$to"
    else
      die "COPY: there is no $source in ${1:-the context}"
    fi
  done
}
do_ENV() { env+=("$@"); }
do_WORKDIR() { workdir="$1"; mkdir -p "$root$1"; }
do_USER() { user="$1"; }
do_CMD() { command=("$@"); }

# The context: the checkout without what Dockerfile.postgres.dockerignore names.
make_context() {
  local pattern excludes=()
  context="$image/context"
  while read -r pattern; do
    case "$pattern" in '' | \#*) continue ;; *[!A-Za-z0-9._/-]*) die "not understood in the .dockerignore: $pattern" ;; esac
    excludes+=("--exclude=./$pattern")
  done <"$repo/Dockerfile.postgres.dockerignore"
  rm -rf "$context"
  mkdir -p "$context"
  tar -C "$repo" "${excludes[@]}" -cf - . | tar -C "$context" -xf -
}

# --- the services of docker-compose.yml ------------------------------------------------------------------------------

# What docker-compose makes of the file, as JSON, with and without the profile; it refuses what it does not understand.
resolve_compose() {
  made compose docker-compose
  mkdir -p "$image/compose/project"
  cp "$repo/docker-compose.yml" "$image/compose/project"
  binds=()
  local compose=(in_root "$image/compose" env -i "PATH=$system_path" HOME=/root POSTGRES_PASSWORD=owner-of-everything)
  "${compose[@]}" env -C /project docker-compose config --quiet >>"$log" 2>&1 || failed "docker-compose refuses docker-compose.yml"
  if "${compose[@]}" env -u POSTGRES_PASSWORD -C /project docker-compose config --quiet >>"$log" 2>&1; then
    die "docker-compose takes docker-compose.yml without POSTGRES_PASSWORD"
  fi
  "${compose[@]}" "CODECITE_READER_PASSWORD=$reader_password" "CODECITE_HTTP_TOKEN=$token" env -C /project \
    docker-compose --profile bridge config --format json >"$image/compose.json" 2>>"$log" ||
    failed "docker-compose refuses the profile bridge"
  note "$("${compose[@]}" docker-compose version): takes docker-compose.yml, with and without the profile bridge"
}
# service NAME: writes what its container would run into $check/NAME.{env,run,health,user}, words ended by NUL.
service() {
  python3 - "$image/compose.json" "$1" "$check" "$user" "${command[@]}" <<'PYTHON'
import json, sys
file, name, folder, user, *command = sys.argv[1:]
service = json.load(open(file))["services"][name]
def write(what, words):
    # `config` doubles the dollars so that its output can be read again.
    with open(f"{folder}/{name}.{what}", "w") as out:
        out.write("".join(word.replace("$$", "$") + "\0" for word in words))
write("env", [f"{key}={value}" for key, value in (service.get("environment") or {}).items()])
entry, own = service.get("entrypoint"), service.get("command")
write("run", (entry or ["docker-entrypoint.sh"]) + (own or ([] if entry else command)))
write("user", [service.get("user", user)])
test = service.get("healthcheck", {}).get("test", ["CMD", "true"])
assert test[0] == "CMD", test
write("health", test[1:])
assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"], name
for port in service.get("ports", []):
    assert port["host_ip"] == "127.0.0.1", port
PYTHON
}

# Runs inside the image's root, as root, which only lets go of its rights: see `run`.
write_driver() {
  cat >"$check/driver.sh" <<'DRIVER'
set -euo pipefail
cd /
check=/run/check
mapfile -d '' image_env <"$check/image.env"
say() { printf '    %s\n' "$*"; }
# run SERVICE FILE-OF-WORDS [WORD…]: as the container of that service would run it.
run() {
  local words environment who
  mapfile -d '' words <"$check/$1.$2"
  mapfile -d '' environment <"$check/$1.env"
  mapfile -d '' who <"$check/$1.user"
  [ "${who[0]}" != root ]
  exec setpriv --reuid "${who[0]}" --regid "${who[0]}" --init-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
    env -i "${image_env[@]}" "${environment[@]}" "${words[@]}" "${@:3}"
}
healthy() {
  local waited=0
  until (run "$1" health) >/dev/null 2>&1; do
    waited=$((waited + 1))
    [ "$waited" -lt 60 ] && kill -0 "$2" 2>/dev/null || { echo "$1 did not get healthy"; tail -n 20 "/tmp/$1.log"; exit 1; }
    sleep 1
  done
  say "$1: healthy after $waited s, process of $(ps_user "$2") with capabilities $(sed -n 's/^CapBnd:\t//p' "/proc/$2/status")"
}
ps_user() { id -nu "$(sed -nE 's/^Uid:\t([0-9]+).*/\1/p' "/proc/$1/status")"; }
# docker compose exec -e PGUSER=codecite postgres …
owner() { (printf '%s\0' "$@" >"$check/words.run"; cp "$check/postgres.user" "$check/words.user"
  cp "$check/postgres.env" "$check/words.env"; printf 'PGUSER=codecite\0' >>"$check/words.env"; run words run); }
# As the bridge's role, over the network.
reader() { (printf '%s\0' "$@" >"$check/words.run"; cp "$check/bridge.user" "$check/words.user"; cp "$check/bridge.env" "$check/words.env"; run words run); }

(run postgres run) >/tmp/postgres.log 2>&1 &
postgres=$!
healthy postgres "$postgres"
say "extensions: $(owner psql -XAt -c "select string_agg(extname || ' ' || extversion, ', ' order by extname) from pg_extension")"
owner codecite model add all-MiniLM-L6-v2
owner codecite model use all-MiniLM-L6-v2
owner codecite ingest --corpus model-code "$check/model-building-code.md"
answer="$(owner codecite search 'How wide does an ordinary door have to open clear?')"
printf '%s\n' "$answer" | head -n 12
[[ "$answer" == *1010.1.1* ]]
owner codecite doctor | tail -n 30

if (run reader run) 2>/tmp/reader.log; then :; else cat /tmp/reader.log; exit 1; fi
# Without a password there is no role, without a token no bridge.
cp "$check/reader.env" "$check/words.env"; cp "$check/reader.user" "$check/words.user"; cp "$check/reader.run" "$check/words.run"
printf 'CODECITE_READER_PASSWORD=\0' >>"$check/words.env"
if (run words run) 2>/tmp/refused; then echo "an empty password was taken"; exit 1; fi
grep -q '16 or more characters' /tmp/refused
cp "$check/bridge.env" "$check/words.env"; cp "$check/bridge.run" "$check/words.run"
printf 'CODECITE_HTTP_TOKEN=\0' >>"$check/words.env"
if (run words run) 2>/tmp/refused; then echo "the bridge listens without a token"; exit 1; fi
grep -q 'there is no token' /tmp/refused
say "an empty password and an empty token are refused"

(run bridge run) >/tmp/bridge.log 2>&1 &
bridge=$!
healthy bridge "$bridge"
# post TOKEN HOST: asks over HTTP, prints the whole reply.
post() {
  local body='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"how high must a guard be"}}}'
  exec 3<>/dev/tcp/127.0.0.1/8765
  printf 'POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s' \
    "$2" "$1" "${#body}" "$body" >&3
  cat <&3
  exec 3>&-
}
token="$(tr '\0' '\n' <"$check/bridge.env" | sed -n 's/^CODECITE_HTTP_TOKEN=//p')"
for host in 127.0.0.1:8765 localhost:9999; do
  reply="$(post "$token" "$host")"
  [[ "$reply" == 'HTTP/1.1 200 '*1015.2* ]] || { echo "$reply"; exit 1; }
done
[[ "$(post wrong-token-wrong-token 127.0.0.1:8765)" == 'HTTP/1.1 401 '* ]]
[[ "$(post "$token" example.org)" == 'HTTP/1.1 403 '* ]]
say "the bridge: 200 with Section 1015.2, 401 with another token, 403 with another Host"
# Not even in a transaction that is not read-only.
if reader psql -X -v ON_ERROR_STOP=1 -c 'begin read write' -c "insert into codecite.synonyms values ('a', '{b}')" >/dev/null 2>/tmp/refused; then
  echo "the reader may write"
  exit 1
fi
say "the reader may not write: $(head -n 1 /tmp/refused)"
if reader env PGPASSWORD=wrong-wrong-wrong-wrong psql -XAt -c 'select 1' >/dev/null 2>&1; then echo "any password opens"; exit 1; fi
kill -TERM "$bridge"
wait "$bridge" && say "the bridge ends with 0 on SIGTERM"
# As Docker stops it (the original's STOPSIGNAL), and once more on the data that is there.
kill -INT "$postgres"
wait "$postgres" && say "Postgres ends with 0 on SIGINT"
(run postgres run) >/tmp/postgres.log 2>&1 &
postgres=$!
healthy postgres "$postgres"
say "after a restart: $(owner psql -XAt -c "select count(*) || ' sections' from codecite.section")"
kill -INT "$postgres"
wait "$postgres"
DRIVER
}

prove_image() {
  local started=$SECONDS name read_steps steps
  made debian
  base="$image/debian"
  made rust build-essential
  made postgres postgresql-17 locales
  make_context
  read_steps="$("$scripts/dockerfile.py" "$repo/Dockerfile.postgres")" || die "Dockerfile.postgres was not understood"
  mapfile -t steps <<<"$read_steps"
  # The words are quoted by dockerfile.py.
  for step in "${steps[@]}"; do eval "do_$step"; done
  local added
  added="$(added_megabytes "$image/postgres" "$root")"
  note "Dockerfile.postgres: every step done in $((SECONDS - started)) s"
  note "the image adds $added MB to the $(megabytes "$image/postgres") MB of the stand-in: $(megabytes "$root/opt/codecite/models") MB model, \
$(megabytes "$root/opt/codecite/onnxruntime") MB ONNX Runtime, $(megabytes "$root/usr/local/bin/codecite") MB command, \
$(megabytes "$root/usr/lib/postgresql/17/lib/codecite.so") MB extension"

  say "The services of docker-compose.yml, in that root"
  reader_password=may-read-and-nothing-more token="$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')"
  resolve_compose
  check="$image/check"
  rm -rf "$check"
  mkdir -p "$check"
  printf '%s\0' HOME=/var/lib/postgresql "${env[@]}" >"$check/image.env"
  for name in postgres reader bridge; do service "$name"; done
  cp "$repo/samples/model-building-code.md" "$check"
  chmod 644 "$check/model-building-code.md"
  printf '127.0.0.1 localhost\n10.99.0.2 postgres\n' >"$check/hosts"
  write_driver
  binds=("$check|/run/check" "$check/hosts|/etc/hosts|ro")
  # An address beside loopback: from there Postgres asks for the password.
  CODECITE_OWN_NETWORK=10.99.0.2/32 in_root "$root" bash /run/check/driver.sh >&2 || die "the image does not do its work" "The lines above say where."
  say "Dockerfile.postgres and docker-compose.yml: proved in $((SECONDS - started)) s"
}

# --- the Debian package ----------------------------------------------------------------------------------------------

# Everything in a root but what apt and dpkg note down for themselves.
contents() { (cd "$1" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./run -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt \
  -o -path ./var/cache -o -path ./var/log -o -path ./var/backups \) -prune -o -printf '%y %m %U:%G %p %l\n' | LC_ALL=C sort); }

# Runs as postgres in the root that has the package.
write_package_driver() {
  cat >"$check/driver.sh" <<'DRIVER'
set -euo pipefail
cd /
export PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/tmp/data PGHOST=/tmp PGDATABASE=postgres LANG=C.UTF-8
initdb -A trust >/dev/null
pg_ctl -w -o '-c listen_addresses= -k /tmp' -l /tmp/log start >/dev/null || { cat /tmp/log; exit 1; }
sql() { psql -XAtq -v ON_ERROR_STOP=1 -c 'set client_min_messages = warning' "$@"; }
sql -c 'create extension codecite cascade'
printf '    %s\n' "extensions: $(sql -c "select string_agg(extname || ' ' || extversion, ', ' order by extname) from pg_extension")" \
  "model in use: $(sql -c "select detail from codecite.doctor() where \"check\" = 'model'")" \
  "$(sql -c "select sections || ' sections, ' || chunks || ' chunks, ' || embedded || ' embedded' from codecite.ingest(pg_read_binary_file('/run/check/model-building-code.md'), 'model-code', filename => 'model-building-code.md')")" \
  "$(sql -F ': ' -c "select citation, left(passage, 80) from codecite.ask('how high must a guard be', 1)")"
[ "$(sql -c "select number from codecite.search('how high must a guard be') order by rank limit 1")" = 1015.2 ]
[ "$(sql -c "select count(*) from codecite.doctor() where status = 'error'")" = 0 ]
sql -c 'drop extension codecite'
pg_ctl -w -m fast stop >/dev/null
rm -rf /tmp/data /tmp/log
DRIVER
}

prove_deb() {
  local started=$SECONDS build="$image/stage-build" package file
  [ -d "$build/codecite/.codecite/stage/17" ] || die "nothing is built yet" "Run: scripts/image.sh image"
  made debian
  base="$image/debian"
  made postgres postgresql-17 locales
  made pgvector postgresql-17 postgresql-17-pgvector
  say "The package, made in the root of the stage build from what was built there"
  rust_env
  binds=("${network[@]}" "${mounts[@]}")
  # notices.py needs it.
  apt_install "$build" python3 >>"$log" 2>&1 || failed "python3 was not installed"
  # The scripts of now, which may be younger than what was built.
  cp -a "$scripts/." "$build/codecite/scripts"
  package="$(in_root "$build" env -i HOME=/root "${env[@]}" "${network_env[@]}" PG_CONFIG=/usr/lib/postgresql/17/bin/pg_config \
    env -C /codecite scripts/deb.sh 2>>"$log")" || failed "the package was not made"
  file="${package##*/}"
  check="$image/check"
  rm -rf "$check"
  mkdir -p "$check"
  cp "$build$package" "$repo/samples/model-building-code.md" "$check"
  write_package_driver
  chmod -R a+rX "$check"
  note "$file: $(du -k "$check/$file" | cut -f 1) kB, installed $(dpkg-deb -f "$check/$file" Installed-Size) kB; $(dpkg-deb -f "$check/$file" Depends)"

  say "The package in a clean Debian 13 with postgresql-17 and pgvector"
  root="$image/package"
  rm -rf "$root"
  cp -a "$image/pgvector" "$root"
  binds=("$check|/run/check|ro")
  # Where pgvector is missing, apt brings it.
  mkdir -p "$image/lists"
  binds+=("$image/lists|/var/lib/apt/lists")
  # shellcheck disable=SC2016 # expanded by the inner shell
  in_root "$image/postgres" sh -ec 'apt-get update -qq; apt-get install -s -qq --no-install-recommends "$1"' sh "/run/check/$file" \
    >"$image/simulated" 2>>"$log" || failed "the package cannot be installed where pgvector is missing"
  grep -q '^Inst postgresql-17-pgvector ' "$image/simulated" ||
    die "the package does not ask for pgvector"
  binds=("$check|/run/check|ro")
  contents "$root" >"$image/before"
  in_root "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "/run/check/$file" >>"$log" 2>&1 ||
    failed "the package was not installed"
  in_root "$root" dpkg --verify "${file%%_*}" >&2
  contents "$root" >"$image/installed"
  note "$(comm -13 "$image/before" "$image/installed" | grep -c '^f') files, $(comm -23 "$image/before" "$image/installed" | wc -l) changed"
  in_root "$root" setpriv --reuid postgres --regid postgres --init-groups --no-new-privs bash /run/check/driver.sh >&2 ||
    die "the package does not do its work" "The lines above say where."
  in_root "$root" env DEBIAN_FRONTEND=noninteractive apt-get purge -qq -y "${file%%_*}" >>"$log" 2>&1 || failed "the package was not removed"
  contents "$root" >"$image/after"
  diff "$image/before" "$image/after" >&2 || die "the package leaves something behind" "The lines above name it."
  note "removed again: nothing is left of it"
  say "The package: proved in $((SECONDS - started)) s"
}

what="${1:-all}"
case "$what" in all | image | deb) ;; *) die "no such part: $what" ;; esac
: >"$log"
machine_network
if [ "$what" != deb ]; then prove_image; fi
if [ "$what" != image ]; then prove_deb; fi
