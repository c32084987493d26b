"""The real codes, their gold, the list of what is wrong in gold, and what `read` makes of the files."""

import json
import os
import subprocess

from .numbers import canonical

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.environ.get("CODECITE_SHARED", os.path.join(ROOT, "..", "shared"))
READ = os.environ.get("READ", os.path.join(ROOT, "target", "debug", "examples", "read"))

# Which files each gold file describes.
GOLD = {
    "nyc-title-28": ["nyc_title_28/nyc_title28_chapter1.pdf", "nyc_title_28/nyc_title28_chapter3.pdf"],
    "sf-bc-2022": ["san_francisco/san_francisco-ca-1.txt"],
    "ada-2010": ["us_doj_ada/2010-stds.md"],
    "cfr-28-36": ["us_doj_ada/title-iii-regulations.md"],
    "cfr-28-36-pdf": ["us_doj_ada/title-iii-2010-regulations.pdf"],
    "uk-adb1": ["uk_approved_documents/Approved_Document_B_vol_1-Content.pdf"],
    "uk-adh": ["uk_approved_documents/Approved_Document_H.pdf"],
    "ga-title-8": ["georgia_title_8/ocga_title08_r86.html"],
    "bc-part3": ["bc_building_code/NBC2020p1_Division_B_Part_3.FIN.docx"],
}


def gold_rows(name, sort):
    """The rows of one gold file without those that are known to be wrong, and with what they are known to leave out of a
    number; none when there is no such file."""
    path = os.path.join(SHARED, "golden", f"{name}.{sort}.jsonl")
    if not os.path.exists(path):
        return []
    rows = [json.loads(line) for line in open(path, encoding="utf-8")]
    wrong = errata(name, sort)
    for at, entry in wrong.items():
        if "field" in entry:
            rows[at - 1][entry["field"]] = None
        if "printed" in entry:
            rows[at - 1]["raw"] = entry["printed"]
    return [row for at, row in enumerate(rows, 1) if at not in wrong or {"field", "printed"} & wrong[at].keys()]


def errata(name, sort):
    """The rows of a gold file that are wrong, counted from 1: the reason, and what of the row is wrong if not all."""
    return {entry["row"]: entry for entry in listed(name, sort) if "row" in entry}


def omitted(name):
    """The numbers of headings that a file has and gold does not."""
    return {canonical(entry["omitted"]) for entry in listed(name, "structure") if "omitted" in entry}


def listed(name, sort):
    """What is known to be wrong in a gold file."""
    path = os.path.join(ROOT, "evals", "gold-errata", f"{name}.json")
    if not os.path.exists(path):
        return []
    return json.load(open(path, encoding="utf-8")).get(sort, [])


class Text:
    """One file as it was read: its sections in order and its whole text, addressed by bytes."""

    def __init__(self, path, rows):
        self.file = os.path.basename(path)
        self.sections = rows
        own = [row for row in rows if row["nested"] is None]
        self.bytes = b"".join(row["text"].encode() for row in own)
        self.text = self.bytes.decode()


def read(path):
    """A file's tree as `Text`, with the profile that was chosen; or `None` and what was printed."""
    run = subprocess.run([READ, os.path.join(SHARED, "corpora", path), "tree"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return None, run.stderr.strip()
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    rows = [row for row in rows if "warning" not in row]
    for row in rows:
        row["file"] = os.path.basename(path)
        row["key"] = canonical(row["number"])
    return Text(path, rows), run.stderr.strip()
