"""Exceptions: the right count in each section that gold lists, those with none included."""

from .numbers import canonical, ratio


def score(gold, texts, misses):
    if not gold:
        return "-"
    right = 0
    for row in gold:
        mine = sections_of(row, texts)
        # A number that stands twice, each with exceptions of its own: any of them.
        counts = [sum(part["kind"] == "exception" for part in section["parts"]) for section in mine]
        good = row["count"] in counts or row["count"] == 0 and not mine
        right += good
        if not good:
            misses.append(f"exceptions of {row['section']}: {row['count']} got {counts}")
    return ratio(right, len(gold))


def sections_of(row, texts):
    """The sections with the row's number or, where gold goes deeper than the product, its pinpoint."""
    wanted = canonical(row["section"])
    same = [section for text in texts for section in text.sections
            if section["key"] == wanted and section["nested"] is None and row.get("file", text.file) == text.file]
    return same
