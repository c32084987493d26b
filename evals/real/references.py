"""References, compared as sets for each paragraph that gold lists.

A reference is a number, the end of its range, and whether it is to another work. What gold calls external without a
number of its own form, and the other forms of a name that the profile keeps, are neither asked for nor held against.
"""

import re

from .numbers import canonical, ratio, squeeze

# Gold cannot tell whether these are the document's own: the amended code prints only what it changes.
EITHER = re.compile(r"unamended|state text")


def score(gold, texts, misses):
    if not gold:
        return "-"
    found = wanted_count = right = mine_count = 0
    for row in gold:
        place = paragraph(row, texts)
        if place is None:
            misses.append(f"references of {row['section']}: paragraph not found")
            wanted_count += len(wanted(row))
            continue
        asked = wanted(row)
        mine = product(*place)
        allowed = also(row)
        hits = {ref for ref in asked if any(same(ref, other) for other in mine)}
        false = {other for other in mine if not any(same(ref, other) for ref in asked) and other[0] not in allowed
                 and not (other[2] and is_loose(row))}
        found += len(hits)
        wanted_count += len(asked)
        mine_count += len({other for other in mine if not (other[2] and is_loose(row)) and other[0] not in allowed})
        right += len({other for other in mine if any(same(ref, other) for ref in asked)})
        where = f"{row['section']} line {row.get('line')} page {row.get('page')}"
        misses += [f"reference missing in {where}: {show(ref)}" for ref in sorted(asked - hits, key=str)]
        misses += [f"no reference in {where}: {show(ref)}" for ref in sorted(false, key=str)]
    right = min(right, mine_count)
    return f"{ratio(found, wanted_count)}/{ratio(right, mine_count)}"


def show(ref):
    number, through, other = ref
    return number + (f" to {through}" if through else "") + (" (another work)" if other else "")


def same(ref, mine):
    return ref[:2] == mine[:2] and (ref[2] is None or ref[2] == mine[2])


def is_loose(row):
    """Rows whose external references are prose or belong to a list of their own."""
    return "paragraph_start" not in row


def wanted(row):
    refs = set()
    for ref in row["refs"]:
        if isinstance(ref, str):
            refs.add((canonical(ref), "", False))
            continue
        kind = ref.get("type", "section")
        label = "" if kind in ("section", "chapter", "article") else f"{kind} "
        other = ref.get("doc", "self") != "self"
        if EITHER.search(ref.get("doc", "")):
            other = None
        start, end = ref.get("target", ref.get("from")), ref.get("to")
        if ref.get("spelled_out"):
            continue
        name = lambda number: canonical(number if number.lower().startswith(label) else label + number)
        refs.add((name(start), name(end) if end else "", other))
    return refs


def also(row):
    """Numbers that may be found besides: spelled out, the ADA standards' own in the regulation, exceptions."""
    refs = [ref["target"] for ref in row["refs"] if isinstance(ref, dict) and ref.get("spelled_out")]
    for extra in row.get("ada_refs", []) + row.get("exception_refs", []):
        refs += [extra] if isinstance(extra, str) else [str(value) for value in extra.values()]
    return {canonical(ref) for ref in refs}


def product(text, start, end):
    """References of a stretch of bytes: a range is one, as gold counts it."""
    refs = set()
    for section in text.sections:
        before = None
        for ref in section["references"]:
            ends_range = before is not None and before["through"] == ref["number"]
            before = ref
            if start <= ref["start"] < end and not ends_range:
                refs.add((canonical(ref["number"]), canonical(ref["through"]), ref["source"] is not None))
    return refs


def paragraph(row, texts):
    """The text and the bytes of the paragraph that begins as the row says, preferably in its section."""
    starts, _ = squeeze(row.get("starts") or row["text"][:80])
    whole, _ = squeeze(row.get("text", ""))
    choices = []
    for text in texts:
        if row.get("file", text.file) != text.file:
            continue
        letters, offsets = squeezed(text)
        at = letters.find(starts)
        while at >= 0:
            first = offsets[at]
            alike = bool(whole) and letters.startswith(whole[:600], at)
            if whole and letters.startswith(whole[:200], at):
                last = offsets[min(at + len(whole), len(offsets)) - 1] + 1
                # What the last word is followed by: "36.304(c)".
                last = re.compile(r"\S*").match(text.text, last).end()
            else:
                last = text.text.find("\n", first)
                last = len(text.text) if last < 0 else last
            start, end = (len(text.text[:offset].encode()) for offset in (first, last))
            choices.append((alike + in_section(text, row, start), text, start, end))
            at = letters.find(starts, at + 1)
            if len(choices) > 40:
                break
    if not choices:
        return None
    return max(choices, key=lambda choice: choice[0])[1:]


def in_section(text, row, at):
    own = next((s for s in text.sections if s["start"] <= at < s["end"] and s["nested"] is None), None)
    wanted = canonical(row["section"])
    return bool(own) and (own["key"] == wanted) * 2 + (own["key"].startswith(wanted) or wanted.startswith(own["key"]))


def squeezed(text):
    if not hasattr(text, "squeezed"):
        text.squeezed = squeeze(text.text)
    return text.squeezed
