#!/usr/bin/env python3
"""Scores what the readers and profiles make of real codes against gold, in one table.

usage: structure.py [--misses] [NAME…]

Needs the command `read` (an example of codecite_core; READ names it) and the folder with the real codes and their gold
(CODECITE_SHARED, default ../shared). How things are compared: README.md beside this file.
"""

import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("CODECITE_SHARED", os.path.join(ROOT, "..", "shared"))
READ = os.environ.get("READ", os.path.join(ROOT, "target", "debug", "examples", "read"))

# Which files each gold file describes.
GOLD = {
    "nyc-title-28": ["nyc_title_28/nyc_title28_chapter1.pdf", "nyc_title_28/nyc_title28_chapter3.pdf"],
    "sf-bc-2022": ["san_francisco/san_francisco-ca-1.txt"],
    "ada-2010": ["us_doj_ada/2010-stds.md"],
    "cfr-28-36": ["us_doj_ada/title-iii-regulations.md"],
    "cfr-28-36-pdf": ["us_doj_ada/title-iii-2010-regulations.pdf"],
    "uk-adb1": ["uk_approved_documents/Approved_Document_B_vol_1-Content.pdf"],
    "uk-adh": ["uk_approved_documents/Approved_Document_H.pdf"],
    "ga-title-8": ["georgia_title_8/ocga_title08_r86.html"],
    "bc-part3": ["bc_building_code/NBC2020p1_Division_B_Part_3.FIN.docx"],
}
# The product's kinds, and what gold calls them besides.
ALIASES = {"advisory": "note", "notes": "note", "subclause": "clause", "subsection": "section", "title": "part", "subpart": "part",
           "requirement": "section", "regulation": "section"}


def canonical(number):
    """A number as it is compared: without §, the words Chapter, Article, Section and Clause, white space, case, last dot."""
    text = str(number or "").replace("§", "").replace("\u00a0", " ").strip().lower()
    text = re.sub(r"^(chapter|article|section|clause)\s+", "", text)
    return re.sub(r"\s+", " ", text).strip(" .")


def fold(text):
    return re.sub(r"[\W_]+", " ", (text or "").lower()).strip()


def names(row):
    keys = ["id", "number", "alias", "raw"] + (["label"] if row.get("kind") in ("part", "title") else [])
    return [canonical(row[key]) for key in keys if row.get(key)]


def tree(path, chosen):
    run = subprocess.run([READ, path, "tree"], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return None, run.stderr.strip()
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    chosen.append(run.stderr.strip())
    warnings = [row for row in rows if "warning" in row]
    rows = [row for row in rows if "warning" not in row]
    for row in rows:
        row["file"] = os.path.basename(path)
        above = row.get("parent")
        row["parent_number"] = rows[above]["number"] if above is not None else None
    return rows, warnings


def matched(gold, product):
    """Pairs of gold rows and product rows: each product row once, in order where a number repeats."""
    free = {}
    for row in product:
        free.setdefault(canonical(row["number"]), []).append(row)
    pairs, missing = [], []
    for row in gold:
        for name in names(row):
            rows = free.get(name)
            if rows:
                same_file = [r for r in rows if not row.get("file") or r["file"] == row["file"]] or rows
                pick = same_file[0]
                rows.remove(pick)
                pairs.append((row, pick))
                break
        else:
            missing.append(row)
    return pairs, missing


def title_right(gold, product):
    # Clauses and sentences have no title; gold quotes how they begin.
    if not gold.get("title") or gold.get("kind") in ("clause", "subclause", "sentence") and product["title"] is None:
        return None
    wanted, got = fold(gold["title"].rstrip("…")), fold(product["title"])
    if gold["title"].rstrip().endswith("…"):
        # The gold quotes the beginning of a clause that has no title: there is nothing to compare.
        return None
    return wanted == got


def ratio(part, whole):
    return "-" if not whole else f"{part / whole:.3f}"


def score(name, show):
    gold = [json.loads(line) for line in open(os.path.join(SHARED, "golden", f"{name}.structure.jsonl"), encoding="utf-8")]
    gold = [row for row in gold if row.get("number") and not row.get("instruction_only")]
    product, chosen = [], []
    for file in GOLD[name]:
        rows, note = tree(os.path.join(SHARED, "corpora", file), chosen)
        if rows is None:
            print(f"{name:14} {note}")
            return
        product += rows
    product = [row for row in product if row["number"]]
    known = {n for row in gold for n in names(row)}
    pairs, missing = matched(gold, product)
    false = [row for row in product if canonical(row["number"]) not in known]
    seen = {canonical(row["number"]) for row in product}
    totals = {"parent": [0, 0], "title": [0, 0], "page": [0, 0]}
    wrong = {"parent": [], "title": [], "page": []}

    def count(what, right, row, got):
        if right is None:
            return
        totals[what][1] += 1
        totals[what][0] += right
        if not right:
            wrong[what].append((row["number"], row.get(what), got))

    for row, mine in pairs:
        if row.get("parent"):
            count("parent", canonical(row["parent"]).split("-h")[-1] == canonical(mine["parent_number"]) or
                  canonical(row["parent"]) == canonical(mine["parent_number"]), row, mine["parent_number"])
        count("title", title_right(row, mine), row, mine["title"])
        count("page", row["page"] == mine["page"] if row.get("page") else None, row, mine["page"])
    kinds = {}
    for row in gold:
        kind = ALIASES.get(row["kind"], row["kind"])
        kinds.setdefault(kind, [0, 0])[1] += 1
    for row, _ in pairs:
        kinds[ALIASES.get(row["kind"], row["kind"])][0] += 1
    by_kind = " ".join(f"{kind} {found}/{whole}" for kind, (found, whole) in sorted(kinds.items()))
    print(f"{name:14} {'/'.join(sorted(set(chosen))):20} recall {ratio(len(pairs), len(gold))}  precision {ratio(len(product) - len(false), len(product))}  "
          + "  ".join(f"{what} {ratio(*totals[what])}" for what in totals) + f"   ({by_kind})")
    if show:
        print("  missing:", ", ".join(f"{r['number']}{'*' if canonical(r['number']) in seen else ''}" for r in missing[:60]))
        print("  not in gold:", ", ".join(f"{r['number']} ({r['kind']})" for r in false[:60]))
        for what, rows in wrong.items():
            print(f"  {what} wrong:", "; ".join(f"{n}: {g!r} got {m!r}" for n, g, m in rows[:12]))


def main():
    arguments = sys.argv[1:]
    show = "--misses" in arguments
    chosen = [argument for argument in arguments if not argument.startswith("-")] or list(GOLD)
    for name in chosen:
        score(name, show)


main()
