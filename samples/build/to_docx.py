"""A sample code as a word-processed document whose numbers, as far as levels can make them, are automatic."""

import datetime
import io
import re
import zipfile

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn

import source
from numbering import Numbering

REFERENCE = re.compile(r"\b(Section |Table |Chapter )([A-Z]?\d+(?:\.\d+)*)")
WRITTEN = datetime.datetime(2024, 1, 1)
# The oldest date that a zip archive can hold.
ZIPPED = (1980, 1, 1, 0, 0, 0)


def write(pieces, title):
    """The bytes of the DOCX."""
    return Writer(pieces, title).bytes()


class Writer:
    def __init__(self, pieces, title):
        self.document = docx.Document()
        self.headings = [piece for piece in pieces if isinstance(piece, source.Heading)]
        self.anchors = {piece.number: f"_Ref{100000 + at}" for at, piece in enumerate(self.headings) if piece.number}
        self.seen = 0
        self.styles()
        self.numbering = Numbering(self.document, any(piece.label for piece in self.headings))
        self.properties(title)
        self.furniture(title)
        for index, piece in enumerate(pieces):
            if piece is self.headings[0]:
                self.contents()
            self.piece(piece, index)

    def styles(self):
        styles = self.document.styles
        for numbered in styles.element.iter(qn("w:numPr")):
            numbered.getparent().remove(numbered)
        for name in ("toc 1", "toc 2", "TOC Heading", "Exception Label", "Table Note", "Defined Term"):
            if name not in styles:
                styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH).base_style = styles["Normal"]

    def properties(self, title):
        core = self.document.core_properties
        core.title, core.author, core.last_modified_by = title, "Model Code Council (invented)", ""
        core.created = core.modified = WRITTEN
        core.comments, core.revision = "", 1

    def furniture(self, title):
        section = self.document.sections[0]
        head = section.header.paragraphs[0]
        head.add_run(title.upper())
        foot = section.footer.paragraphs[0]
        foot.add_run("Page ")
        field(foot, "PAGE", "1")

    def contents(self):
        """A table of contents as a word processor makes it: a field with its last result inside a content control."""
        control = parse_xml(
            f'<w:sdt {nsdecls("w")}><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
            "<w:docPartUnique/></w:docPartObj></w:sdtPr><w:sdtContent/></w:sdt>"
        )
        inner = control[-1]
        head = self.document.add_paragraph("Contents", style="TOC Heading")
        # Its style is based on that of the numbered headings.
        self.numbering.refer(head._p, 0, 0)
        inner.append(head._p)
        listed = [heading for heading in self.headings if heading.level <= 2]
        for at, heading in enumerate(listed):
            paragraph = self.document.add_paragraph(style=f"toc {heading.level}")
            if at == 0:
                char(paragraph, "begin")
                instruction(paragraph, 'TOC \\o "1-2" \\h \\z \\u')
                char(paragraph, "separate")
            link = OxmlElement("w:hyperlink")
            link.set(qn("w:anchor"), self.anchors.get(heading.number, ""))
            link.append(paragraph.add_run(" ".join(filter(None, (heading.lead, heading.title))) + "\t")._r)
            paragraph._p.append(link)
            field(paragraph, f"PAGEREF {self.anchors.get(heading.number, '')} \\h", str(1 + at // 3))
            if at == len(listed) - 1:
                char(paragraph, "end")
            inner.append(paragraph._p)
        self.document.element.body.insert_element_before(control, "w:sectPr")

    def piece(self, piece, index):
        match piece:
            case source.Heading():
                self.heading(piece)
            case source.ExceptionLabel(inlines=inlines):
                self.runs(self.document.add_paragraph(style="Exception Label"), inlines, index)
            case source.Term(inlines=inlines):
                self.runs(self.document.add_paragraph(style="Defined Term"), inlines, index)
            case source.Paragraph(inlines=inlines):
                style = "Title" if index == 0 else "Normal"
                self.runs(self.document.add_paragraph(style=style), inlines, index)
            case source.List(items=items, start=start):
                number = self.numbering.list_of("bullet" if start is None else "decimal", start or 1)
                for at, item in enumerate(items):
                    paragraph = self.document.add_paragraph(style="List Paragraph")
                    self.numbering.refer(paragraph._p, number, 0)
                    self.runs(paragraph, item, index + at)
            case source.Table():
                self.table(piece, index)

    def heading(self, heading):
        style = self.document.styles[f"Heading {heading.level}"]
        paragraph = self.document.add_paragraph(style=style)
        self.bookmark(paragraph, heading)
        automatic = self.numbering.heading(paragraph, heading)
        if automatic and heading.label in ("CHAPTER", "APPENDIX"):
            # "CHAPTER 10" and, on a line of its own, the title.
            paragraph.add_run().add_break()
        typed = "" if automatic or not heading.number else heading.lead + " "
        paragraph.add_run(typed + heading.title)

    def bookmark(self, paragraph, heading):
        name = self.anchors.get(heading.number)
        if not name:
            return
        self.seen += 1
        for tag in ("w:bookmarkStart", "w:bookmarkEnd"):
            mark = OxmlElement(tag)
            mark.set(qn("w:id"), str(self.seen))
            if tag == "w:bookmarkStart":
                mark.set(qn("w:name"), name)
            paragraph._p.append(mark)

    def runs(self, paragraph, inlines, index):
        """Runs, with numbers of other sections as fields or links."""
        for inline in inlines:
            rest = inline.text
            while match := REFERENCE.search(rest):
                anchor = self.anchors.get(match[2])
                if not anchor:
                    words(paragraph, rest[: match.end()], inline, index)
                    rest = rest[match.end() :]
                    continue
                words(paragraph, rest[: match.start(2)], inline, index)
                if index % 2 and "." in match[2]:
                    field(paragraph, f"REF {anchor} \\r \\h", match[2])
                else:
                    link = OxmlElement("w:hyperlink")
                    link.set(qn("w:anchor"), anchor)
                    link.append(paragraph.add_run(match[2])._r)
                    paragraph._p.append(link)
                rest = rest[match.end() :]
            words(paragraph, rest, inline, index)

    def table(self, piece, index):
        if piece.caption:
            caption = self.document.add_paragraph(style="Caption")
            caption.add_run(piece.caption)
            caption.paragraph_format.keep_with_next = True
        table = self.document.add_table(0, len(piece.header), style="Table Grid")
        for at, row in enumerate([piece.header, *piece.rows]):
            cells = table.add_row()
            for cell, text in zip(cells.cells, row):
                cell.paragraphs[0].add_run(text).bold = True if at == 0 else None
            if at == 0:
                properties = cells._tr.get_or_add_trPr()
                properties.append(OxmlElement("w:tblHeader"))
        letters = self.numbering.list_of("lowerLetter", 1) if piece.notes else None
        for at, note in enumerate(piece.notes):
            paragraph = self.document.add_paragraph(style="Table Note")
            self.numbering.refer(paragraph._p, letters, 0)
            self.runs(paragraph, [source.Inline(note)], index + at)

    def bytes(self):
        """Zipped again with fixed dates."""
        raw = io.BytesIO()
        self.document.save(raw)
        out = io.BytesIO()
        with zipfile.ZipFile(raw) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                entry = zipfile.ZipInfo(name, ZIPPED)
                entry.compress_type = zipfile.ZIP_DEFLATED
                new.writestr(entry, old.read(name), compresslevel=9)
        return out.getvalue()


def words(paragraph, text, inline, index):
    """Runs of one style, cut as word processors cut them: inside words, at a spelling mark, at a hyphen that keeps
    words together."""
    if not text:
        return
    cut = len(text) // 2 if len(text) > 30 and index % 3 == 0 else len(text)
    for part in filter(None, (text[:cut], text[cut:])):
        run = paragraph.add_run()
        run.bold, run.italic = inline.bold or None, inline.italic or None
        groups = re.split(r"(?<=Group [A-Z])-(?=\d)", part) if index % 5 == 0 else [part]
        for at, group in enumerate(groups):
            if at:
                run._r.append(OxmlElement("w:noBreakHyphen"))
            long_word = re.search(r"[a-z]{8}(?=[a-z]{3})", group) if index % 11 == 0 else None
            if long_word:
                run.add_text(group[: long_word.end()])
                run._r.append(OxmlElement("w:softHyphen"))
                group = group[long_word.end() :]
            run.add_text(group)
        if part is not text:
            mark = OxmlElement("w:proofErr")
            mark.set(qn("w:type"), "spellStart" if part == text[:cut] else "spellEnd")
            paragraph._p.append(mark)


def char(paragraph, kind):
    mark = OxmlElement("w:fldChar")
    mark.set(qn("w:fldCharType"), kind)
    paragraph.add_run()._r.append(mark)


def instruction(paragraph, text):
    code = OxmlElement("w:instrText")
    code.set(qn("xml:space"), "preserve")
    code.text = f" {text} "
    paragraph.add_run()._r.append(code)


def field(paragraph, code, result):
    """A field with its last result."""
    char(paragraph, "begin")
    instruction(paragraph, code)
    char(paragraph, "separate")
    paragraph.add_run(result)
    char(paragraph, "end")
