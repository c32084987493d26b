#!/usr/bin/env python3
"""Scores what the readers and profiles make of real codes against gold, in one table.

usage: structure.py [--misses] [NAME…]

Needs the command `read` (an example of codecite_core; READ names it) and the folder with the real codes and their gold
(CODECITE_SHARED, default ../shared). How things are compared: README.md beside this file.
"""

import sys

from real import definitions, exceptions, references, sections, tables
from real.corpus import GOLD, gold_rows, listed, omitted, read

COLUMNS = ["numbers R/P", "parents", "titles", "pages", "exceptions", "terms R/P", "inline R", "references R/P", "tables"]
WIDTHS = [11, 7, 6, 5, 10, 11, 8, 14, 6]
SORTS = ["structure", "exceptions", "definitions", "xrefs", "tables"]


def score(name):
    """The cells of one row, and every miss."""
    texts, chosen, misses = [], [], []
    for file in GOLD[name]:
        text, note = read(file)
        if text is None:
            return [note], []
        texts.append(text)
        chosen.append(note)
    structure, exempt, terms, mentions, grids = (gold_rows(name, sort) for sort in SORTS)
    cells = [*sections.score(structure, omitted(name), texts, misses), exceptions.score(exempt, texts, misses),
             *definitions.score(terms, texts, misses), references.score(mentions, texts, misses),
             tables.score(grids, texts, misses)]
    wrong = sum(len(listed(name, sort)) for sort in SORTS)
    note = f"{wrong} errata of gold" if wrong else ""
    return [*cells, "/".join(sorted(set(chosen))), note], misses


def main():
    arguments = sys.argv[1:]
    chosen = [argument for argument in arguments if not argument.startswith("-")] or list(GOLD)
    print(f"{'':14} " + "  ".join(f"{head:{width}}" for head, width in zip(COLUMNS, WIDTHS)) + "  profile")
    for name in chosen:
        cells, misses = score(name)
        print(f"{name:14} " + "  ".join(f"{cell:{width}}" for cell, width in zip(cells, WIDTHS + [20, 0])), flush=True)
        if "--misses" in arguments:
            for miss in misses:
                print("    " + miss)


main()
