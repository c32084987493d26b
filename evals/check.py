#!/usr/bin/env python3
"""Checks the samples and the questions asked about them. Standard library only.

usage: evals/check.py [root]     (root defaults to the folder above this one)

Exits 0 when everything holds; else prints one line per fault and exits 1.
"""
import pathlib
import re
import sys

CORPORA = {
    "model-code": ["model-building-code.md", "state-amendments.md", "city-amendments.md"],
    "design-standard": ["design-standard.md"],
}
BASE = "model-building-code.md"
KEYS = ["id", "question", "corpus", "expected_sections", "expected_kinds", "tags", "answer_quote", "split"]
TAGS = {"lookup", "paraphrase", "exception", "table", "definition", "amendment", "xref", "not-in-corpus",
        "exact-number", "typo"}
KINDS = {"body", "exception", "table", "definition"}
QUOTE_WORDS = 20

NUMBER = r"(?:[A-Z]\d{3}|\d+)(?:\.\d+)*"
HEADING = re.compile(rf"^(#+) (?:(CHAPTER|SECTION|APPENDIX) ({NUMBER}|[A-Z])\b|({NUMBER}) )(.*)$")
CAPTION = re.compile(rf"^\*\*(Table {NUMBER}(?:\(\d+\))?) .+\*\*$")
ITEM = re.compile(r"^(\d+)\. ")
TABLES = re.compile(rf"\bTables? ({NUMBER}(?:\(\d+\))?)")
SECTIONS = re.compile(rf"\bSections? ({NUMBER}(?:(?:, | and | or | through ){NUMBER})*)")
CHAPTERS = re.compile(r"\bChapters? (\d+(?:(?:, | and | or | through )\d+)*)")
APPENDICES = re.compile(r"\bAppendix ([A-Z])\b")
EXCEPTIONS = re.compile(rf"\b[Ee]xception (\d+) (?:of|to) Section ({NUMBER})")
# the design standard points to the model code with "MBC Section ..." and to itself with a bare number
NAMED_CODE = re.compile(rf"\bMBC (?:Sections?|Tables?) {NUMBER}(?:(?:, | and ){NUMBER})*")


def plain(text):
    """Text without Markdown marks, white space folded."""
    text = re.sub(r"^\|(?:-+\|)+$", " ", text, flags=re.M)
    text = re.sub(r"^#+ ", "", text, flags=re.M)
    return " ".join(re.sub(r"[*|`]", " ", text).split())


def key(number):
    """Sort key: 9.10 after 9.9, and C101 after every number of the body."""
    head, *rest = number.split(".")
    letter = head[0] if head[0].isalpha() else ""
    return (letter, int(head[len(letter):]), *map(int, rest))


class Document:
    """Numbered parts of one sample: number -> its own text up to the next heading."""

    def __init__(self, path):
        self.name = path.name
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.text = "\n".join(self.lines)
        self.parts = {}        # canonical number -> text, all occurrences joined
        self.order = []        # (canonical number, line number) of every heading and caption
        self.exceptions = {}   # number -> how many exceptions are listed
        current, listing = None, False
        for at, line in enumerate(self.lines, 1):
            heading, caption = HEADING.match(line), CAPTION.match(line)
            if heading:
                _, label, named, bare, _ = heading.groups()
                current = bare or {"SECTION": "", "CHAPTER": "Chapter ", "APPENDIX": "Appendix "}[label] + named
                self.order.append((current, at))
                listing = False
            elif line.startswith("#"):      # an amendment's target, e.g. "### Sections 405.1 through 405.2"
                target = re.search(rf"(?:Sections? |Table )({NUMBER}(?:\(\d+\))?)|Appendix ([A-Z])", line)
                current = None
                if target:
                    current = ("Table " if "Table" in line else "Appendix " if target[2] else "") + (target[1] or target[2])
                listing = False
            elif caption:
                self.order.append((caption[1], at))
                self.parts.setdefault(caption[1], []).append("")
            if line.startswith("**Exceptions:**"):
                listing = True
            if line.startswith("**Exception:**") and current:
                self.exceptions[current] = self.exceptions.get(current, 0) + 1
            if listing and ITEM.match(line) and current:
                self.exceptions[current] = self.exceptions.get(current, 0) + 1
            if current:
                self.parts.setdefault(current, []).append(line)
        self.parts = {number: "\n".join(lines) for number, lines in self.parts.items()}
        # a table's text is the run of rows and notes under its caption
        for number, at in self.order:
            if number.startswith("Table "):
                end = at
                while end < len(self.lines) and (not self.lines[end] or self.lines[end].startswith("|")
                                                 or re.match(r"^[a-z]\. ", self.lines[end])):
                    end += 1
                self.parts[number] = "\n".join(self.lines[at - 1:end])


