#!/usr/bin/env python3
"""Finds the tables of the gold files in what our reader makes of the PDFs: caption, size, sample cells.

usage: pdf_tables.py [-v]      (CODECITE_SHARED overrides ../shared)
"""

import json
import os
import sys
from pathlib import Path

import measure

FILES = {
    "nyc-title-28": "nyc_title_28",
    "cfr-28-36-pdf": "us_doj_ada/title-iii-2010-regulations.pdf",
    "uk-adb1": "uk_approved_documents/Approved_Document_B_vol_1-Content.pdf",
    "uk-adh": "uk_approved_documents/Approved_Document_H.pdf",
}


def squeeze(text):
    return "".join(c for c in measure.fold(text or "") if not c.isspace() and c.isprintable()).casefold()


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def grid(table):
    return {(cell["row"], cell["column"]): squeeze(cell["text"]) for cell in table["cells"]}


def find(gold, blocks):
    """The table with the gold's caption near its page; else the one that has its cells."""
    page = int(str(gold["page"]).split("-")[0])
    near = [block for block in blocks if block["pages"][0] - 1 <= page <= block["pages"][1] + 1]
    number, caption = squeeze(gold.get("number")), squeeze(gold.get("caption"))

    def score(block):
        own = squeeze(block["table"]["caption"])
        text = "".join(squeeze(cell["text"]) for cell in block["table"]["cells"])
        points = 4 * bool(number and own.startswith(number)) + 2 * bool(caption and caption in own)
        cells = gold.get("sample_cells") or gold.get("cells") or []
        return points + sum(squeeze(cell["text"]) in text for cell in cells)

    best = max(near, key=score, default=None)
    return best if best and score(best) else None


def judge(gold, block):
    """(right cells, cells, remarks) of one gold row."""
    cells = gold.get("sample_cells") or gold.get("cells") or []
    if block is None:
        return 0, len(cells), ["no table"]
    table, remarks = block["table"], []
    have = grid(table)
    caption = squeeze(gold.get("caption") or gold.get("title") or gold.get("number"))
    if caption and caption not in squeeze(table["caption"]):
        remarks.append(f"caption {table['caption']!r}")
    for key, expected in (("rows", gold.get("rows")), ("columns", gold.get("cols"))):
        value = table[key] - (table["header_rows"] if key == "rows" else 0)
        if expected not in (None, value):
            remarks.append(f"{key} {value}, not {expected}")
    right = 0
    for cell in cells:
        place = (cell["row"] - 1 + table["header_rows"], cell["col"] - 1)
        if have.get(place) == squeeze(cell["text"]):
            right += 1
        else:
            found = [at for at, text in have.items() if text == squeeze(cell["text"])]
            remarks.append(f"cell {place} is {have.get(place)!r}, not {cell['text']!r} (found at {found})")
    return right, len(cells), remarks


def main():
    shared = Path(os.environ.get("CODECITE_SHARED", measure.ROOT.parent / "shared"))
    if not shared.is_dir():
        print(f"SKIPPED: no {shared} (set CODECITE_SHARED)")
        return 0
    total = [0, 0]
    for name, place in FILES.items():
        gold_file = shared / "golden" / f"{name}.tables.jsonl"
        if gold_file.exists():
            gold = rows_of(gold_file)
        else:
            gold = rows_of(shared / "golden" / f"{name}.structure.jsonl")
            gold = [row for row in gold if row.get("kind") == "table"]
        readings, found = {}, 0
        for row in gold:
            path = shared / "corpora" / place
            path = path / row["file"] if path.is_dir() else path
            reading = readings.setdefault(path, measure.read(path) if path not in readings else None)
            block = find(row, reading.tables)
            right, cells, remarks = judge(row, block)
            total[0] += right
            total[1] += cells
            found += block is not None
            label = row.get("number") or row.get("caption")
            if remarks:
                print(f"{name} page {row['page']} {label}: {'; '.join(remarks)}")
        print(f"{name}: {found} of {len(gold)} tables found")
        for path, reading in readings.items():
            print(f"  {path.name}: {len(reading.tables)} tables read")
    print(f"gold cells at their place: {total[0]} of {total[1]}")
    return 0 if total[0] >= 0.95 * total[1] else 1


if __name__ == "__main__":
    sys.exit(main())
