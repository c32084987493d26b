#!/usr/bin/env bash
# What a server may meet: backends that are ended or killed, a server that is stopped or crashes, a full disk, no memory,
# a model or library that is missing, cut off or another. It comes back with what was committed and nothing half.
# On a server of its own, which is thrown away. CODECITE_CYCLES: connections that load the model (default 10).
# shellcheck source=SCRIPTDIR/../own_server.sh
OWN_SERVER=faults . "$(dirname "$0")/../own_server.sh"
full="$(mktemp -d /tmp/codecite-full-XXXXXXXX)"
undo() {
  mountpoint -q "$full" && umount "$full"
  rmdir "$full"
}
database=codecite_test_faults
new_database "$database"

# A code of 12 MB, which takes seconds to store.
sql "$database" -c "create table code (name text, content bytea)" -c "
  insert into code select n.name, convert_to(string_agg(format(E'## %s.%s Doors.\n\n%s\n\n', 1000 + i / 100, i % 100 + 1,
    repeat('Doors of means of egress are not less than thirty inches wide. ', 10)), '' order by i), 'UTF8')
  from (values ('long', 20000), ('short', 2000), ('other', 50)) n(name, sections), generate_series(1, n.sections) i group by n.name"
ingest() { echo "select count(*) from codecite.ingest((select content from code where name = '$1'), '${2:-kept}', document => '${3:-$1}', embed => false)"; }
sql "$database" -c "$(ingest short)" >/dev/null
tables="document section chunk posting definition reference amendment embedding ingest_run"
rows() { sql "$database" -c "$(for table in $tables; do echo "select '$table', count(*) from codecite.$table;"; done)" -c "select name from codecite.corpus order by 1" 2>&1; }
kept="$(rows)"

others="datname = '$database' and pid <> pg_backend_pid() and backend_type = 'client backend'"
# at_work CONDITION: waits until a session is there; prints its pid.
at_work() {
  local pid
  for _ in $(seq 1 600); do
    pid="$(sql postgres -c "select pid from pg_stat_activity where $others and $1 limit 1" 2>/dev/null)"
    if [ -n "$pid" ]; then echo "$pid" && return; fi
    sleep 0.05
  done
  echo "no session with $1" >&2
  return 1
}
postmaster() { head -n 1 "$home/data/postmaster.pid"; }
# Waits until a stopped server is gone and starts it; or until a crashed one takes connections again.
back() {
  if [ "$1" = stopped ]; then
    for _ in $(seq 1 200); do [ -e "$home/data/postmaster.pid" ] || break; sleep 0.1; done
    start
  fi
  for _ in $(seq 1 300); do
    if sql "$database" -c "select 1" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
}
fault() { # NAME PID
  case "$1" in
    pg_terminate_backend) sql postgres -c "select pg_terminate_backend($2)" >/dev/null ;;
    "stop -m fast") kill -INT "$(postmaster)" && back stopped ;;
    "stop -m immediate") kill -QUIT "$(postmaster)" && back stopped ;;
    "kill -9") kill -KILL "$2" && sleep 1 && back crashed ;;
  esac
}

