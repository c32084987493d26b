#!/usr/bin/env python3
"""Writes a made-up code of many pages as PDF, in two columns with running heads, out of a Markdown file's sentences.

usage: long-pdf.py FILE.md PAGES >OUT.pdf
"""

import re
import sys
import zlib

WIDTH, LINES = 52, 58


def sentences(path):
    text = re.sub(r"[#*|>_`-]+", " ", open(path, encoding="utf-8").read())
    text = text.encode("ascii", "ignore").decode()
    return [s.strip() for s in re.split(r"(?<=\.)\s+", " ".join(text.split())) if 30 < len(s) < 300]


def lines_of(words):
    line = ""
    for word in words:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line


def columns(path):
    """Lines of one column after another: numbered sections, each of a few sentences."""
    pool, at, number, column = sentences(path), 0, 0, []
    while True:
        chapter, section = 10 + number // 400, 1 + number % 400
        head = f"{chapter}{section // 20:02d}.{section % 20 + 1}"
        body = " ".join(pool[(at + i) % len(pool)] for i in range(3))
        at, number = at + 3, number + 1
        for index, line in enumerate(lines_of(f"{head} Heading {number}. {body}".split())):
            column.append((index == 0, line))
            if len(column) == LINES:
                yield column
                column = []


def escape(text):
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def page(number, left, right):
    out = [f"BT /F2 9 Tf 72 760 Td (MODEL CODE CHAPTER {number // 40 + 1}) Tj ET", f"BT /F1 9 Tf 300 30 Td ({number}) Tj ET"]
    for x, column in ((54, left), (318, right)):
        for row, (bold, line) in enumerate(column):
            out.append(f"BT /F{2 if bold else 1} 9 Tf {x} {738 - 12 * row} Td ({escape(line)}) Tj ET")
    return "\n".join(out).encode()


def main():
    pages, source = int(sys.argv[2]), columns(sys.argv[1])
    fonts = [b"<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>" % name for name in (b"Helvetica", b"Helvetica-Bold")]
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", *fonts]
    for number in range(1, pages + 1):
        data = zlib.compress(page(number, next(source), next(source)))
        objects.append(b"<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream" % (len(data), data))
        objects.append(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>" % len(objects))
    kids = b" ".join(b"%d 0 R" % (6 + 2 * i) for i in range(pages))
    objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids)
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for index, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (index, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % at for at in offsets)
    out += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    sys.stdout.buffer.write(out)


main()
