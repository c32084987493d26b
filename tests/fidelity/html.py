#!/usr/bin/env python3
"""Compares what the HTML reader makes of pages with what lxml sees in them.

    html.py FILE...

lxml's text less scripts, navigation and asides; the numbers that a browser prints before list items are counted
out here as well. Exit status 1 when a page is below a gate.
"""

import re
import sys

from lxml import html
from measure import report

LEFT_OUT = {"nav", "script", "style", "aside", "head", "header", "footer", "template", "noscript", "form"}
INLINE = {"a", "b", "i", "em", "strong", "span", "u", "s", "sup", "sub", "cite", "font", "small", "code", "ins", "del"}
OWN = re.compile(r"\(?(\d{1,3}|[A-Za-z]|[ivxlc]+)[.)]\s|•")


def roman(number):
    out = ""
    for value, digits in zip(
        (100, 90, 50, 40, 10, 9, 5, 4, 1), ("c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"), strict=True
    ):
        while number >= value:
            out, number = out + digits, number - value
    return out


def marker(item):
    """The mark that a browser prints before an item."""
    parent = item.getparent()
    if parent is None or parent.tag != "ol":
        return "• "
    items = [child for child in parent if child.tag == "li"]
    number = int(parent.get("start", "1")) + items.index(item)
    kind = parent.get("type", "1")
    text = {"a": chr(96 + (number - 1) % 26 + 1), "A": chr(64 + (number - 1) % 26 + 1), "i": roman(number)}
    if number > 26:
        text["a"] = text["a"] * 2
        text["A"] = text["A"] * 2
    text["I"] = roman(number).upper()
    return text.get(kind, str(number)) + ". "


def text_of(root):
    """The text of a page, block by block, in document order."""
    out = []
    for event, node in walk(root):
        if event == "text":
            out.append(node)
        elif node.tag == "br" or node.tag not in INLINE:
            out.append("\n")
            own = event == "open" and node.tag == "li" and not OWN.match("".join(node.itertext()).strip())
            out.append(marker(node) if own and "".join(node.itertext()).strip() else "")
    return "".join(out)


def walk(root):
    stack = [("open", root)]
    while stack:
        event, node = stack.pop()
        if event == "text":
            yield event, node
        elif event == "close":
            yield event, node
        elif isinstance(node.tag, str) and node.tag not in LEFT_OUT and node.get("hidden") is None:
            yield "open", node
            stack.append(("close", node))
            for child in reversed(node):
                stack.append(("text", child.tail or ""))
                stack.append(("open", child))
            stack.append(("text", node.text or ""))


def independent(path):
    with open(path, "rb") as file:
        return text_of(html.document_fromstring(file.read()).find("body"))


if __name__ == "__main__":
    report(sys.argv[1:], independent)
