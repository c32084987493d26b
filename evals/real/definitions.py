"""Defined terms with their section. Those defined inside a sentence are counted apart."""

import re

from .numbers import canonical, fold, ratio


def is_inline(row):
    return row.get("source") == "in text" or (row.get("style") or "").startswith("inline")


def score(gold, texts, misses):
    """Recall/precision, then the recall of the inline ones."""
    if not gold:
        return ["-", "-"]
    found = [(fold(part["locator"]), section["key"]) for text in texts for section in text.sections
             for part in section["parts"] if part["kind"] == "definition"]
    # A term in the notes of a table stands in the table and in the section around it.
    tables = [(text, table) for text in texts for table in text.sections if table["kind"] == "table" and table["key"]]
    found += [(fold(part["locator"]), table["key"]) for text, table in tables
              for part in text.sections[table["nested"]]["parts"]
              if part["kind"] == "definition" and is_below_table(text, table, part)]
    open_found = set(found)
    shares = []
    for inline in (False, True):
        rows = [row for row in gold if is_inline(row) == inline]
        missing = [row for row in rows if not any(is_same(row, mine) for mine in open_found)]
        misses += [f"{'inline ' if inline else ''}term missing in {row['section']}: {row['term']!r}" for row in missing]
        shares.append((len(rows) - len(missing), len(rows)))
    # Of terms that sentences define gold lists only some.
    lists = {section["key"] for text in texts for section in text.sections
             if re.search(r"definition|terms", section["title"] or "", re.I)}
    lists |= {canonical(row["section"]) for row in gold if not is_inline(row)}
    inside = [mine for mine in found if not is_unannotated(mine[1]) and mine[1] in lists]
    false = [mine for mine in inside if not any(is_same(row, mine) for row in gold)]
    misses += [f"no term in gold: {term!r} in {section}" for term, section in false]
    (right, whole), inline = shares
    return [f"{ratio(right, whole)}/{ratio(len(inside) - len(false), len(inside))}", ratio(*inline)]


def is_below_table(text, table, part):
    """The part stands behind this table's caption and before that of the next in the same section."""
    following = [other["start"] for other in text.sections
                 if other["nested"] == table["nested"] and other["key"] and other["start"] > table["start"]]
    return table["start"] <= part["start"] < min(following, default=float("inf"))


def is_same(row, mine):
    term, section = mine
    # "Category 1 (boilers)": gold tells terms of one name apart.
    terms = [fold(row["term"]), fold(re.sub(r"\(.*?\)", "", row["term"]))] + [fold(term) for term in row.get("terms", [])]
    wanted = canonical(row["section"])
    is_below = section.startswith(wanted + "(") or wanted.startswith(section + "(") and bool(section)
    is_term = term in terms or any(term.startswith(other + " or ") for other in terms)
    return is_term and (section == wanted or is_below)


def is_unannotated(section):
    """Gold says nothing of the definitions in administrative bulletins."""
    return section.startswith("ab-")
