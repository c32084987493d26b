"""Prints a made-up code of SECTIONS sections as Markdown: chapters, lists, exceptions, tables and references.

usage: long-code.py SECTIONS
"""

import sys

WORDS = ("every door of the building shall have a clear width that serves the occupant load of the room and shall open "
         "in the direction of egress travel where the load is fifty or more").split()


def sentence(seed):
    words = [WORDS[(seed * 7 + at) % len(WORDS)] for at in range(18)]
    return " ".join(words).capitalize()


def section(chapter, article, count, seed):
    number = f"{chapter * 100 + article}.{count}"
    print(f"### {number} Title of part {count}.\n")
    for at in range(4):
        print(f"{sentence(seed + at)}, as Section {number}.{at} and Sections {number} through {number}.9 require.\n")
    if seed % 3 == 0:
        print(f"**Exceptions:**\n\n1. {sentence(seed)}.\n2. {sentence(seed + 1)} in Table {number}.\n")
    if seed % 10 == 0:
        print(f"Table {number} Factors\n\n| Use | Factor |\n|---|---|")
        for row in range(12):
            print(f"| {WORDS[(seed + row) % len(WORDS)]} | {row * 10} |")
        print()


def main():
    wanted = int(sys.argv[1])
    made = 0
    for chapter in range(1, 100):
        print(f"# CHAPTER {chapter} PART OF THE CODE\n")
        for article in range(1, 13):
            print(f"## SECTION {chapter * 100 + article} SUBJECT {article}\n")
            for count in range(1, 11):
                section(chapter, article, count, made)
                made += 1
                if made >= wanted:
                    return


main()
