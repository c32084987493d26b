"""A sample code as the HTML page that a publisher would put on the web."""

import re
from html import escape
from itertools import groupby

import source

REFERENCE = re.compile(r"\b(Section|Table|Chapter|Appendix) ([A-Z]?\d+(?:\.\d+)*(?:\(\d+\))?|[A-Z]\b)")
ENTITIES = {"²": "&sup2;", "³": "&#179;", "°": "&deg;", "·": "&#xB7;", '"': "&quot;"}
STYLE = """
  body { font-family: Georgia, serif; max-width: 46rem; margin: 0 auto }
  table { border-collapse: collapse } th, td { border: 1px solid #666; padding: .2em .5em }
  .hi { background: #ffd }
"""


def write(pieces, title):
    """The whole page."""
    head = (
        "<!DOCTYPE html>\n"
        '<html lang="en-US">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        "<script>document.documentElement.className = 'js';</script>\n</head>\n<body>\n"
        '<header class="site">\n<a href="/">Model Codes Online</a>\n'
        '<form action="/find" role="search"><input name="q" aria-label="Search"><button>Search</button></form>\n'
        "</header>\n"
    )
    foot = (
        "<footer>\n<p>Printed from Model Codes Online. All provisions are invented. &copy;&nbsp;2024</p>\n"
        '<p><a href="#top">Back to top</a></p>\n</footer>\n</body>\n</html>\n'
    )
    return head + contents(pieces) + '<main id="top">\n' + body(pieces) + "</main>\n" + foot


def contents(pieces):
    """Chapters and, below each, its sections."""
    out = ['<nav aria-label="Contents">\n<h2>Table of Contents</h2>\n<ol>\n']
    headings = [piece for piece in pieces if isinstance(piece, source.Heading) and piece.level <= 2]
    top = None
    for is_top, group in groupby(headings, key=lambda heading: heading.level == 1):
        for heading in group:
            link = f'<a href="#{heading.anchor}">{escape(" ".join(filter(None, (heading.lead, heading.title))))}</a>'
            if is_top:
                out.append("</li>\n" if top else "")
                out.append(f"<li>{link}")
                top = heading
            else:
                out.append(f"\n  <br>{link}")
    out.append("</li>\n</ol>\n</nav>\n")
    return "".join(out)


def body(pieces):
    out = []
    in_terms = False
    for index, piece in enumerate(pieces):
        is_term = isinstance(piece, source.Term)
        if is_term != in_terms:
            out.append("<dl>\n" if is_term else "</dl>\n")
            in_terms = is_term
        out.append(block(piece, index))
    if in_terms:
        out.append("</dl>\n")
    return "".join(out)


def block(piece, index):
    """One piece. What a publisher does only here and there depends on `index`, so that it is the same each time."""
    match piece:
        case source.Heading():
            return heading(piece)
        case source.Term(inlines=[term, *rest]):
            return f"<dt>{inline(term.text, index)}</dt>\n<dd>{spans(rest, index).strip()}</dd>\n"
        case source.Paragraph(inlines=inlines):
            return f"<p>{spans(inlines, index)}</p>\n"
        case source.List(items=items, start=start):
            tag = "ul" if start is None else "ol"
            first = f' start="{start}"' if start not in (None, 1) else ""
            # Some editors close their items, some do not: both are HTML.
            close = "</li>" if index % 3 else ""
            inner = "".join(f"  <li>{spans(item, index + at)}{close}\n" for at, item in enumerate(items))
            return f"<{tag}{first}>\n{inner}</{tag}>\n"
        case source.Table():
            return table(piece, index)
    raise TypeError(piece)


def heading(piece):
    tag = f"h{piece.level}"
    match piece.label, piece.number:
        case "", "":
            text = escape(piece.title)
        case "", number:
            text = f'<span class="number">{number}</span> {escape(piece.title)}'
        case _:
            text = f"{piece.lead}<br>{escape(piece.title)}"
    return f'<{tag} id="{piece.anchor}">{text}</{tag}>\n'


def spans(inlines, index):
    out = []
    for at, piece in enumerate(inlines):
        text = inline(piece.text, index + at)
        tag = ("strong" if index % 2 else "b") if piece.bold else "em" if piece.italic else None
        out.append(f"<{tag}>{text}</{tag}>" if tag else text)
    return "".join(out)


def inline(text, index):
    """Escaped text with links, entities, source line breaks, and a tag, break opportunity or soft hyphen inside a word
    in every seventh."""
    text = escape(text, quote=False)
    for plain, entity in ENTITIES.items():
        text = text.replace(plain, entity)
    text = REFERENCE.sub(link, text)
    long_word = re.search(r"(?<![#\w&\"-])([a-z]{5})([a-z]{4,})(?![\w;\"])", text)
    if long_word and index % 7 == 0:
        text = splice(text, long_word, f'<span class="hi">{long_word[1]}</span>{long_word[2]}')
    elif long_word and index % 7 == 1:
        text = splice(text, long_word, f"{long_word[1]}<wbr>{long_word[2]}")
    elif long_word and index % 7 == 2:
        text = splice(text, long_word, f"{long_word[1]}&shy;{long_word[2]}")
    elif index % 7 == 3:
        text = text.replace(". ", ".\n  ", 1)
    return text


def splice(text, match, new):
    return text[: match.start()] + new + text[match.end() :]


def link(match):
    kind, number = match.groups()
    anchor = {"Section": number if "." in number else f"section-{number}"}.get(kind, f"{kind.lower()}-{number}")
    return f'<a href="#{anchor}">{kind}&nbsp;{number}</a>'


def table(piece, index):
    out = []
    anchor = ""
    if piece.caption:
        anchor = f' id="table-{source.CAPTION.match(piece.caption)[1]}"'
    out.append(f"<table{anchor}>\n")
    if piece.caption:
        out.append(f"<caption>{inline(piece.caption, 4)}</caption>\n")
    cells = "".join(f'<th scope="col">{inline(cell, 4)}</th>' for cell in piece.header)
    out.append(f"<thead>\n<tr>{cells}</tr>\n</thead>\n<tbody>\n")
    for row in piece.rows:
        cells = "".join(f"<td>{inline(cell, 4)}</td>" for cell in row)
        out.append(f"<tr>{cells}</tr>\n")
    out.append("</tbody>\n</table>\n")
    if piece.notes:
        notes = "".join(f"<li>{inline(note, index)}</li>\n" for note in piece.notes)
        out.append(f'<ol type="a" class="notes">\n{notes}</ol>\n')
    return "".join(out)