for name in "pg_terminate_backend" "stop -m fast" "stop -m immediate" "kill -9"; do
  for stage in "reading" "its last row"; do
    locker=""
    if [ "$stage" = "its last row" ]; then
      # The row in ingest_run comes last: held up there, all others are written and not committed.
      sql "$database" -c "begin; lock table codecite.ingest_run in share mode; select pg_sleep(60)" >/dev/null 2>&1 &
      locker=$!
      at_work "query like 'begin; lock%' and wait_event = 'PgSleep'" >/dev/null
    fi
    sql "$database" -c "$(ingest "$([ -n "$locker" ] && echo other || echo long)" new-code)" >"$work/out" 2>&1 &
    client=$!
    if [ -n "$locker" ]; then
      pid="$(at_work "query like '%ingest%' and wait_event_type = 'Lock'")"
    else
      pid="$(at_work "application_name ~ '^codecite: (read|structure|chunk)'")"
    fi
    fault "$name" "$pid"
    wait "$client"
    if [ -n "$locker" ]; then
      sql postgres -c "select pg_terminate_backend(pid) from pg_stat_activity where query like 'begin; lock%' and pid <> pg_backend_pid()" >/dev/null
      wait "$locker"
    fi
    check "$name at $stage: it was in the middle" 0 "$(grep -cx 1 "$work/out")"
    check "$name at $stage: what was there is, and nothing else" "$kept" "$(rows)"
  done
  # embed_pending: whole batches stay, a second call does the rest.
  sql "$database" -c "delete from codecite.embedding"
  sql "$database" -c "call codecite.embed_pending(batch => 50)" >"$work/out" 2>&1 &
  client=$!
  # shellcheck disable=SC2034
  for _ in $(seq 1 400); do [ "$(sql "$database" -c "select count(*) >= 100 from codecite.embedding")" = t ] && break; done
  pid="$(sql postgres -c "select pid from pg_stat_activity where $others and query like 'call%' limit 1")"
  fault "$name" "$pid"
  wait "$client"
  done_so_far="$(sql "$database" -c "select count(*) from codecite.embedding")"
  check "$name in embed_pending: whole batches stay ($done_so_far)" t "$(sql "$database" -c "select $done_so_far between 100 and (select count(*) - 1 from codecite.chunk) and $done_so_far % 50 = 0")"
  sql "$database" -c "call codecite.embed_pending()"
  check "$name in embed_pending: a second call does the rest" 0 "$(sql "$database" -c "select pending from codecite.models()")"
  sql "$database" -c "delete from codecite.embedding"
done

# Builds of indexes that go on beside writers, ended while they wait for one: what they leave is named by doctor and repaired.
sql "$database" -c "insert into codecite.model (name, dimension, max_tokens, wants_index) values ('other', 384, 100, 'vector')"
sql "$database" -c "begin; lock table codecite.embedding, codecite.section in row exclusive mode; select pg_sleep(60)" >/dev/null 2>&1 &
locker=$!
at_work "query like 'begin; lock%' and wait_event = 'PgSleep'" >/dev/null
for build in "create index concurrently embedding_model_2 on codecite.embedding using hnsw ((embedding::vector(384)) vector_cosine_ops) where model_id = 2" "reindex index concurrently codecite.section_parent"; do
  sql "$database" -c "$build" >>"$work/out" 2>&1 &
  client=$!
  fault pg_terminate_backend "$(at_work "query like '${build:0:20}%' and wait_event_type = 'Lock'")"
  wait "$client"
done
sql postgres -c "select pg_terminate_backend(pid) from pg_stat_activity where query like 'begin; lock%' and pid <> pg_backend_pid()" >/dev/null
wait "$locker"
check "index builds that were cut off: doctor names what they left" "index embedding_model_2 is not valid,index section_parent_ccnew is not valid" "$(sql "$database" -c "select string_agg(detail, ',' order by detail) from codecite.doctor() where \"check\" = 'index'")"
check "repair puts it right" "embedding_model_2 was not valid and was built again,section_parent_ccnew was dropped: a copy that was never finished" "$(sql "$database" -c "select string_agg(detail, ',' order by detail) from codecite.repair() where what = 'index'")"
check "and nothing is left of it" "0 t 0" "$(sql "$database" -F ' ' -c "select (select count(*) from codecite.doctor() where \"check\" = 'index'), (select indexed from codecite.models() where model = 'other'), (select count(*) from codecite.repair())")"
sql "$database" -c "select codecite.drop_model('other')" -c "drop index codecite.embedding_model_2" >/dev/null

# A search is stopped as well.
sql "$database" -c "call codecite.embed_pending()"
started="$(milliseconds)"
sql "$database" -c "set statement_timeout = '300ms'" -c "select count(*) from generate_series(1, 100000) i, codecite.search('thirty inches wide ' || i) s" >"$work/out" 2>&1
check "a timeout stops a search" 1 "$(grep -c 'canceling statement due to statement timeout' "$work/out")"
check_at_most "within a second" 1300 $(($(milliseconds) - started))

