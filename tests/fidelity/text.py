#!/usr/bin/env python3
"""Compares what the reader of plain text makes of files with the files themselves.

    text.py FILE...

Recall counts what is beside the text: rules, addresses of images. Exit status 1 when a file is below a gate.
"""

import sys

from measure import characters, order, read

RECALL, PRECISION, ORDER = 0.999, 0.995, 0.995


def decode(data):
    """UTF-8; what is not is a damaged no-break space or windows-1252."""
    out = []
    while data:
        try:
            out.append(data.decode("utf-8"))
            break
        except UnicodeDecodeError as error:
            out.append(data[: error.start].decode("utf-8"))
            bad = data[error.start : error.start + 1]
            out.append(" " if bad == b"\xc2" else bad.decode("windows-1252", "replace"))
            data = data[error.start + 1 :]
    return "".join(out)


def main():
    failed = False
    for path in sys.argv[1:]:
        ours = read(path)
        with open(path, "rb") as file:
            theirs = decode(file.read())
        beside = "\n".join(piece["furniture"] for piece in ours.furniture)
        recall, _, missing, _ = characters(ours.text() + beside, theirs)
        _, precision, _, extra = characters(ours.text(), theirs)
        kept = order(ours.text(), theirs)
        print(f"{path}: recall {recall:.5f}, precision {precision:.5f}, order {kept:.5f}", ours.error)
        failed |= recall < RECALL or precision < PRECISION or kept < ORDER
        print("  missing", missing.most_common(8), "extra", extra.most_common(8))
    sys.exit(failed)


if __name__ == "__main__":
    main()
