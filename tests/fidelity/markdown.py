#!/usr/bin/env python3
"""Compares what the Markdown reader makes of files with what markdown-it and lxml make of them.

    markdown.py FILE...

Template tags are cut out by a pattern; the arguments of a tag that stands alone are its block's title. Exit
status 1 when a file is below a gate.
"""

import re
import sys

sys.path.append(sys.path.pop(0))  # html.py beside this file is not Python's own html

from lxml import html
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from measure import report

TITLE = re.compile(r"^[ \t]*\{%-?\s*\w+\s+([A-Z][^%|=]*?)\s*-?%\}[ \t]*$", re.M)
NUMBER = re.compile(r"\{%-?\s*\w+\s+(\d+)\s*-?%\}")
BLOCK = re.compile(r"^[ \t]*\{%.*?%\}[ \t]*$", re.M)
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{:[^}\n]*\}", re.S)


def text_of(source):
    body = re.sub(r"\A---\n.*?\n---\n", "", source.lstrip("\ufeff"), flags=re.S)
    body = TITLE.sub(r"\n\1\n", body)
    body = NUMBER.sub(r"[\1]", body)
    body = TAG.sub("", BLOCK.sub("\n", body))
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.use(deflist_plugin).use(front_matter_plugin)
    root = html.document_fromstring(f"<div>{parser.render(body)}</div>")
    for name in ("script", "style", "nav", "aside"):
        for node in list(root.iter(name)):
            node.drop_tree()
    for item in root.iter("li"):
        parent = item.getparent()
        number = [child for child in parent if child.tag == "li"].index(item) + int(parent.get("start", "1"))
        item.text = (f"{number}. " if parent.tag == "ol" else "- ") + (item.text or "")
    for node in root.iter("p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "br", "caption", "pre"):
        node.tail = "\n" + (node.tail or "")
    return root.text_content()


def independent(path):
    with open(path, encoding="utf-8") as file:
        return text_of(file.read())


if __name__ == "__main__":
    report(sys.argv[1:], independent)
