"""Prints a made-up code as Markdown whose words are as unequally frequent as in real text, and whose sections differ in subject.

usage: varied-code.py SECTIONS SEED
"""

import random
import sys
from itertools import accumulate

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dro fli gro ple sta tri sho che".split()
COMMON = "the of and shall be in a to for or not less than where with by is on each any from as which at".split()


def words(count):
    """As many different words, always the same."""
    made = random.Random(1)
    found = {}
    while len(found) < count:
        found["".join(made.choice(SYLLABLES) for _ in range(made.randint(2, 4)))] = None
    return list(found)


class Writer:
    """Draws words by Zipf's law, with some that are the section's own subject."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.words = words(20_000)
        self.weights = list(accumulate(1 / (rank + 5) for rank in range(len(self.words))))

    def draw(self, count):
        return self.random.choices(self.words, cum_weights=self.weights, k=count)

    def sentence(self, subject):
        count = self.random.randint(10, 24)
        text = [self.random.choice(subject) if self.random.random() < 0.25 else word for word in self.draw(count)]
        text = [self.random.choice(COMMON) if self.random.random() < 0.4 else word for word in text]
        return " ".join(text).capitalize() + "."

    def section(self, number):
        subject = self.random.sample(self.words, 6)
        print(f"### {number} {' '.join(subject[:3]).capitalize()}.\n")
        for _ in range(self.random.randint(2, 6)):
            print(f"{self.sentence(subject)}\n")
        if self.random.random() < 0.2:
            print(f"**Exception:** {self.sentence(subject)}\n")


def main():
    wanted, seed = int(sys.argv[1]), int(sys.argv[2])
    writer = Writer(seed)
    for made in range(wanted):
        chapter, rest = divmod(made, 120)
        article, part = divmod(rest, 10)
        if rest == 0:
            print(f"# CHAPTER {chapter + 1} {' '.join(writer.draw(2)).upper()}\n")
        if part == 0:
            print(f"## SECTION {(chapter + 1) * 100 + article + 1} {' '.join(writer.draw(2)).upper()}\n")
        writer.section(f"{(chapter + 1) * 100 + article + 1}.{part + 1}")


main()
