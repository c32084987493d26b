"""Tables: number and owner."""

from .numbers import canonical, ratio


def score(gold, texts, misses):
    if not gold:
        return "-"
    free = [section for text in texts for section in text.sections if section["kind"] == "table"]
    right = 0
    for row in gold:
        number = canonical(row.get("number"))
        wanted = canonical(row.get("owner", row.get("owner_section")))
        same = [table for table in free if table["key"] == number
                and row.get("file", table["file"]) == table["file"]]
        fitting = [table for table in same if canonical(table["parent_number"]) == wanted]
        if fitting:
            right += 1
            free.remove(fitting[0])
        else:
            owners = sorted({table["parent_number"] or "-" for table in same})[:8]
            misses.append(f"table {row.get('number')} of {wanted or '-'} ({row.get('caption') or 'no caption'}): "
                          f"owners of that number {owners}")
    return ratio(right, len(gold))
