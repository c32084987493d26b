#!/usr/bin/env python3
"""Compares our reading of PDFs with pymupdf's (a tool here only: pip install pymupdf).

usage: pdf.py [-v] [FILE…]     without files: every PDF of the shared corpora
"""

import os
import sys
from collections import Counter
from pathlib import Path

import measure
from measure import ORDER, PRECISION, RECALL

# Below the common bar, and known: pymupdf lists this file's unframed diagrams, footnotes and notes in the file's order,
# which is not the order of reading. pdf_order.py checks its reading order against gold.
KNOWN = {"Approved_Document_H.pdf": 0.99}


def reference(path):
    """Words in content order, as pymupdf sees them."""
    import pymupdf

    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    pages = []
    with pymupdf.open(path) as document:
        for page in document:
            pages.append(" ".join(word[4] for word in page.get_text("words", flags=flags)))
    return pages


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
    placed = measure.order(ours.running(), theirs)
    good = recall >= RECALL and precision >= PRECISION and placed >= KNOWN.get(path.name, ORDER)
    print(
        f"{path.name}: {len(pages)} pages, recall {recall:.5f}, precision {precision:.5f}, order {placed:.4f}"
        f"{'' if good else '  <-- below the bar'}{'  (known: under .995)' if good and placed < ORDER else ''}"
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
