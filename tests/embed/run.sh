#!/usr/bin/env bash
# `codecite embed`: several sessions share what waits, and an endpoint on this machine gives vectors that the database keeps.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
codecite="${CODECITE:-$repo/.codecite/bin/codecite}"
database=codecite_test_embed
new_database "$database"
export CODECITE_DATABASE_URL="postgresql://$PGUSER@/$database?host=$PGHOST&port=$PGPORT"
pending() { sql "$database" -c "select pending from codecite.models() where model = 'hash'"; }
waiting() {
  sql "$database" -c "delete from codecite.embedding"
  sql "$database" -c "select count(*) from codecite.chunk"
}

# An endpoint in the form of OpenAI's: the vector of a text is made of its length; what it does wrong is told by its path.
cat >"$work/endpoint.py" <<'PYTHON'
import http.server, json, sys

class Endpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = [{"index": n, "embedding": [float(len(text) % 97 + 1 + at) for at in range(384)]} for n, text in enumerate(asked["input"])]
        if self.path.startswith("/few"):
            data = data[1:]
        if self.path.startswith("/short"):
            data = [item | {"embedding": [1.0]} for item in data]
        answer = b"not JSON" if self.path.startswith("/bad") else json.dumps({"data": data[::-1], "model": asked["model"]}).encode()
        if self.path.startswith("/key") and self.headers["Authorization"] != "Bearer secret":
            self.send_response(401)
            answer = b"no key"
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
print(server.server_address[1], flush=True)
server.serve_forever()
PYTHON
python3 "$work/endpoint.py" >"$work/port" &
endpoint=$!
for _ in $(seq 50); do [ -s "$work/port" ] && break; sleep 0.1; done
url="http://127.0.0.1:$(cat "$work/port")"

"$codecite" ingest "$repo/samples/model-building-code.md" --corpus model-code --no-embed >/dev/null 2>&1
chunks="$(waiting)"
check "there is something to embed" yes "$([ "$chunks" -gt 500 ] && echo yes)"

check "three sessions embed all" "0 $chunks" "$("$codecite" embed --model hash --jobs 3 --json 2>/dev/null >"$work/out"; pending) $(sed -nE 's/.*"embedded": *([0-9]+).*/\1/p' "$work/out")"
check "again there is nothing to do" 0 "$("$codecite" embed --model hash --json 2>/dev/null | sed -nE 's/.*"embedded": *([0-9]+).*/\1/p')"

# A vector that another session stored after this one had looked: whoever stored it counts it.
waiting >/dev/null
sql "$database" >"$work/theirs" <<'SQL' &
begin;
select codecite.put_embeddings('hash', array_agg(document_id), array_agg(chunk), (select array_agg(.5::real) from generate_series(1, 10 * 384)))
  from codecite.pending('hash', 10);
select pg_sleep(2);
commit;
SQL
theirs=$!
for _ in $(seq 50); do [ -s "$work/theirs" ] && break; sleep 0.1; done
ours="$(sql "$database" -c "select codecite.embed_batch('hash', 100000)")"
wait "$theirs"
check "no vector is counted by two sessions" "10 $((chunks - 10)) 0" "$(grep -m 1 . "$work/theirs") $ours $(pending)"

waiting >/dev/null
"$codecite" embed --model hash --endpoint "$url/v1" >"$work/out" 2>&1
check "the endpoint's vectors are kept" "0 0 $chunks" "$? $(pending) $(sql "$database" -c "select count(*) from codecite.embedding")"
check "each with the vector of its own text" t "$(sql "$database" -c "select bool_and((e.embedding::real[])[1] = length(s.breadcrumb || E'\n' || coalesce(rtrim(substr(s.body, c.header_from + 1, c.header_count), E'\n') || E'\n', '') || substr(s.body, c.char_from + 1, c.char_count)) % 97 + 1)
  from codecite.embedding e join codecite.chunk c on c.document_id = e.document_id and c.ordinal = e.chunk join codecite.section s on s.document_id = c.document_id and s.ordinal = c.section where c.header_from is null")"

for fault in few short bad key; do
  waiting >/dev/null
  "$codecite" embed --model hash --endpoint "$url/$fault" >"$work/out" 2>&1
  check "an endpoint with the fault '$fault' is an error, and nothing is kept" "1 $chunks" "$? $(pending)"
done
CODECITE_ENDPOINT_KEY=secret "$codecite" embed --model hash --endpoint "$url/key" >"$work/out" 2>&1
check "a key is sent where one is given" "0 0" "$? $(pending)"

waiting >/dev/null
"$codecite" embed --model hash --endpoint "http://192.0.2.1/v1" >"$work/out" 2>&1
check "texts do not leave the machine" "1 1" "$? $(grep -c 'not on this machine' "$work/out")"
"$codecite" embed --model none >"$work/out" 2>&1
check "an unknown model lists those there are" "1 1" "$? $(grep -c 'Registered models: hash' "$work/out")"
kill "$endpoint"
finished=yes
