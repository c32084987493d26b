"""A sample code as a printed book: WeasyPrint, one or two columns."""

from html import escape

from weasyprint import HTML

import source

STYLE = """
@page {
  size: letter; margin: 22mm 20mm 20mm 20mm;
  @top-left { content: string(running); font: 8pt 'DejaVu Serif'; vertical-align: bottom; padding-bottom: 3pt;
    border-bottom: .5pt solid black; margin-bottom: 14pt; width: 100% }
  @bottom-left { content: 'MODEL BUILDING CODE, 2024 EDITION'; font: 8pt 'DejaVu Serif' }
  @bottom-right { content: string(prefix) counter(page); font: 8pt 'DejaVu Serif' }
}
@page front { @top-left { content: none; border: none } @bottom-right { content: counter(page, lower-roman) } }
html { font: 9.5pt/1.35 'DejaVu Serif' }
p, li, .wide { margin: 0 0 5pt }
p, li { text-align: justify; hyphens: auto; orphans: 2; widows: 2 }
h1 { string-set: running attr(data-running), prefix attr(data-prefix) }
h1, h2 { text-align: center; hyphens: none; break-after: avoid }
h1 { font-size: 15pt; margin: 0 0 12pt }
h2 { font-size: 11pt; margin: 12pt 0 6pt }
h3 { font-size: 9.5pt; margin: 0 0 5pt; break-after: avoid }
h1 span, h2 span { display: block }
.label { break-after: avoid; margin-left: 10pt }
.exception { margin-left: 10pt }
ol, ul { margin: 0 0 5pt; padding-left: 24pt }
ol.exceptions { padding-left: 34pt }
.caption { font-weight: bold; text-align: center; hyphens: none; break-after: avoid; margin: 6pt 0 3pt }
table { border-collapse: collapse; width: 100%; margin: 0 0 6pt; font-size: 8.5pt; line-height: 1.25 }
thead { display: table-header-group }
tr { break-inside: avoid }
th, td { border: .5pt solid black; padding: 2pt 4pt; text-align: left; vertical-align: top; hyphens: none }
.note { font-size: 8.5pt }
.front { page: front }
.front h2 { break-before: page }
.front a { color: black; text-decoration: none; display: block }
.front a::after { content: leader('.') attr(data-prefix) target-counter(attr(href), page) }
.front .chapter { font-weight: bold; margin-top: 6pt }
.front .section { margin-left: 12pt }
"""
COLUMNS = """
html { font-size: 8.5pt }
.flow { columns: 2; column-gap: 7mm }
h1, .wide { column-span: all }
/* WeasyPrint 70 loses what follows a spanning block that it breaks. */
.wide { break-inside: avoid }
h2 { font-size: 10pt }
"""
# A table of so many columns stands across the page in the two-column setting.
WIDE = 4


def write(pieces, title, columns):
    """The bytes of the PDF."""
    chapters = [[]]
    for piece in pieces:
        if isinstance(piece, source.Heading) and piece.level == 1:
            chapters.append([])
        chapters[-1].append(piece)
    front, *chapters = chapters
    sheet = STYLE + "".join(page_rule(chapter[0]) for chapter in chapters) + (COLUMNS if columns == 2 else "")
    text = (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{sheet}</style></head><body>"
        f'<div class="front">{"".join(body(front))}{contents(chapters)}</div>'
        + "".join(f'<div class="flow {name(c[0])}">{"".join(body(c))}</div>' for c in chapters)
        + "</body></html>"
    )
    # The identifier would otherwise be random.
    return HTML(string=text).write_pdf(pdf_identifier=title.encode(), custom_metadata=False)


def name(heading):
    return f"{heading.label}{heading.number}".lower()


def page_rule(heading):
    """Pages count anew in every chapter: 10-1, 10-2."""
    page = name(heading)
    return f".{page} {{ page: {page} }} @page {page}:nth(1 of {page}) {{ counter-reset: page 1 }}\n"


def contents(chapters):
    out = ["<h2>TABLE OF CONTENTS</h2>"]
    for chapter in chapters:
        prefix = chapter[0].number + "-"
        for piece in chapter:
            if isinstance(piece, source.Heading) and piece.level <= 2:
                kind = "chapter" if piece.level == 1 else "section"
                number = piece.lead if piece.level == 1 else piece.number
                out.append(
                    f'<a class="{kind}" href="#{piece.anchor}" data-prefix="{prefix}">{number} {escape(piece.title)}</a>'
                )
    return "".join(out)


def body(pieces):
    """Chapters and sections stand alone; a numbered heading below them runs into its first paragraph."""
    run_in = ""
    after_label = False
    for piece in pieces:
        if run_in and not isinstance(piece, source.Paragraph):
            yield f"<h3>{run_in}</h3>"
            run_in = ""
        match piece:
            case source.Heading(label=""):
                run_in = f'<b id="{piece.anchor}">{escape(piece.lead)} {escape(piece.title)}</b>'
            case source.Heading():
                yield heading(piece)
            case source.Paragraph(inlines=inlines):
                text = source.plain(inlines)
                is_label = isinstance(piece, source.ExceptionLabel)
                kind = "label" if is_label else "exception" if text.startswith("Exception:") else ""
                yield f'<p class="{kind}">{run_in}{" " if run_in else ""}{spans(inlines)}</p>'
                run_in = ""
            case source.List(items=items, start=start):
                tag = "ul" if start is None else "ol"
                kind = "exceptions" if after_label else "plain"
                inner = "".join(f"<li>{spans(item)}</li>" for item in items)
                yield f'<{tag} class="{kind}" start="{start or 1}">{inner}</{tag}>'
            case source.Table():
                yield from table(piece)
        after_label = isinstance(piece, source.ExceptionLabel)
    if run_in:
        yield f"<h3>{run_in}</h3>"


def heading(piece):
    tag = f"h{piece.level}"
    running = f' data-running="{escape(piece.title)}" data-prefix="{piece.number}-"' if piece.level == 1 else ""
    return f'<{tag} id="{piece.anchor}"{running}><span>{piece.lead}</span> <span>{escape(piece.title)}</span></{tag}>'


def spans(inlines):
    out = []
    for piece in inlines:
        text = escape(piece.text)
        tag = "b" if piece.bold else "i" if piece.italic else None
        out.append(f"<{tag}>{text}</{tag}>" if tag else text)
    return "".join(out)


def table(piece):
    """Caption, grid and notes; a wide one is one block, so that all of it goes across the columns."""
    wide = len(piece.header) >= WIDE
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in piece.header)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in piece.rows)
    caption = f'<p class="caption">{escape(piece.caption)}</p>' if piece.caption else ""
    letters = "abcdefghijklmnopqrstuvwxyz"
    notes = "".join(f'<p class="note">{letters[at]}. {escape(note)}</p>' for at, note in enumerate(piece.notes))
    inner = f"{caption}<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>{notes}"
    yield f'<div class="wide">{inner}</div>' if wide else inner
