"""Numbers, parents, titles and pages of sections."""

from .numbers import canonical, fold, names, ratio

# The product's kinds, and what gold calls them besides.
ALIASES = {"advisory": "note", "notes": "note", "subclause": "clause", "subsection": "section", "title": "part",
           "subpart": "part", "requirement": "section", "regulation": "section"}


def matched(gold, product):
    """Pairs of gold rows and product rows: each product row once, in order where a number repeats."""
    free = {}
    for row in product:
        free.setdefault(row["key"], []).append(row)
    pairs, missing = [], []
    for row in gold:
        for name in names(row):
            rows = free.get(name)
            if rows:
                same_file = [r for r in rows if not row.get("file") or r["file"] == row["file"]] or rows
                rows.remove(same_file[0])
                pairs.append((row, same_file[0]))
                break
        else:
            missing.append(row)
    return pairs, missing


def title_right(gold, product):
    """None where there is nothing to compare: clauses and sentences have no title; gold quotes how they begin."""
    title = (gold.get("title") or "").rstrip()
    no_title = gold.get("kind") in ("clause", "subclause", "sentence") and product["title"] is None
    if not title or no_title or title.endswith("…"):
        return None
    return fold(title) == fold(product["title"])


def parent_right(gold, product, known):
    """`known` says under which names the row of a number may be found: the parent `3` is `Part 3`."""
    if not gold.get("parent"):
        return None
    wanted, got = canonical(gold["parent"]), canonical(product["parent_number"])
    return got in (wanted, wanted.split("-h")[-1], *known.get(wanted, []))


def annotated(sections, bulletins):
    """The product's rows that gold describes: of bulletins at the end it tells only the numbers."""
    first = next((at for at, row in enumerate(sections) if row["key"] in bulletins), len(sections))
    return [row for at, row in enumerate(sections) if at < first or row["key"] in bulletins]


def score(gold, omitted, texts, misses):
    """The cells of the table: recall and precision of numbers, parents, titles, pages. `omitted` are the numbers of
    headings that gold should have."""
    gold = [row for row in gold if row.get("number")]
    # A number that occurs only in an instruction is neither missing nor spurious.
    known = {n for row in gold for n in names(row)}
    parts = {canonical(row["number"]): names(row) for row in gold if row.get("kind") in ("part", "title")}
    gold = [row for row in gold if not row.get("instruction_only")]
    told = {canonical(row["number"]) for row in gold if row.get("part") == "administrative-bulletins"}
    product = [row for text in texts for row in annotated(text.sections, told) if row["number"]]
    pairs, missing = matched(gold, product)
    false = [row for row in product if row["key"] not in known | omitted]
    seen = {row["key"] for row in product}
    misses += [f"missing {row['number']}{' (once more)' if canonical(row['number']) in seen else ''}" for row in missing]
    misses += [f"not in gold {row['number']} ({row['kind']})" for row in false]
    checks = {
        "parent": lambda row, mine: (parent_right(row, mine, parts), row.get("parent"), mine["parent_number"]),
        "title": lambda row, mine: (title_right(row, mine), row.get("title"), mine["title"]),
        "page": lambda row, mine: (row["page"] == mine["page"] if row.get("page") else None,
                                   row.get("page"), mine["page"]),
    }
    shares = []
    for what, check in checks.items():
        results = [(row, *check(row, mine)) for row, mine in pairs]
        results = [result for result in results if result[1] is not None]
        misses += [f"{what} of {row['number']}: {wanted!r} got {got!r}" for row, right, wanted, got in results if not right]
        shares.append(ratio(sum(right for _, right, _, _ in results), len(results)))
    numbers = f"{ratio(len(pairs), len(gold))}/{ratio(len(product) - len(false), len(product))}"
    return [numbers, *shares]
