#!/usr/bin/env bash
# TLS between the command and Postgres, against a server of its own with certificates made here: what each sslmode accepts.
# Needs a Postgres that was built with TLS (the machine's own, or PG_BINDIR) and openssl.
set -euo pipefail
passed=0 failed=0
skip() { echo "SKIPPED: $*"; echo "0 passed, 0 failed"; exit 0; }
command -v openssl >/dev/null || skip "openssl is not installed"
bin=""
for folder in "${PG_BINDIR:-/nonexistent}" /usr/lib/postgresql/*/bin; do
  if [ -x "$folder/initdb" ] && "$folder/pg_config" --configure 2>/dev/null | grep -qE -- '--with-(openssl|ssl)'; then bin="$folder"; fi
  # Debian has pg_config in another package: the library tells.
  if [ -z "$bin" ] && [ -x "$folder/initdb" ] && ldd "$folder/postgres" 2>/dev/null | grep -q libssl; then bin="$folder"; fi
done
[ -n "$bin" ] || skip "no Postgres with TLS was found"

folder="$(mktemp -d)"
chmod 755 "$folder"
as_owner() { if [ "$(id -u)" = 0 ]; then (cd / && setpriv --reuid postgres --regid postgres --clear-groups "$@"); else "$@"; fi; }
stop() {
  as_owner "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT
if [ "$(id -u)" = 0 ] && ! id postgres >/dev/null 2>&1; then skip "Postgres does not run as root, and there is no user postgres"; fi
authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" -keyout "$folder/$1.key" -out "$folder/$1.crt" 2>/dev/null
}
authority right
authority wrong
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=localhost" -keyout "$folder/server.key" -out "$folder/server.csr" 2>/dev/null
printf 'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n' >"$folder/server.ext"
openssl x509 -req -in "$folder/server.csr" -CA "$folder/right.crt" -CAkey "$folder/right.key" -CAcreateserial -days 2 -extfile "$folder/server.ext" \
  -out "$folder/server.crt" 2>/dev/null
[ "$(id -u)" != 0 ] || chown -R postgres "$folder"
chmod 600 "$folder/server.key"
port=$((20000 + $$ % 10000))
as_owner "$bin/initdb" -D "$folder/data" -U tester -A trust >/dev/null
printf 'hostssl all all 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 reject\n' >"$folder/data/pg_hba.conf"
as_owner "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" -o "-p $port -c listen_addresses=127.0.0.1 -c ssl=on -c fsync=off \
  -c ssl_cert_file=$folder/server.crt -c ssl_key_file=$folder/server.key -c unix_socket_directories=$folder" start >/dev/null

# doctor_says PATTERN URL: the first check tells whether there is a connection; the extension is not there.
doctor_says() {
  local out
  out="$(env -u DATABASE_URL -u CODECITE_DATABASE_URL "$CODECITE" --database-url "$2" doctor --json 2>&1)" || true
  if tr -d '\n' <<<"$out" | grep -qE -- "$1"; then
    echo "ok     $2" | sed "s|$folder|.|; s|:$port||"
    passed=$((passed + 1))
  else
    printf 'FAILED %s: no "%s" in\n%s\n' "$2" "$1" "$out"
    failed=$((failed + 1))
  fi
}
yes='"connection", *"status": "ok"'
no='"connection", *"status": "error"'
at() { echo "postgresql://tester@$1:$port/postgres?$2"; }
doctor_says "$yes" "$(at localhost sslmode=prefer)"
doctor_says "$yes" "$(at localhost sslmode=require)"
doctor_says "$no" "$(at localhost sslmode=disable)"
doctor_says "$yes" "$(at localhost "sslmode=verify-full&sslrootcert=$folder/right.crt")"
doctor_says "$no" "$(at localhost "sslmode=verify-full&sslrootcert=$folder/wrong.crt")"
doctor_says "$no" "$(at 127.0.0.1 "sslmode=verify-full&sslrootcert=$folder/right.crt")"
doctor_says "$yes" "$(at 127.0.0.1 "sslmode=verify-ca&sslrootcert=$folder/right.crt")"
doctor_says "$no" "$(at 127.0.0.1 "sslmode=verify-ca&sslrootcert=$folder/wrong.crt")"
doctor_says "$no" "$(at localhost "sslmode=require&sslrootcert=$folder/wrong.crt")"
doctor_says "$no" "$(at localhost sslmode=verify-full)"
doctor_says 'there is no sslmode' "$(at localhost sslmode=perhaps)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