# Memory.
check "too little memory is an error that names the setting" 1 "$(sql "$database" -c "set codecite.max_memory_bytes = '64kB'" -c "$(ingest long new-code)" 2>&1 | grep -c 'codecite.max_memory_bytes')"

# A full disk.
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=40m,mode=1777 codecite-full "$full" 2>/dev/null; then
  mkdir -m 700 "$full/space" && chown --reference="$home/data" "$full/space"
  sql postgres -c "create tablespace codecite_full location '$full/space'"
  sql postgres -c "create database codecite_test_full tablespace codecite_full"
  sql codecite_test_full -c "create extension vector" -c "create extension codecite"
  # shellcheck disable=SC2028 # the backslashes are for Postgres
  file() { echo "convert_to((select string_agg(format(E'## %s.%s Doors.\n\n%s\n\n', 1000 + i / 100, i % 100 + 1, repeat('Doors are wide. ' || i, 40)), '' order by i) from generate_series(1, $1) i), 'UTF8')"; }
  check "a small document fits" 1 "$(sql codecite_test_full -c "select count(*) from codecite.ingest($(file 10), 'small', embed => false)")"
  check "a full disk is an error of SQLSTATE 53100" 1 "$(sql codecite_test_full -v VERBOSITY=verbose -c "select count(*) from codecite.ingest($(file 30000), 'large', embed => false)" 2>&1 | grep -c '53100')"
  check "nothing of it is there" "small" "$(sql codecite_test_full -c "select string_agg(corpus, ',') from codecite.corpora()")"
  sql codecite_test_full -c "vacuum" >/dev/null 2>&1
  check "and the next small one fits" 1 "$(sql codecite_test_full -c "select count(*) from codecite.ingest($(file 11), 'small', embed => false, document => 'next')" 2>&1)"
  mount -o remount,size=1g "$full"
  check "after room was made the same document is stored whole" "1 30000" "$(sql codecite_test_full -F ' ' -c "select count(*), sum(sections) from codecite.ingest($(file 30000), 'large', embed => false)" 2>&1)"
  check "and found" 1 "$(sql codecite_test_full -c "select count(*) from codecite.search('Section 1299.100', array['large'], 1) where number = '1299.100'" 2>&1)"
  sql postgres -c "drop database codecite_test_full" -c "drop tablespace codecite_full"
else
  echo "SKIPPED: a full disk (only root can mount a small file system, and not everywhere)"
fi

