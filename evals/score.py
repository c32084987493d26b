#!/usr/bin/env python3
"""Scores golden files against what a codecite database answers, through psql.

usage: score.py structure CORPUS GOLD.jsonl
       score.py questions FILE.yaml [--mode hybrid|lexical|vector] [--misses] [--split dev|test]
       score.py editions CORPUS_A CORPUS_B GOLD.jsonl
       score.py mean               (of the lines of `questions` on standard input, each set counted once)
       score.py gate NAME=VALUE…   (reads the last line of `questions` from standard input)

Connection: the libpq variables. How things count is in evals/README.md.
"""

import json
import os
import re
import subprocess
import sys

PSQL = os.path.join(os.environ.get("PG_BINDIR", ""), "psql")
KINDS = {"chapter", "article", "section", "appendix", "clause", "sentence"}


def query(sql, variables=None):
    """Runs a query that returns one JSON value."""
    command = [PSQL, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    for name, value in (variables or {}).items():
        command += ["-v", f"{name}={value}"]
    result = subprocess.run(command, input=sql, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"psql: {result.stderr.strip()}")
    return json.loads(result.stdout or "null")


def canonical(number):
    """A number as it is compared: no label of chapter, article or section, no mark, no case, no white space."""
    text = str(number or "").replace("§", "").strip().lower()
    text = re.sub(r"^(chapter|article|section|clause)\s+", "", text)
    return re.sub(r"\s+", " ", text).rstrip(".")


def structure(corpus, path):
    """Recall and precision of section numbers, page and title right."""
    gold = [json.loads(line) for line in open(path, encoding="utf-8")]
    gold = [row for row in gold if row.get("number") and not row.get("instruction_only")]
    rows = query(
        "SELECT json_agg(json_build_object('number', s.number, 'title', s.title, 'kind', s.kind, 'page', s.page_from,"
        " 'file', d.filename)) FROM codecite.section s JOIN codecite.document d ON d.id = s.document_id"
        " JOIN codecite.corpus c ON c.id = d.corpus_id WHERE c.name = :'corpus' AND s.number IS NOT NULL;",
        {"corpus": corpus},
    ) or []
    found = {}
    for row in rows:
        found.setdefault(canonical(row["number"]), []).append(row)
    wanted = [row for row in gold if row.get("kind") in KINDS]
    known = {canonical(row.get(key)) for row in gold for key in ("number", "alias", "raw", "id")}
    hits = [row for row in wanted if any(canonical(row.get(key)) in found for key in ("number", "alias", "raw") if row.get(key))]
    sections = [row for row in rows if row["kind"] in KINDS]
    right = [row for row in sections if canonical(row["number"]) in known]
    fold = lambda text: re.sub(r"\W+", " ", (text or "").lower()).strip()
    paged = titled = pages = titles = 0
    for row in hits:
        mine = found.get(canonical(row["number"]), [])
        if row.get("page"):
            pages += 1
            paged += any(m["page"] == row["page"] for m in mine)
        if row.get("title"):
            titles += 1
            titled += any(fold(m["title"]) == fold(row["title"]) for m in mine)
    ratio = lambda part, whole: f"{part / whole:.4f} ({part}/{whole})" if whole else "-"
    print(f"{corpus}: section numbers recall {ratio(len(hits), len(wanted))}, precision {ratio(len(right), len(sections))}, "
          f"page {ratio(paged, pages)}, title {ratio(titled, titles)}")
    missing = [row["number"] for row in wanted if row not in hits]
    extra = [row["number"] for row in sections if row not in right]
    if missing:
        print("  missing:", ", ".join(missing[:20]))
    if extra:
        print("  not in gold:", ", ".join(extra[:20]))


def editions(corpus_a, corpus_b, path):
    """Sections that changed between two editions, and those of which only the annotations did."""
    gold = [json.loads(line) for line in open(path, encoding="utf-8")]
    rows = query(
        "SELECT json_agg(json_build_object('change', change, 'number', COALESCE(number_b, number_a)))"
        " FROM codecite.compare(:'a', :'b');",
        {"a": corpus_a, "b": corpus_b},
    ) or []
    for change, is_it in (("law", lambda name: name != "annotation"), ("annotation", lambda name: name == "annotation")):
        wanted = {canonical(row["number"]) for row in gold if is_it(row["change"])}
        found = {canonical(row["number"]) for row in rows if is_it(row["change"])}
        print(f"{corpus_a} to {corpus_b}, {change}: {len(wanted & found)} of {len(wanted)} found, {len(found - wanted)} not in gold")
        if wanted != found:
            print("  missing:", sorted(wanted - found)[:20], "not in gold:", sorted(found - wanted)[:20])


def credit(number, expected):
    """1 for an expected number, .5 for an ancestor or descendant of one."""
    best = 0.0
    mine = canonical(number)
    for other in map(canonical, expected):
        if mine == other:
            return 1.0
        shorter, longer = sorted((mine, other), key=len)
        if shorter and longer != shorter and longer.startswith(shorter) and longer[len(shorter)] in ".(-:":
            best = 0.5
    return best


def squeeze(text):
    return re.sub(r"[\s\-­|]+", "", text or "").lower()


def questions(path, mode="hybrid", misses=False, split=None):
    """hit@1/3/5, MRR, kind@5, quote@5, abstain and false abstain."""
    import yaml

    rows = yaml.safe_load(open(path, encoding="utf-8"))
    rows = [row for row in rows if split is None or row.get("split") == split]
    answers = query(
        """
        SELECT json_object_agg(q.id, (
            SELECT json_agg(json_build_object('rank', s.rank, 'number', s.number, 'kinds', s.kinds, 'body', s.body,
                                              'coverage', s.coverage, 'note', s.coverage_note, 'title', s.title))
            FROM codecite.search(q.question, ARRAY[q.corpus], 10, mode => :'mode') s))
        FROM json_to_recordset(:'questions') q(id text, question text, corpus text);""",
        {
            "mode": mode,
            "questions": json.dumps([{"id": str(row["id"]), "question": row["question"], "corpus": row["corpus"]} for row in rows]),
        },
    )
    totals = {"hit@1": 0.0, "hit@3": 0.0, "hit@5": 0.0, "mrr": 0.0, "kind@5": 0.0, "quote@5": 0.0}
    answerable = negatives = abstained = falsely = 0
    missed = []
    for row in rows:
        hits = answers.get(str(row["id"])) or []
        abstains = bool(hits) and hits[0]["coverage"] == "not_covered"
        expected = row.get("expected_sections") or []
        if not expected:
            negatives += 1
            abstained += abstains
            if not abstains:
                missed.append((row["id"], "not abstained: " + (hits[0]["note"] or "covered") if hits else ""))
            continue
        answerable += 1
        falsely += abstains
        credits = [(hit["rank"], credit(hit["number"], expected)) for hit in hits]
        for k in (1, 3, 5):
            totals[f"hit@{k}"] += max([c for rank, c in credits if rank <= k], default=0.0)
        totals["mrr"] += next((c / rank for rank, c in credits if c > 0), 0.0)
        near = [hit for hit in hits if hit["rank"] <= 5]
        right = [hit for hit in near if credit(hit["number"], expected) > 0]
        kinds = row.get("expected_kinds") or []
        totals["kind@5"] += any(kind in hit["kinds"] for hit in right for kind in kinds) if kinds else bool(right)
        quote = squeeze(row.get("answer_quote"))
        totals["quote@5"] += any(quote in squeeze(hit["body"]) for hit in near) if quote else 0
        if max([c for rank, c in credits if rank <= 5], default=0.0) < 1 or abstains:
            missed.append((row["id"], f"{row['question']} -> {[h['number'] for h in hits[:5]]}, expected {expected}"
                           + (" ABSTAINED " + str(hits[0]["note"]) if abstains else "")))
    scores = {name: value / max(answerable, 1) for name, value in totals.items()}
    scores["abstain"] = abstained / negatives if negatives else 1.0
    scores["false_abstain"] = falsely / max(answerable, 1)
    if misses:
        for name, why in missed:
            print(f"  {name}: {why}")
    print(f"{os.path.basename(path)} [{mode}] n={answerable}+{negatives} " +
          " ".join(f"{name}={value:.3f}" for name, value in scores.items()))


def mean():
    """The mean of each score over the sets on standard input."""
    sets = [dict(re.findall(r"(\S+)=([0-9.]+)(?!\+)", line)) for line in sys.stdin if " n=" in line]
    names = [name for name in (sets[0] if sets else {}) if name != "n"]
    print(f"mean of {len(sets)} sets " + " ".join(f"{name}={sum(float(s[name]) for s in sets) / len(sets):.3f}" for name in names))


def gate(limits):
    """Fails when a score on standard input is under its limit."""
    last = sys.stdin.read().strip()
    print(last)
    scores = dict(re.findall(r"(\S+)=([0-9.]+)", last.splitlines()[-1] if last else ""))
    failed = [limit for limit in limits if float(scores.get(limit.split("=")[0], -1)) < float(limit.split("=")[1])]
    if failed:
        sys.exit(f"below the gate: {', '.join(failed)}")


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    options = dict(zip(sys.argv, sys.argv[1:] + [""]))
    for name in ("--mode", "--split"):
        if name in options:
            words.remove(options[name])
    if len(words) == 3 and words[0] == "structure":
        structure(words[1], words[2])
    elif len(words) == 4 and words[0] == "editions":
        editions(*words[1:])
    elif len(words) == 2 and words[0] == "questions":
        questions(words[1], options.get("--mode", "hybrid"), "--misses" in sys.argv, options.get("--split"))
    elif words == ["mean"]:
        mean()
    elif len(words) > 1 and words[0] == "gate":
        gate(words[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
