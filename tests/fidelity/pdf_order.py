#!/usr/bin/env python3
"""Checks the reading order of the gold pages and column breaks of Approved Document H.

usage: pdf_order.py      (CODECITE_SHARED overrides ../shared)
"""

import json
import os
import sys
from pathlib import Path

import measure


def squeeze(text):
    return "".join(measure.fold(text).split())


def headed(row, reading, whole):
    """Where the next clause follows, its unnumbered heading stands between."""
    if row["join"] != "next-clause":
        return False
    before, after = squeeze(row["before"]), squeeze(row["after"])
    return any(before + squeeze(block["text"]) + after in whole for block in reading.blocks if len(block["text"]) < 80)


def main():
    shared = Path(os.environ.get("CODECITE_SHARED", measure.ROOT.parent / "shared"))
    gold = shared / "golden" / "uk-adh.readingorder.jsonl"
    if not gold.exists():
        print(f"SKIPPED: no {gold} (set CODECITE_SHARED)")
        return 0
    reading = measure.read(shared / "corpora/uk_approved_documents/Approved_Document_H.pdf")
    whole = squeeze(reading.text())
    counts = {"page": [0, 0], "break": [0, 0]}
    for line in gold.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["type"] == "page":
            blocks = [block for block in reading.blocks if block["pages"][0] == row["page"]]
            heads = [block["text"].split(" ")[0] for block in blocks if not block["table"]]
            seen = [head for head in heads if head in row["clauses"]]
            good = seen == row["clauses"]
            remark = f"page {row['page']}: {seen} is not {row['clauses']}"
        else:
            good = squeeze(row["before"] + row["after"]) in whole or headed(row, reading, whole)
            at = whole.find(squeeze(row["before"]))
            follows = whole[at : at + 160] if at >= 0 else "not found"
            remark = f"page {row['page']}: {row['before']!r} / {row['after']!r}: {follows}"
        counts[row["type"]][0] += good
        counts[row["type"]][1] += 1
        if not good:
            print(remark)
    print({kind: f"{good} of {all_}" for kind, (good, all_) in counts.items()})
    return 0 if all(good == all_ for good, all_ in counts.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
