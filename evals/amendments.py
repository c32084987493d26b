#!/usr/bin/env python3
"""Scores the operations that are read from amending documents against gold: verb and target of each instruction.

usage: amendments.py [--misses]

Needs the command `read` (an example of codecite_core; READ names it) and the folder with the real codes and their gold
(CODECITE_SHARED, default ../shared).
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
AMENDING = {"sf-bc-2022": ["san_francisco/san_francisco-ca-1.txt"]}


def canonical(number):
    """A number as it is compared: without the words Chapter and Section, white space, case, last dot."""
    text = re.sub(r"^(chapter|section)\s+", "", str(number).strip().lower())
    return re.sub(r"\s+", " ", text).strip(" .")


def gold_operations(name):
    """Each gold instruction as a set of (verb, number); an instruction that stands with several rows counts with each."""
    for line in open(os.path.join(SHARED, "golden", f"{name}.structure.jsonl"), encoding="utf-8"):
        row = json.loads(line)
        for one in row.get("instruction") or []:
            target = str(one["target"]).split(":")[0]
            numbers = [canonical(part) for part in re.split(r",\s*(?=\d)", target)]
            yield row, one, [(one["verb"], number) for number in numbers]


def main():
    show = "--misses" in sys.argv
    if not os.path.isdir(SHARED):
        print(f"SKIPPED: the real codes are not at {SHARED}")
        return
    for name, files in AMENDING.items():
        product = set()
        for file in files:
            run = subprocess.run([READ, os.path.join(SHARED, "corpora", file), "operations"],
                                 capture_output=True, text=True, check=True)
            for line in run.stdout.splitlines():
                row = json.loads(line)
                product.add((row["verb"], canonical(row["target"]), row["status"]))
        found = {(verb, target) for verb, target, _ in product}
        clear = {(verb, target) for verb, target, status in product if status == "clear"}
        gold, seen, right = [], set(), 0
        for row, one, operations in gold_operations(name):
            key = (tuple(operations), one["line"])
            if key in seen:
                continue
            seen.add(key)
            gold += operations
            if all(operation in found for operation in operations):
                right += 1
            elif show:
                print(f"  not read: {operations} line {one['line']}: {one['text'][:90]}")
        known = set(gold)
        targets = {target for _, target in known}
        wrong = sorted(f"{verb} {target}" for verb, target in clear if target not in targets)
        if show:
            for item in wrong:
                print(f"  target not in gold: {item}")
        print(f"{name:14} {right} of {len(seen)} instructions right ({right / len(seen):.3f}); "
              f"{len(clear)} clear operations, {len(wrong)} on a target that no gold instruction names")


if __name__ == "__main__":
    main()
