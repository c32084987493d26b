"""Renders the sample codes, which are written in Markdown, into the other formats that codecite reads.

    python3 -m venv venv && venv/bin/pip install -r samples/build/requirements.txt
    venv/bin/python samples/build/build.py

writes samples/*.html, *.docx and *.pdf. The same versions of the tools and fonts make the same bytes: dates and
identifiers are fixed.
"""

import os
import sys
from pathlib import Path

# Read when WeasyPrint and fontTools write: 2024-01-01.
os.environ["SOURCE_DATE_EPOCH"] = "1704067200"

import source  # noqa: E402
import to_docx  # noqa: E402
import to_html  # noqa: E402
import to_pdf  # noqa: E402

SAMPLES = Path(__file__).resolve().parent.parent
# Which sample is made into what.
TARGETS = {
    "model-building-code": ["html", "docx", "pdf", "two-column.pdf"],
    "state-amendments": ["html"],
    "city-amendments": ["docx"],
    "design-standard": ["docx"],
}


def main(folder: Path):
    for name, kinds in TARGETS.items():
        pieces = source.read(SAMPLES / f"{name}.md")
        title = source.plain(pieces[0].inlines)
        for kind in kinds:
            path = folder / f"{name}{'-' if kind.startswith('two') else '.'}{kind}"
            path.write_bytes(render(kind, pieces, title))
            print(f"{path.stat().st_size:8} {path.name}")


def render(kind, pieces, title):
    match kind:
        case "html":
            return to_html.write(pieces, title).encode()
        case "docx":
            return to_docx.write(pieces, title)
        case "pdf":
            return to_pdf.write(pieces, title, columns=1)
        case "two-column.pdf":
            return to_pdf.write(pieces, title, columns=2)
    raise ValueError(kind)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES)