# Models and libraries. Each in a session of its own, under a limit of time; afterwards the session goes on.
models="$repo/.codecite/models"
name="$(basename "$(echo "$models"/*)")"
runtime="$(sql "$database" -c "select codecite.version() is null; show codecite.onnxruntime_library" | tail -n 1)"
if [ -r "$models/$name/codecite.json" ] && [ -r "$runtime" ]; then
  bad="$home/bad"
  damaged() { # CASE: a copy of the model whose manifest or network is changed; hard links, as the weights are large
    mkdir -p "$bad/$1" && cp -lr "$models/$name" "$bad/$1/"
    rm -f "$bad/$1/$name/codecite.json" && cp "$models/$name/codecite.json" "$bad/$1/$name/"
    chmod 644 "$bad/$1/$name/codecite.json"
  }
  mkdir -p "$bad"
  head -c 1000000 "$runtime" >"$bad/truncated.so"
  head -c 100000 /dev/urandom >"$bad/noise.so"
  damaged dimension
  sed -i -E 's/"dimension": *[0-9]+/"dimension": 100/' "$bad/dimension/$name/codecite.json"
  damaged manifest
  echo '{' >"$bad/manifest/$name/codecite.json"
  damaged corrupt
  rm "$bad/corrupt/$name/model.onnx" && head -c 50000 /dev/urandom >"$bad/corrupt/$name/model.onnx"
  damaged hashed
  rm "$bad/hashed/$name/model.onnx" && cp "$bad/corrupt/$name/model.onnx" "$bad/hashed/$name/"
  sed -i -E "s/(\"model.onnx\": *\")[0-9a-f]+/\1$(sha256sum <"$bad/hashed/$name/model.onnx" | cut -d ' ' -f 1)/" "$bad/hashed/$name/codecite.json"
  chmod -R a+rX "$bad"
  # All in one session, whose backend is asked for before and after.
  refused() { # WHAT SQLSTATE LIBRARY MODELS [SQL]
    timeout 60 "$PG_BINDIR/psql" -X -q -A -t -v VERBOSITY=verbose -d "$database" -c "select 'backend ' || pg_backend_pid()" -c "set codecite.onnxruntime_library = '$3'" -c "set codecite.model_dir = '$4'" \
      -c "${5:-select codecite.add_model('$name')}" -c "select 'goes on with ' || count(*) from codecite.search('wide doors', k => 3, mode => 'lexical')" -c "select 'backend ' || pg_backend_pid()" >"$work/out" 2>&1
    check "$1: SQLSTATE $2 with a hint, and the same backend goes on" "ERROR:  $2 1 1 1" \
      "$(sed -nE 's/^(ERROR:  [0-9A-Z]{5}):.*/\1/p' "$work/out") $(grep -c '^HINT' "$work/out") $(grep -c 'goes on with [1-9]' "$work/out") $(grep '^backend [1-9]' "$work/out" | sort | uniq -c | grep -c '^ *2 ')"
  }
  refused "a library that is not there" 58P01 /nonexistent.so "$models"
  refused "a library that is a folder" 58P01 /tmp "$models"
  refused "a library that is cut off" XX001 "$bad/truncated.so" "$models"
  refused "a library that is none" 58P01 "$bad/noise.so" "$models"
  refused "a model folder that is not there" 58P01 "$runtime" /nonexistent
  refused "a model of another dimension" 22023 "$runtime" "$bad/dimension"
  refused "a manifest that is none" 22023 "$runtime" "$bad/manifest"
  refused "a network that is not the manifest's" XX001 "$runtime" "$bad/corrupt"
  refused "a network that is none" 38000 "$runtime" "$bad/hashed"
  sql "$database" -c "select codecite.add_model('$name'), codecite.use_model('$name')" >/dev/null
  health="select status, fix is not null from codecite.doctor() where \"check\" = 'model files'"
  check "doctor: the model works" "ok|f" "$(sql "$database" -c "$health")"
  check "doctor: the library is missing" "error|t" "$(sql "$database" -c "set codecite.onnxruntime_library = '/nonexistent.so'" -c "$health")"
  check "doctor: the files are missing" "error|t" "$(sql "$database" -c "set codecite.model_dir = '/nonexistent'" -c "$health")"
  check "doctor: a path is not set" "error|t" "$(sql "$database" -c "set codecite.model_dir = ''" -c "$health")"
  check "doctor: the network is another" "error|t" "$(sql "$database" -c "set codecite.model_dir = '$bad/corrupt'" -c "$health")"
  # In use and not to be had: the error of a question is the same, what waits stays, and words are still searched for.
  sql "$database" -c "$(ingest other)" >/dev/null
  waits="$(sql "$database" -c "select pending > 0, pending from codecite.models() where in_use")"
  refused "a question without the library" 58P01 /nonexistent.so "$models" "select codecite.embed('wide doors', 'query')"
  refused "a batch without the library" 58P01 /nonexistent.so "$models" "select codecite.embed_batch()"
  refused "a batch by a network that is another" XX001 "$runtime" "$bad/corrupt" "select codecite.embed_batch()"
  check "what waited for the model still does" "t $waits" "t $(sql "$database" -c "select pending > 0, pending from codecite.models() where in_use")"

  # embed_pending with the model, ended in the middle: whole batches stay as they are, a second call does the rest.
  onnx=codecite_test_faults_onnx
  new_database "$onnx"
  sql "$onnx" -c "select codecite.add_model('$name'), codecite.use_model('$name')" >/dev/null
  sql "$onnx" -c "select from codecite.ingest(convert_to((select string_agg(format(E'## %s.%s Doors.\n\nDoor %s of means of egress is not less than %s inches wide. %s\n\n', 1000 + i / 100, i % 100 + 1, i, i % 50 + 30,
    repeat('Stairs and ramps are kept clear. ', 10)), '' order by i) from generate_series(1, 600) i), 'UTF8'), 'kept', document => 'long', embed => false)"
  chunks="$(sql "$onnx" -c "select count(*) from codecite.chunk")"
  vectors="select count(*) from codecite.embedding"
  for how in "pg_terminate_backend" "kill -9"; do
    sql "$onnx" -c "delete from codecite.embedding"
    sql "$onnx" -c "call codecite.embed_pending(batch => 20)" >"$work/out" 2>&1 &
    client=$!
    seen=0
    for _ in $(seq 1 600); do
      seen="$(sql "$onnx" -c "$vectors")"
      [ "$seen" -lt 60 ] || break
      sleep 0.1
    done
    pid="$(sql postgres -c "select pid from pg_stat_activity where datname = '$onnx' and query like 'call%' limit 1")"
    loaded="$(grep -c onnxruntime "/proc/$pid/maps")"
    fault "$how" "$pid"
    wait "$client"
    for _ in $(seq 1 100); do sql "$onnx" -c "select 1" >/dev/null 2>&1 && break; sleep 0.1; done
    stayed="$(sql "$onnx" -c "$vectors")"
    check "$how while the model embeds: it was in the middle" "yes t" "$([ "${loaded:-0}" -gt 0 ] && echo yes) $(sql "$onnx" -c "select $seen >= 60 and $stayed < $chunks")"
    check "$how while the model embeds: whole batches stay, all that were seen ($seen seen, $stayed stayed of $chunks)" t "$(sql "$onnx" -c "select $stayed >= $seen and $stayed % 20 = 0")"
    sql "$onnx" -c "create table was as select * from codecite.embedding"
    sql "$onnx" -c "call codecite.embed_pending(batch => 20)"
    check "$how while the model embeds: a second call does the rest, each chunk once" "0 $chunks $chunks" "$(sql "$onnx" -F ' ' -c "select (select pending from codecite.models() where in_use), count(*), count(distinct (document_id, chunk)) from codecite.embedding")"
    check "$how while the model embeds: what stayed is as it was" "0" "$(sql "$onnx" -c "select count(*) from was left join codecite.embedding e using (model_id, document_id, chunk) where e.embedding::text is distinct from was.embedding::text")"
    sql "$onnx" -c "drop table was"
    # To the last digit they are not: which texts a session embeds first, and beside which others, is another in each run.
    sql "$onnx" -c "set client_min_messages = warning" -c "create table if not exists first as select * from codecite.embedding"
    check "$how while the model embeds: the vectors are those of any other run" "$chunks t" "$(sql "$onnx" -F ' ' -c "select count(*), max(e.embedding <=> f.embedding) < 1e-4 from codecite.embedding e join first f using (model_id, document_id, chunk)")"
  done
  # Connections that load the model and go: none of them crashes at its end.
  before="$(grep -cE 'terminated by signal|PANIC' "$home/log/server.log")"
  cycles="${CODECITE_CYCLES:-10}"
  for _ in $(seq 1 "$cycles"); do sql "$database" -c "select vector_dims(codecite.embed('doors')) > 0"; done >"$work/cycles" 2>&1
  check "$cycles connections embed and go" "$cycles t" "$(sort "$work/cycles" | uniq -c | sed 's/^ *//')"
  check "none of them crashed" "$before" "$(grep -cE 'terminated by signal|PANIC' "$home/log/server.log")"
else
  echo "SKIPPED: models and libraries (make setup brings them)"
fi
finished=yes
