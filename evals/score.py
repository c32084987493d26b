#!/usr/bin/env python3
"""Scores golden files against what a codecite database answers, through psql.

usage: score.py structure CORPUS GOLD.jsonl
       score.py editions CORPUS_A CORPUS_B GOLD.jsonl

Connection: the libpq variables. Questions are asked by `codecite eval`.
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


def main():
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "structure":
        structure(*words[1:])
    elif len(words) == 4 and words[0] == "editions":
        editions(*words[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
