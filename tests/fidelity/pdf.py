#!/usr/bin/env python3
"""Compares our reading of PDFs with pymupdf's (a tool here only: pip install pymupdf), and its order with pdftotext's, too,
where that is installed (Debian package poppler-utils).

usage: pdf.py [-v] [FILE…]     without files: every PDF of the shared corpora
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import measure
from measure import ORDER, PRECISION, RECALL

# With only one other reading, and that in the file's own order: a file may hold what stands at the top of a page, notes and
# unframed diagrams after everything else.
FILE_ORDER = 0.99


def reference(path):
    """Words in content order, as pymupdf sees them."""
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    pages = []
    with pymupdf.open(path) as document:
        for page in document:
            pages.append(" ".join(word[4] for word in page.get_text("words", flags=flags)))
    return pages


def as_seen(path):
    """Pages in the order that poppler works out from where words stand; empty without it."""
    if not shutil.which("pdftotext"):
        return []
    result = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    return result.stdout.split("\f")[:-1]


def by_page(reading, count):
    """Our text in the flow, by the page on which each block begins."""
    pages = [[] for _ in range(count)]
    for block in reading.flow():
        pages[block["pages"][0] - 1].append(block["text"])
    return ["\n".join(page) for page in pages]


def compare(path, verbose):
    ours, pages = measure.read(path), reference(path)
    theirs = "\n".join(pages)
    if not theirs.strip():
        print(f"{path.name}: no text layer; ours: {ours.error or 'text'}")
        return "text layer" in ours.error
    if ours.error:
        print(f"{path.name}: {ours.error}")
        return False
    furniture = "\n".join(piece["furniture"] for piece in ours.furniture)
    everything = ours.text() + "\n" + furniture
    recall, precision, lost, invented = measure.characters(everything, theirs)
    # Reading order is a judgement, and each of the two readers has its own: a word is out of order where it is for both.
    file_order, seen = measure.order(ours.running(), theirs), as_seen(path)
    placed = measure.order_of_any(by_page(ours, len(pages)), [pages, seen]) if seen else file_order
    good = recall >= RECALL and precision >= PRECISION and placed >= (ORDER if seen else FILE_ORDER)
    print(
        f"{path.name}: {len(pages)} pages, recall {recall:.5f}, precision {precision:.5f}, order {placed:.4f}"
        f" (the file's alone {file_order:.4f}){'' if good else '  <-- below the bar'}"
    )
    if verbose:
        print("  lost characters:", lost.most_common(12))
        print("  invented characters:", invented.most_common(12))
        a, b = Counter(measure.words(everything)), Counter(measure.words(theirs))
        print("  lost words:", (b - a).most_common(40))
        print("  invented words:", (a - b).most_common(40))
    return good


def main():
    arguments = sys.argv[1:]
    verbose = "-v" in arguments
    files = [Path(name) for name in arguments if name != "-v"]
    if not files:
        shared = Path(os.environ.get("CODECITE_SHARED", measure.ROOT.parent / "shared")) / "corpora"
        files = sorted(shared.glob("**/*.pdf"))
        if not files:
            print(f"SKIPPED: no PDFs under {shared} (set CODECITE_SHARED)")
            return 0
    try:
        import pymupdf  # noqa: F401
    except ImportError:
        print("SKIPPED: pymupdf is not installed (pip install pymupdf)")
        return 0
    results = [compare(path, verbose) for path in files]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
