"""How numbers and texts are compared."""

import re


def canonical(number):
    """A number without §, the words Chapter, Article, Section and Clause, white space, case, last dot."""
    text = str(number or "").replace("§", "").replace("\u00a0", " ").strip().lower()
    text = re.sub(r"^(chapter|article|section|clause)\s+", "", text)
    return re.sub(r"\s+", " ", text).strip(" .")


def fold(text):
    """Words in lower case, nothing else."""
    return re.sub(r"[\W_]+", " ", (text or "").lower()).strip()


def squeeze(text):
    """The letters and digits of a text, and for each the offset in it."""
    kept, offsets = [], []
    for at, char in enumerate(text.lower()):
        if char.isalnum():
            kept.append(char)
            offsets.append(at)
    return "".join(kept), offsets


def names(row):
    """All numbers under which a gold row may be found."""
    keys = ["id", "number", "alias", "raw"] + (["label"] if row.get("kind") in ("part", "title") else [])
    return [canonical(row[key]) for key in keys if row.get(key)]


def ratio(part, whole):
    return "-" if not whole else f"{part / whole:.3f}"
