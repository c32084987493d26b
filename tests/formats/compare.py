#!/usr/bin/env python3
"""What differs between two outputs of `read FILE tree`: sections, exceptions, tables, definitions and texts.

    read samples/model-building-code.md tree > gold.jsonl
    read samples/model-building-code.pdf tree > pdf.jsonl
    tests/formats/compare.py gold.jsonl pdf.jsonl

White space is folded; nothing else is. Exit status 1 when something differs.
"""

import difflib
import json
import sys
from collections import Counter


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare.py GOLD OTHER")
    gold, other = (sections(path) for path in sys.argv[1:])
    differences = list(compare(gold, other))
    for line in differences:
        print(line)
    counts = Counter(line.split(":", 1)[0] for line in differences)
    summary = ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "none"
    print(f"{len(gold)} sections, {len(other)} in the other; differences: {summary}", file=sys.stderr)
    sys.exit(1 if differences else 0)


def sections(path):
    """The sections of a file by a name that stays the same in every format: number and how often it came before."""
    found = {}
    seen = Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            section = json.loads(line)
            if "warning" in section:
                continue
            number = section["number"] or section["title"] or section["kind"]
            seen[number] += 1
            found[number if seen[number] == 1 else f"{number} #{seen[number]}"] = section
    return found


def compare(gold, other):
    yield from sequences("section", list(gold), list(other))
    for name, expected in gold.items():
        got = other.get(name)
        if not got:
            continue
        for key in ("title", "kind", "parent_number", "owner_number"):
            if expected[key] != got[key]:
                yield f"{key}: {name}: {expected[key]!r} != {got[key]!r}"
        for kind in ("exception", "definition"):
            yield from parts(name, kind, expected, got)
        yield from table(name, expected["table"], got["table"])
        if fold(expected["text"]) != fold(got["text"]):
            yield f"text: {name}: {change(fold(expected['text']), fold(got['text']))}"


def sequences(what, expected, got):
    """Entries that are missing, new or in another order."""
    matcher = difflib.SequenceMatcher(None, expected, got, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield f"{what}: {expected[a:b]} != {got[c:d]} after {expected[a - 1] if a else 'the start'}"


def parts(name, kind, expected, got):
    one, two = ({p["locator"]: fold(p["text"]) for p in s["parts"] if p["kind"] == kind} for s in (expected, got))
    yield from sequences(f"{kind}: {name}", list(one), list(two))
    for locator, text in one.items():
        if locator in two and two[locator] != text:
            yield f"{kind}: {name} {locator}: {change(text, two[locator])}"


def table(name, expected, got):
    if not expected and not got:
        return
    if not expected or not got:
        yield f"table: {name}: {'only in the other' if got else 'missing'}"
        return
    for key in ("header_rows", "rows", "columns"):
        if expected[key] != got[key]:
            yield f"table: {name}: {key} {expected[key]} != {got[key]}"
    one, two = ({(c["row"], c["column"]): c["text"] for c in t["cells"]} for t in (expected, got))
    for place in sorted(one.keys() | two.keys()):
        if fold(one.get(place, "")) != fold(two.get(place, "")):
            yield f"table: {name}: cell {place} {one.get(place)!r} != {two.get(place)!r}"


def fold(text):
    return " ".join((text or "").split())


def change(one, two):
    """The first place in which two texts differ, with a little around it."""
    at = next((i for i, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
    start = max(0, at - 40)
    return f"{one[start : at + 60]!r} != {two[start : at + 60]!r}"


if __name__ == "__main__":
    main()
