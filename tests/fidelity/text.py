#!/usr/bin/env python3
"""Compares what the reader of plain text makes of files with the files themselves.

    text.py FILE...

Recall counts what is beside the text: rules, addresses of images. Exit status 1 when a file is below a gate.
"""

import sys

from measure import report



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


def independent(path):
    with open(path, "rb") as file:
        return decode(file.read())


if __name__ == "__main__":
    report(sys.argv[1:], independent, beside=True)
