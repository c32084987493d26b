#!/usr/bin/env python3
"""Compares what the DOCX reader makes of a file with an independent walk through its XML.

    docx.py FILE [--read PROGRAM] [--tracked GOLD] [--tables GOLD] [--structure GOLD]

The walk knows nothing but `w:t`, `w:delText`, deletions and table cells. Printed are, over the characters that
are neither space nor hyphen: recall (characters of the accepted view that are in the text or beside it),
precision (characters of the text that are in the accepted view; automatic numbers and marks of notes are in the
text only, and are seen as `extra`) and order (the longest common part of both). Needs lxml. Exit status 1 when one
is below its gate.
"""

import argparse
import collections
import difflib
import json
import re
import subprocess
import sys
import zipfile

from lxml import etree

RECALL, PRECISION, ORDER = 0.999, 0.995, 0.995
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def accepted(root):
    """The texts of the accepted view, paragraph by paragraph, in document order."""
    out, current = [], []
    stack = [(root, False)]
    while stack:
        node, leaving = stack.pop()
        name = node.tag if isinstance(node.tag, str) else ""
        name = name.replace(STRICT, W)
        if leaving:
            if name == W + "p" and not mark_deleted(node):
                out.append("".join(current))
                current = []
            continue
        if name in (W + "del", W + "moveFrom", W + "instrText", W + "delInstrText", FALLBACK):
            continue
        if name == W + "tr" and node.find(f"{W}trPr/{W}del") is not None:
            continue
        if name == W + "t":
            current.append(node.text or "")
        elif name in (W + "tab", W + "br", W + "cr") and node.getparent().tag == W + "r":
            current.append(" ")
        elif name == W + "noBreakHyphen":
            current.append("-")
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(node))
    out.append("".join(current))
    return [text for text in out if text.strip()]


def mark_deleted(paragraph):
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    return mark is not None and any(mark.find(W + name) is not None for name in ("del", "moveFrom"))


def plain(text):
    return re.sub(r"[\s\u00a0\u00ad\u2011\u200b-]", "", text)


def read(program, path):
    lines = subprocess.run([program, path, "blocks"], check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in lines.splitlines()]
    return ([r for r in rows if "kind" in r and "text" in r], [r for r in rows if "furniture" in r])


def block_text(block):
    """The words of a block; a table's cells without the bars around them."""
    if block["table"] is None:
        return block["text"]
    return " ".join(cell["text"] for cell in block["table"]["cells"])


def common(a, b):
    """The length of the common subsequence of words that difflib finds; what is alike at both ends counts first."""
    start = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    total = sum(map(len, a[:start]))
    a, b = a[start:], b[start:]
    end = next((i for i, (x, y) in enumerate(zip(reversed(a), reversed(b))) if x != y), min(len(a), len(b)))
    total += sum(map(len, a[len(a) - end :]))
    a, b = a[: len(a) - end], b[: len(b) - end]
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            total += sum(map(len, a[a1:a2]))
        elif tag == "replace":
            left, right = "".join(a[a1:a2]), "".join(b[b1:b2])
            inner = difflib.SequenceMatcher(None, left, right, autojunk=False)
            total += sum(block.size for block in inner.get_matching_blocks())
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--read", default="target/debug/examples/read")
    parser.add_argument("--tracked")
    parser.add_argument("--tables")
    parser.add_argument("--structure")
    options = parser.parse_args()
    with zipfile.ZipFile(options.file) as package:
        root = etree.fromstring(package.read("word/document.xml"), etree.XMLParser(huge_tree=True))
    truth = [plain(text) for text in accepted(root)]
    blocks, furniture = read(options.read, options.file)
    main_blocks = [block for block in blocks if block["kind"] != "footnote"]
    ours = [plain(block_text(block)) for block in main_blocks]

    want = collections.Counter("".join(truth))
    have = collections.Counter("".join(ours))
    beside = collections.Counter(plain("".join(piece["furniture"] for piece in furniture)))
    missing = want - have - beside
    extra = have - want
    recall = 1 - sum(missing.values()) / max(1, sum(want.values()))
    precision = 1 - sum(extra.values()) / max(1, sum(have.values()))
    # By words, so that a table that is one block here and many paragraphs there can be compared.
    words = [w for text in accepted(root) for w in text.replace("\u00a0", " ").split() if plain(w)]
    our_words = [w for block in main_blocks for w in block_text(block).split() if plain(w)]
    order = common([plain(w) for w in words], [plain(w) for w in our_words]) / max(1, sum(want.values()))
    print(f"characters {sum(want.values())}, recall {recall:.5f}, precision {precision:.5f}, order {order:.5f}")
    print(f"missing {dict(missing.most_common(8))}, extra {dict(extra.most_common(8))}")
    failed = recall < RECALL or precision < PRECISION or order < ORDER
    if options.tracked:
        failed |= tracked(options.tracked, blocks)
    if options.tables:
        failed |= tables(options.tables, blocks)
    if options.structure:
        structure(options.structure, blocks)
    return int(failed)


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def tracked(path, blocks):
    text = plain("\n".join(block_text(block) for block in blocks))
    examples = [row for row in rows_of(path) if row["type"] == "example"]
    wrong = [row["number"] for row in examples if plain(row["final"]) not in text]
    print(f"tracked sentences {len(examples) - len(wrong)}/{len(examples)}; wrong: {wrong}")
    return bool(wrong)


def tables(path, blocks):
    golden = rows_of(path)
    ours = [(index, block["table"]) for index, block in enumerate(blocks) if block["table"]]
    right, cells, right_cells, shape, heads = 0, 0, 0, 0, 0
    for gold, (index, table) in zip(golden, ours):
        at = {(cell["row"], cell["column"]): cell["text"] for cell in table["cells"]}
        good = [plain(at.get((cell["row"], cell["col"]), "")) == plain(cell["text"]) for cell in gold["cells"]]
        cells += len(good)
        right_cells += sum(good)
        right += all(good)
        same = (table["rows"], table["columns"]) == (gold["rows"], gold["cols"])
        shape += same
        heads += table["header_rows"] == gold["header_rows"]
        if not all(good) or not same:
            print(f"  {gold['number']}: {table['rows']}x{table['columns']}, gold {gold['rows']}x{gold['cols']}, cells {good}")
    print(
        f"tables {len(ours)} of {len(golden)}; all cells right {right}; cells {right_cells}/{cells};"
        f" shape {shape}; header rows {heads}"
    )
    return len(ours) != len(golden) or right_cells < cells


def structure(path, blocks):
    """How many of the numbered parts' first words stand at the beginning of a block."""
    starts = collections.Counter()
    for block in blocks:
        starts[plain(block["text"])[:400]] += 1
    texts = "\n".join(starts)
    rows = [row for row in rows_of(path) if row.get("title") and row["kind"] in ("article", "sentence", "clause")]
    found = sum(plain(row["title"].rstrip("…").strip())[:60] in texts for row in rows)
    print(f"first words of articles, sentences and clauses found: {found}/{len(rows)}")


if __name__ == "__main__":
    sys.exit(main())
