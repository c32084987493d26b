"""The Markdown of a sample code as the pieces that a publisher sets: headings, paragraphs, lists, tables."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from markdown_it import MarkdownIt

CHAPTER = re.compile(r"(CHAPTER (\d+)|APPENDIX ([A-Z])) (.+)")
SECTION = re.compile(r"SECTION ([A-Z]?\d+) (.+)")
NUMBERED = re.compile(r"([A-Z]?\d+(?:\.\d+)*) (.+)")
CAPTION = re.compile(r"Table (\S+) ")
NOTE = re.compile(r"([a-z])\. (.+)", re.DOTALL)


@dataclass
class Inline:
    """A stretch of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False


@dataclass
class Heading:
    """`label` is what stands before the number (`CHAPTER`, `SECTION` or nothing)."""

    level: int
    label: str
    number: str
    title: str

    @property
    def anchor(self):
        return f"{self.label.lower()}-{self.number}".strip("-") or re.sub(r"\W+", "-", self.title.lower())

    @property
    def lead(self):
        """Label and number as printed."""
        return f"{self.label} {self.number}".strip()


@dataclass
class Paragraph:
    inlines: list


@dataclass
class Term(Paragraph):
    """A defined term: the first inline is the term, in bold."""


@dataclass
class ExceptionLabel(Paragraph):
    """`Exceptions:` above a list."""


@dataclass
class List:
    """`items` are lists of inlines; `start` is `None` for bullets."""

    items: list
    start: int | None


@dataclass
class Table:
    """`caption` is "Table 1004.5 Title" or `None`; `notes` are the lettered ones below."""

    caption: str | None
    header: list
    rows: list
    notes: list = field(default_factory=list)


def read(path: Path):
    """The pieces of a file, in order."""
    tokens = MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
    pieces = []
    defines = False
    index = 0
    while index < len(tokens):
        token = tokens[index]
        end = closing(tokens, index)
        if token.type == "heading_open":
            pieces.append(heading(int(token.tag[1]), tokens[index + 1].content))
            defines = "DEFINED TERMS" in pieces[-1].title.upper()
        elif token.type == "paragraph_open":
            add_paragraph(pieces, inlines(tokens[index + 1]), defines)
        elif token.type in ("ordered_list_open", "bullet_list_open"):
            items = [inlines(t) for t in tokens[index:end] if t.type == "inline"]
            start = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
            pieces.append(List(items, start))
        elif token.type == "table_open":
            pieces.append(table(pieces, tokens[index:end]))
        else:
            raise ValueError(f"{path}: nothing here sets a {token.type}")
        index = end + 1
    return pieces


def closing(tokens, index):
    """The index of the token that closes the block opened at `index`."""
    close, level = tokens[index].type.replace("_open", "_close"), tokens[index].level
    return next(i for i in range(index, len(tokens)) if tokens[i].type == close and tokens[i].level == level)


def inlines(token):
    out, bold, italic = [], False, False
    for child in token.children:
        if child.type.startswith("strong"):
            bold = child.type == "strong_open"
        elif child.type.startswith("em_"):
            italic = child.type == "em_open"
        elif child.type == "softbreak":
            out.append(Inline(" ", bold, italic))
        elif child.type == "text":
            if child.content:
                out.append(Inline(child.content, bold, italic))
        else:
            raise ValueError(f"nothing here sets a {child.type}")
    return out


def heading(level, text):
    if match := CHAPTER.fullmatch(text):
        return Heading(level, match[1].split()[0], match[2] or match[3], match[4])
    if match := SECTION.fullmatch(text):
        return Heading(level, "SECTION", match[1], match[2])
    if match := NUMBERED.fullmatch(text):
        return Heading(level, "", match[1], match[2])
    return Heading(level, "", "", text)


def add_paragraph(pieces, content, defines):
    text = plain(content)
    bold_lead = content[0].bold
    last = pieces[-1] if pieces else None
    if isinstance(last, Table) and (note := NOTE.fullmatch(text)):
        last.notes.append(note[2])
    elif bold_lead and text == "Exceptions:":
        pieces.append(ExceptionLabel(content))
    elif bold_lead and defines:
        pieces.append(Term(content))
    else:
        pieces.append(Paragraph(content))


def table(pieces, tokens):
    """The table, with the bold line above it as its caption."""
    rows = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(plain(inlines(token)))
    above = pieces[-1]
    caption = None
    if isinstance(above, Paragraph) and above.inlines[0].bold and CAPTION.match(plain(above.inlines)):
        caption = plain(pieces.pop().inlines)
    return Table(caption, rows[0], rows[1:])


def plain(content):
    """The text without its styles."""
    return "".join(inline.text for inline in content)