def references(document, text, at):
    """Every (canonical number, line) a piece of text points to, external standards aside."""
    found = []
    for match in SECTIONS.finditer(text):
        found += re.findall(NUMBER, match[1])
    found += ["Table " + match[1] for match in TABLES.finditer(text)]
    for match in CHAPTERS.finditer(text):
        found += ["Chapter " + n for n in re.findall(r"\d+", match[1])]
    found += ["Appendix " + match[1] for match in APPENDICES.finditer(text)]
    return [(number, f"{document.name}:{at}") for number in found]


def check_structure(document, faults):
    """Numbers are unique and in order; a table stands in its section, a section in its chapter."""
    seen, last, section, chapter = set(), None, None, None
    for number, at in document.order:
        where = f"{document.name}:{at}"
        if number in seen:
            faults.append(f"{where}: {number} appears twice")
        seen.add(number)
        if number.startswith("Table "):
            owner = re.sub(r"\(\d+\)$", "", number[6:])
            if owner != section:
                faults.append(f"{where}: {number} stands in {section}")
        elif number.startswith(("Chapter ", "Appendix ")):
            if chapter and chapter.startswith("Chapter ") and number.startswith("Chapter ") \
                    and int(number[8:]) <= int(chapter[8:]):
                faults.append(f"{where}: {number} follows {chapter}")
            chapter, section = number, None
        else:
            if last and key(number) <= key(last):
                faults.append(f"{where}: {number} follows {last}")
            last = section = number
            parent = number.rpartition(".")[0]
            if parent and parent not in seen:
                faults.append(f"{where}: {number} has no parent {parent}")
            head = number.split(".")[0]
            if chapter and chapter.startswith("Chapter ") and head[:-2] != chapter[8:]:
                faults.append(f"{where}: {number} stands in {chapter}")
            if chapter and chapter.startswith("Appendix ") and head[0] != chapter[9:]:
                faults.append(f"{where}: {number} stands in {chapter}")


def check_references(document, known, exceptions, faults):
    count = 0
    for at, line in enumerate(document.lines, 1):
        if line.startswith("#") and HEADING.match(line):
            continue
        own = NAMED_CODE.sub("", line) if document.name == "design-standard.md" else line
        for number, where in references(document, own, at):
            count += 1
            if number not in known:
                faults.append(f"{where}: points to {number}, which does not exist")
        for n, section in EXCEPTIONS.findall(own):
            count += 1
            if int(n) > exceptions.get(section, 0):
                faults.append(f"{document.name}:{at}: exception {n} of {section} does not exist")
    return count


def check_amendments(document, known, exceptions, faults):
    """Revised and deleted targets stand in the layers below; added ones do not (yet)."""
    count = 0
    for at, line in enumerate(document.lines, 1):
        if not (line.startswith("*") and not line.startswith("**") and line.endswith("*")) or at < 4:
            continue
        count += 1
        where = f"{document.name}:{at}"
        targets = [n for n, _ in references(document, line, at)]
        adds = re.match(rf"\*(?:A new )?Section ({NUMBER})(?:,[^.]*?,)? is added", line)
        if adds:
            if adds[1] in known:
                faults.append(f"{where}: adds {adds[1]}, which exists")
            known.add(adds[1])
        renumbered = re.match(rf"\*Section ({NUMBER}) is renumbered as Section ({NUMBER})", line)
        if renumbered:
            if renumbered[2] in known:
                faults.append(f"{where}: renumbers to {renumbered[2]}, which exists")
            known.add(renumbered[2])
        for number in targets:
            if number not in known:
                faults.append(f"{where}: {number} does not exist below this layer")
        for n, section in EXCEPTIONS.findall(line):
            if int(n) > exceptions.get(section, 0):
                faults.append(f"{where}: exception {n} of {section} does not exist")
    known.update(number for number, _ in document.order)
    return count


def read_questions(path, faults):
    """The subset of YAML used here: `- id: ...` starts a row, every key is on a line of its own."""
    rows = []
    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.match(r"^(- |  )(\w+): (.*)$", line)
        if not match:
            faults.append(f"{path.name}:{at}: cannot read {line!r}")
            continue
        start, name, value = match.groups()
        string = r'"((?:[^"\\]|\\.)*)"'
        if re.fullmatch(string, value):
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        elif re.fullmatch(rf"\[(?:{string}(?:, {string})*)?\]", value):
            value = [re.sub(r"\\(.)", r"\1", item) for item in re.findall(string, value)]
        else:
            faults.append(f"{path.name}:{at}: not a quoted string or a list: {value!r}")
            continue
        if start == "- ":
            rows.append({"line": at})
        if not rows:
            faults.append(f"{path.name}:{at}: no row begins before {name!r}")
            continue
        if name in rows[-1]:
            faults.append(f"{path.name}:{at}: {name!r} twice in one row")
        rows[-1][name] = value
    return rows


