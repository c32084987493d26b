"""What a reader of ours made of a file, and how it compares with what an independent reader made of it.

Text is compared as characters (nothing lost, nothing invented) and as words in order. White space and hyphens do
not count, since line ends and de-hyphenation are a matter of judgement; ligatures are taken apart.
"""

import json
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HYPHENS = dict.fromkeys(map(ord, "-\u00ad\u2010\u2011\u2012\u2212"), None)
BULLETS = dict.fromkeys(map(ord, "\uf0b7\uf0a7\uf06c\uf06e"), "•")
CAPTION = re.compile(r"(table|figure|diagram) [A-Z]?[\d.()-]+ ?[A-Z(]", re.IGNORECASE)
# Marks that say nothing by themselves, and quotation marks that fonts name differently.
ALIKE = {ord("’"): "'", ord("‘"): "'", ord("“"): '"', ord("”"): '"', ord("`"): "'", ord("´"): "'"}


@dataclass
class Reading:
    """A document as one of our readers sees it."""

    body: list = field(default_factory=list)
    furniture: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
    blocks: list = field(default_factory=list)
    error: str = ""

    def text(self):
        return "\n".join(self.body)

    def running(self):
        """The text in the flow."""
        return "\n".join(row["text"] for row in self.flow())

    def flow(self):
        """Blocks in the flow: without tables, figures' labels, their captions and notes, and footnotes. Those float,
        and a file holds them before or after all else; where they belong is judged by people."""
        out, notes = [], set()
        for row in self.blocks:
            table = row["table"]
            if table:
                notes = set(table["notes"])
                continue
            floats = row["text"] in notes or "\n" in row["text"] or row["kind"] == "footnote"
            if not floats and not CAPTION.match(row["text"]):
                out.append(row)
        return out


def reader():
    """The command that reads a file; built from codecite_core/examples/read.rs."""
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    for profile in ("release", "debug"):
        path = Path(target) / profile / "examples" / "read"
        if path.exists():
            return path
    raise SystemExit("no reader: cargo build -p codecite_core --example read")


def read(path):
    """Runs our reader; the cells of a table stand for its Markdown."""
    result = subprocess.run([reader(), path, "blocks"], capture_output=True, text=True, check=False)
    out = Reading(error=result.stderr.strip())
    for line in result.stdout.splitlines():
        row = json.loads(line)
        if "furniture" in row:
            out.furniture.append(row)
        elif "warning" in row:
            out.warnings.append(row)
        else:
            out.blocks.append(row)
            table = row["table"]
            if table:
                out.tables.append(row)
                out.body.append("\n".join(cell["text"] for cell in table["cells"]))
            else:
                out.body.append(row["text"])
    return out


def fold(text):
    """Ligatures apart, quotes alike, hyphens gone; white space stays."""
    text = unicodedata.normalize("NFKC", text.translate(BULLETS))
    return text.translate(HYPHENS).translate(ALIKE)


def words(text):
    """Words in order; a word that ends in a hyphen goes on with the next."""
    text = unicodedata.normalize("NFKC", text.translate(BULLETS))
    out, open_ = [], False
    for token in text.split():
        bare = fold(token)
        ends = len(token) > 1 and token[-1] in "-\u00ad\u2010\u2011"
        if open_ and out:
            out[-1] += bare
        elif bare:
            out.append(bare)
        open_ = ends
    return out


def characters(ours, theirs):
    """Recall and precision over the multiset of characters, and the differences."""
    a, b = (Counter("".join(fold(text).split())) for text in (ours, theirs))
    common = sum((a & b).values())
    return common / max(1, sum(b.values())), common / max(1, sum(a.values())), b - a, a - b


def common_subsequence(a, b):
    """Length of the longest common subsequence, by bits."""
    places = {}
    for index, item in enumerate(a):
        places[item] = places.get(item, 0) | 1 << index
    ones = (1 << len(a)) - 1
    row = ones
    for item in b:
        hit = row & places.get(item, 0)
        row = (row + hit | row - hit) & ones
    return len(a) - row.bit_count()


def aligned(a, b):
    """Which items of `a` stand in a longest common subsequence with `b`."""
    places = {}
    for index, item in enumerate(a):
        places[item] = places.get(item, 0) | 1 << index
    ones = (1 << len(a)) - 1
    # A bit that is not set: with this item of `a` the subsequence becomes longer.
    rows = [ones]
    for item in b:
        row = rows[-1]
        hit = row & places.get(item, 0)
        rows.append((row + hit | row - hit) & ones)
    out, i, j = set(), len(a), len(b)
    while i and j:
        if rows[j] >> i - 1 & 1:
            i -= 1
        elif a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            out.add(i)
        else:
            j -= 1
    return out


def order_of_any(ours, readings):
    """The part of our words that stands in the order of at least one reading, page by page. `ours` and every reading are
    texts by page; a paragraph of ours may run on to the next."""
    placed = total = 0
    for index, text in enumerate(ours):
        theirs = [words("\n".join(pages[index : index + 2])) for pages in readings]
        known = set().union(*theirs)
        a = [word for word in words(text) if word in known]
        placed += len(set().union(*(aligned(a, b) for b in theirs)))
        total += len(a)
    return placed / max(1, total)


def order(ours, theirs):
    """The part of our words that stands in the other reader's order."""
    a, b = words(ours), words(theirs)
    known = Counter(b)
    a = [word for word in a if word in known]
    return common_subsequence(a, b) / max(1, len(a))


RECALL, PRECISION, ORDER = 0.999, 0.995, 0.995


def report(paths, independent, beside=False):
    """Prints how our reading of each file compares with `independent(path)`; exit status 1 when one is below a gate.

    With `beside`, what we took out of the text counts as found: the independent reader does not know the difference.
    """
    failed = False
    for path in paths:
        ours, theirs = read(path), independent(path)
        everything = ours.text() + "\n".join(piece["furniture"] for piece in ours.furniture if beside)
        recall, _, missing, _ = characters(everything, theirs)
        _, precision, _, extra = characters(ours.text(), theirs)
        kept = order(ours.text(), theirs)
        print(f"{path}: recall {recall:.5f}, precision {precision:.5f}, order {kept:.5f}", ours.error)
        print("  missing", missing.most_common(8), "extra", extra.most_common(8))
        failed |= recall < RECALL or precision < PRECISION or kept < ORDER
    sys.exit(failed)
