"""Automatic numbers in numbering.xml: of headings on five levels, of lists."""

from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

import source

# Level text, format and what follows the number. Section numbers such as 1004 are the chapter and a two-digit count.
CODE = [
    ("CHAPTER %1", "decimal", "space"),
    ("SECTION %1%2", "decimalZero", "space"),
    ("%1%2.%3", "decimal", "tab"),
    ("%1%2.%3.%4", "decimal", "tab"),
    ("%1%2.%3.%4.%5", "decimal", "tab"),
]
# C101 is the letter, a 1 that is printed, and the count.
APPENDIX = [
    ("APPENDIX %1", "upperLetter", "space"),
    ("SECTION %11%2", "decimalZero", "space"),
    ("%11%2.%3", "decimal", "tab"),
    ("%11%2.%3.%4", "decimal", "tab"),
]
OUTLINE = [("%1", "decimal", "tab"), ("%1.%2", "decimal", "tab"), ("%1.%2.%3", "decimal", "tab")]
LISTS = {
    "decimal": ("%1.", "decimal", "tab"),
    "lowerLetter": ("%1.", "lowerLetter", "tab"),
    "bullet": ("\uf0b7", "bullet", "tab"),
}


class Numbering:
    """Knows what the next automatic number would be, and restarts the count where the printed one skips."""

    def __init__(self, document, is_code):
        self.root = document.part.numbering_part.element
        for child in list(self.root):
            self.root.remove(child)
        self.is_code = is_code
        self.next_num = 1
        self.abstract = {}
        self.counts = []
        schemes = {"head": CODE if is_code else OUTLINE, "appendix": APPENDIX}
        for name, levels in schemes.items():
            self.define(name, levels, linked=name == "head")
        for name, level in LISTS.items():
            self.define(name, [level], linked=False)
        self.base = {name: self.number(name) for name in schemes}
        for level in range(len(schemes["head"])):
            self.refer(document.styles[f"Heading {level + 1}"].element, self.base["head"], level)

    def define(self, name, levels, linked):
        """An abstract numbering. Those of headings are linked with the styles."""
        self.abstract[name] = len(self.abstract) + 1
        inner = "".join(
            f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
            + (f'<w:pStyle w:val="Heading{at + 1}"/>' if linked else "")
            + f'<w:suff w:val="{after}"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/>'
            + ('<w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol" w:hint="default"/></w:rPr>' if form == "bullet" else "")
            + "</w:lvl>"
            for at, (text, form, after) in enumerate(levels)
        )
        element = parse_xml(
            f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{self.abstract[name]}">'
            f'<w:multiLevelType w:val="multilevel"/>{inner}</w:abstractNum>'
        )
        numbers = self.root.findall(qn("w:num"))
        numbers[0].addprevious(element) if numbers else self.root.append(element)

    def number(self, name, level=None, start=None):
        """A new numbering of an abstract one, whose count on `level` begins anew at `start`."""
        override = ""
        if level is not None:
            override = f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{start}"/></w:lvlOverride>'
        self.root.append(
            parse_xml(
                f'<w:num {nsdecls("w")} w:numId="{self.next_num}">'
                f'<w:abstractNumId w:val="{self.abstract[name]}"/>{override}</w:num>'
            )
        )
        self.next_num += 1
        return self.next_num - 1

    def list_of(self, name, start):
        return self.number(name, 0, start)

    def heading(self, paragraph, heading: source.Heading):
        """Numbers a heading. False when the number has to be typed; then the style's numbering is switched off."""
        counts = self.counts_of(heading)
        if counts is None or counts[:-1] != self.counts[: len(counts) - 1]:
            self.refer(paragraph._p, 0, 0)
            return False
        level = len(counts) - 1
        scheme = "appendix" if isinstance(counts[0], str) else "head"
        last = self.counts[level] if level < len(self.counts) else 0
        if isinstance(counts[-1], str):
            self.refer(paragraph._p, self.number(scheme, level, ord(counts[-1]) - ord("A") + 1), level)
        elif counts[-1] != last + 1:
            # All numberings of one abstract numbering share its counts: the next heading goes on from here.
            self.refer(paragraph._p, self.number(scheme, level, counts[-1]), level)
        elif scheme == "appendix":
            self.refer(paragraph._p, self.base[scheme], level)
        self.counts = counts
        return True

    def counts_of(self, heading):
        """What each level counts in the printed number; `None` for one that the levels do not make."""
        first, *rest = heading.number.split(".")
        below = [int(part) for part in rest]
        if not heading.number or self.is_code and not (heading.label or rest):
            return None
        if not self.is_code or heading.label == "CHAPTER":
            return [int(first), *below]
        if heading.label == "APPENDIX":
            return [first]
        if first[0].isalpha():
            return [first[0], int(first[2:]), *below]
        return [int(first[:-2]), int(first[-2:]), *below]

    def refer(self, element, number, level):
        """Gives a paragraph or a style its place in a numbering; numbering 0 is none."""
        numbered = element.get_or_add_pPr().get_or_add_numPr()
        numbered.get_or_add_ilvl().val = level
        numbered.get_or_add_numId().val = number