def check_questions(rows, documents, numbers, faults):
    """`numbers`: for each corpus, every number that some layer gives to a section or a table."""
    ids = set()
    for row in rows:
        where = f"{row['file']}:{row['line']}"
        missing, extra = [k for k in KEYS if k not in row], set(row) - set(KEYS) - {"line", "file"}
        if missing or extra:
            faults.append(f"{where}: missing {missing}, unknown {sorted(extra)}")
            continue
        if row["id"] in ids:
            faults.append(f"{where}: id {row['id']} is used twice")
        ids.add(row["id"])
        if row["corpus"] not in CORPORA:
            faults.append(f"{where}: no corpus {row['corpus']!r}")
            continue
        if row["split"] not in ("dev", "test"):
            faults.append(f"{where}: split {row['split']!r}")
        if not row["tags"] or set(row["tags"]) - TAGS or set(row["expected_kinds"]) - KINDS:
            faults.append(f"{where}: tags {row['tags']}, kinds {row['expected_kinds']}")
        expected, quote = row["expected_sections"], row["answer_quote"]
        absent = "not-in-corpus" in row["tags"]
        if absent != (not expected) or absent != (not quote) or absent != (not row["expected_kinds"]):
            faults.append(f"{where}: exactly the not-in-corpus rows have no section, kind and quote")
            continue
        if len(quote.split()) > QUOTE_WORDS:
            faults.append(f"{where}: quote of {len(quote.split())} words")
        texts = []
        for number in expected:
            holders = [documents[name] for name in CORPORA[row["corpus"]]]
            found = [d.parts[number] for d in holders if number in d.parts]
            if number not in numbers[row["corpus"]]:
                faults.append(f"{where}: {number} is not in {row['corpus']}")
            texts += found
        if quote and not any(plain(quote) in plain(text) for text in texts):
            faults.append(f"{where}: quote not found in {expected}: {quote!r}")


def main(root):
    faults = []
    documents = {}
    for names in CORPORA.values():
        for name in names:
            documents[name] = Document(root / "samples" / name)
    base, standard = documents[BASE], documents["design-standard.md"]
    check_structure(base, faults)
    check_structure(standard, faults)

    known, exceptions = {n for n, _ in base.order}, dict(base.exceptions)
    count = check_references(base, known, exceptions, faults)
    mbc = set(known)
    for name in CORPORA["model-code"][1:]:
        amendments = check_amendments(documents[name], known, exceptions, faults)
        check_references(documents[name], known, exceptions, faults)
        for number, n in documents[name].exceptions.items():
            exceptions[number] = max(exceptions.get(number, 0), n)
        print(f"{name}: {amendments} instructions")
    own = {n for n, _ in standard.order}
    check_references(standard, own, standard.exceptions, faults)
    for at, line in enumerate(standard.lines, 1):      # the standard's references to the model code
        for match in NAMED_CODE.finditer(line):
            for number, where in references(standard, match[0][4:], at):
                if number not in mbc:
                    faults.append(f"{where}: MBC {number} does not exist")

    rows = []
    for name in ("samples.yaml", "samples-more.yaml"):
        rows += [row | {"file": name} for row in read_questions(root / "evals" / name, faults)]
    check_questions(rows, documents, {"model-code": known, "design-standard": own}, faults)

    leaves = sum(1 for n, _ in base.order if not n.startswith(("Table", "Chapter", "Appendix")) and "." in n)
    print(f"{BASE}: {leaves} sections, {sum(n.startswith('Table') for n, _ in base.order)} tables, "
          f"{len(base.exceptions)} sections with exceptions, {count} cross-references")
    print(f"design-standard.md: {sum(not n.startswith('Table') for n, _ in standard.order)} sections")
    print(f"{len(rows)} questions")
    for name, values in (("tag", sorted(TAGS)), ("corpus", CORPORA)):
        for value in values:
            splits = [row.get("split") for row in rows if value in (row.get("corpus"), *row.get("tags", []))]
            print(f"  {name} {value}: {len(splits)}, {splits.count('dev')} dev and {splits.count('test')} test")
    for fault in faults:
        print(fault)
    print("ok" if not faults else f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent.parent
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here))
