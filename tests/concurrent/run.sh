#!/usr/bin/env bash
# Many sessions at once: the same file is stored once, different files all are, and nobody waits for long or sees half a document.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
database=codecite_test_concurrent
new_database "$database"

# One code of N sections; every N is another file.
# shellcheck disable=SC2028 # the backslashes are for Postgres
code() { echo "convert_to((select string_agg(format(E'# CHAPTER %s PART\n\n## %s01.1 Doors of $1.\n\nDoor %s is wide.\n\n', i, i, i), '' order by i) from generate_series(1, 99) i), 'UTF8')"; }

# Two sessions with the same file: the second waits for the first, then gets the clear error.
for n in 1 2; do
  sql "$database" -c "select pg_sleep(0.2); select count(*) from codecite.ingest($(code same), 'same-code', filename => 'same.md')" >"$work/same.$n" 2>&1 &
done
wait
check "one of two wins" 1 "$(grep -lx 1 "$work"/same.? | wc -l)"
check "the other is told" 1 "$(grep -l 'this file is already ingested as document "same"' "$work"/same.? | wc -l)"
check "it is stored once" "1 198" "$(sql "$database" -F ' ' -c "select documents, sections from codecite.corpora() where corpus = 'same-code'")"

# Held open: while the first has not committed, the second waits; when the first rolls back, the second succeeds.
sql "$database" -c "begin; select count(*) from codecite.ingest($(code held), 'held-code', filename => 'held.md'); select pg_sleep(1); rollback" >/dev/null 2>&1 &
sleep 0.5
check "after a rollback the other succeeds" 1 "$(sql "$database" -c "select count(*) from codecite.ingest($(code held), 'held-code', filename => 'held.md')" 2>&1)"
wait

# Readers see a document whole or not at all.
for _ in $(seq 1 40); do sql "$database" -c "select sections from codecite.corpora() where corpus = 'watched-code'"; done >"$work/watched" 2>&1 &
sql "$database" -c "select count(*) from codecite.ingest($(code watched), 'watched-code', filename => 'watched.md')" >/dev/null
wait
check "no half document was seen" "" "$(grep -vx 198 "$work/watched" | sort -u)"

# Twenty different files at once into one corpus, made by whoever comes first. Meanwhile others search, in new sessions and in one
# that stays: the word of a file finds all of its 99 sections or none, and every document that is seen is whole.
# (No two of them have the same stem.)
word() { echo "zephyr$(tr 0-9 bcdfghjklm <<<"$1")q"; }
found() { echo "select count(*) from codecite.search('\"$(word "$1")\"', k => 200, mode => 'lexical') where citation <> '';"; }
touch "$work/ingesting"
while [ -e "$work/ingesting" ]; do n=$((${n:-0} % 20 + 1)) && sql "$database" -c "$(found $n)"; done >"$work/found.new" 2>&1 &
while [ -e "$work/ingesting" ]; do n=$((${n:-0} % 20 + 1)) && found $n && sleep 0.02; done | sql "$database" >"$work/found.same" 2>&1 &
while [ -e "$work/ingesting" ]; do sql "$database" -c "select count(*) >= 1 from codecite.search('Door 7 is wide', k => 5)"; done >"$work/found.hybrid" 2>&1 &
while [ -e "$work/ingesting" ]; do sql "$database" -c "select distinct n from (select count(*) n from codecite.v_section where corpus = 'many-code' group by document) s" -c "select distinct sections from codecite.documents() where corpus = 'many-code'"; done >"$work/seen" 2>&1 &
for n in $(seq 1 20); do
  sql "$database" -c "select count(*) from codecite.ingest($(code "$(word "$n")"), 'many-code', filename => 'file-$n.md')" >"$work/many.$n" 2>&1 &
  ingests[n]=$!
done
wait "${ingests[@]}"
for n in $(seq 1 20); do sql "$database" -c "$(found "$n")"; done >"$work/found.after" 2>&1
rm "$work/ingesting"
wait
check "each file is found by its word" "20 99" "$(sort "$work/found.after" | uniq -c | sed 's/^ *//')"
for kind in new same; do
  check "searches meanwhile find a file whole or not at all ($kind: $(sort -n "$work/found.$kind" | uniq -c | awk '{ printf "%s%s times %s", sep, $1, $2; sep = ", " }'))" "0 99" "$(sort -nu "$work/found.$kind" | paste -sd ' ')"
done
check "and never fail ($(wc -l <"$work/found.hybrid") of them)" t "$(sort -u "$work/found.hybrid")"
check "every document that was seen was whole" 198 "$(sort -u "$work/seen")"
check "all twenty succeed" "20 1" "$(cat "$work"/many.* | sort | uniq -c | sed 's/^ *//')"
check "all are stored" "20 3960" "$(sql "$database" -F ' ' -c "select documents, sections from codecite.corpora() where corpus = 'many-code'")"
check "and embedded" 0 "$(sql "$database" -c "select pending from codecite.corpora() where corpus = 'many-code'")"
check "statistics are exact" t "$(sql "$database" -c "select count(*) = 20 * 99 from codecite.v_chunk where corpus = 'many-code' and text like '%is wide%'")"

# Twenty files one after another in the same transaction wait for nobody either: different documents never block each other.
sql "$database" -c "begin; select count(*) from codecite.ingest($(code open), 'many-code', filename => 'open.md'); select pg_sleep(4); commit" >/dev/null &
sleep 1
started="$(milliseconds)"
sql "$database" -c "select count(*) from codecite.ingest($(code meanwhile), 'many-code', filename => 'meanwhile.md')" >/dev/null
check_at_most "another document does not wait for an open transaction" 2500 $(($(milliseconds) - started))
wait

# Several sessions fill in embeddings together: each chunk once, none left.
sql "$database" -c "select count(*) from codecite.ingest($(code pending), 'pending-code', filename => 'pending.md', embed => false)" >/dev/null
for n in 1 2 3 4; do sql "$database" -c "call codecite.embed_pending(batch => 10)" >"$work/pending.$n" 2>&1 & done
wait
check "embed_pending in four sessions" "" "$(cat "$work"/pending.*)"
check "nothing is left" 0 "$(sql "$database" -c "select pending from codecite.models()")"

# Dropping while others search: an answer or none, never an error.
for _ in $(seq 1 20); do sql "$database" -c "select count(*) from codecite.search('Door 7 is wide', k => 3)"; done >"$work/searching" 2>&1 &
sql "$database" -c "select codecite.drop_corpus('many-code')" >/dev/null
wait
check "searches go on" "" "$(grep -vE '^[1-9][0-9]*$' "$work/searching")"
finished=yes
