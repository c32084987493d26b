"""The command line against a server with the extension; what it ingests, the other files ask about."""

import contextlib
import json
import os
import pathlib
import pty
import re
import subprocess

from harness import CODECITE, CORPUS, ENV, LATER, REPO, any_number, codecite, in_database, run, scratch, sql


async def test_doctor_without_the_extension():
    out = codecite("doctor", code=1)
    assert "CREATE EXTENSION" in out, out


async def test_ingest():
    sql("CREATE EXTENSION codecite CASCADE")
    samples = REPO / "samples"
    base = codecite("ingest", str(samples / "model-building-code.md"), "--corpus", CORPUS, "--corpus-title",
                    "Model Building Code", "--edition", "2024", "--effective", "2024-01-01")
    assert "1 ingested, 0 unchanged, 0 failed" in base, base
    codecite("ingest", str(samples / "city-amendments.md"), "--corpus", CORPUS, "--layer", "amendment")
    again = codecite("ingest", str(samples / "city-amendments.md"), "--corpus", CORPUS, "--layer", "amendment")
    assert "0 ingested, 1 unchanged, 0 failed" in again, again
    later = scratch("later.md")
    text = (samples / "model-building-code.md").read_text().replace("less than", "at least")
    later.write_text(text + "\n## 9901 LATER\n\n### 9901.1 Added\n\nThis section is new in the later code.\n")
    try:
        codecite("ingest", str(later), "--corpus", LATER, "--document", "later")
    finally:
        later.unlink()


async def test_ingest_goes_on_after_a_bad_file():
    folder = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"codecite-mcp-{os.getpid()}"
    folder.mkdir()
    try:
        (folder / "a-bad.pdf").write_bytes(b"%PDF-1.7 and nothing more")
        (folder / "b-good.md").write_text("# Chapter 1 Scope\n\n## 101.1 Title\n\nThis is the sample.\n")
        done = subprocess.run([CODECITE, "ingest", str(folder), "--corpus", "other"], capture_output=True, text=True,
                              env={**os.environ, **ENV})
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    assert done.returncode == 1 and "1 ingested, 0 unchanged, 1 failed" in done.stdout, done.stdout + done.stderr


async def test_dry_run_stores_nothing():
    before = sql("SELECT count(*) FROM codecite.document")
    out = codecite("ingest", str(REPO / "samples/state-amendments.md"), "--corpus", "dry", "--dry-run")
    assert re.search(r"\d", out), out
    assert sql("SELECT count(*) FROM codecite.document") == before


async def test_search_and_section_commands():
    number = any_number()
    assert number in codecite("search", number, "--corpus", CORPUS)
    found = json.loads(codecite("section", number, "--corpus", CORPUS, "--json"))
    assert found["status"] == "found" and found["sections"][0]["number"] == number
    missing = json.loads(codecite("section", "9999.99", "--corpus", CORPUS, "--json", code=3))
    assert missing["status"] == "not_in_corpus"
    nowhere = json.loads(codecite("section", "9999.99", "--corpus", "no-such-corpus", "--json", code=3))
    assert nowhere["status"] == "not_indexed"
    codecite("search", "section 9999.99", "--corpus", CORPUS, code=3)


async def test_compare_command():
    found = json.loads(codecite("compare", CORPUS, LATER, "--json"))["changes"]
    assert {"changed", "added"} <= {row["change"] for row in found} and any("{+at" in row.get("redline", "") for row in found)
    assert "changed" in codecite("compare", CORPUS, LATER, "--chapter", "10")
    assert "no section differs" in codecite("compare", CORPUS, CORPUS)
    codecite("compare", CORPUS, "no-such-corpus", code=1)
    codecite("compare", CORPUS, CORPUS, "--edition-a", "1802", code=1)


async def test_resolve_command():
    number = any_number()
    found = json.loads(codecite("resolve", "see Section", number, "--corpus", CORPUS, "--json"))["references"]
    assert found[0]["status"] == "found" and found[0]["target"] == number
    assert "not in this corpus" in codecite("resolve", f"Sections {number} and 9999.99", "--corpus", CORPUS, code=3)
    assert "No reference" in codecite("resolve", "nothing to see here", code=3)


async def test_lists_of_the_command_line():
    assert CORPUS in codecite("corpora") and "city-amendments" in codecite("corpora", CORPUS)
    codecite("corpora", "no-such-corpus", code=3)
    outline = json.loads(codecite("chapters", CORPUS, "--json"))["documents"]
    assert outline[0]["parts"][0]["number"] == "Chapter 1" and outline[0]["parts"][0]["sections"] > 5
    assert "Chapter 10" in codecite("chapters", CORPUS)
    codecite("chapters", "no-such-corpus", code=1)
    operations = json.loads(codecite("amendments", CORPUS, "--json"))["operations"]
    assert len(operations) > 5 and all(row["document"] == "city-amendments" for row in operations)
    one = next(row["target"] for row in operations if row["status"] == "applied")
    assert f" {one}" in codecite("amendments", CORPUS, "--number", one)
    assert "No amending document" in codecite("amendments", LATER)
    codecite("amendments", "no-such-corpus", code=1)


async def test_models_of_the_command_line():
    models = json.loads(codecite("model", "list", "--json"))["models"]
    assert [model["model"] for model in models if model["in_use"]] == ["hash"]
    assert "hash" in codecite("model", "list") and "hash" in codecite("model", "use", "hash")
    codecite("model", "use", "no-such-model", code=1)
    codecite("model", "add", "no-such-model", code=1)
    codecite("model", "drop", "no-such-model", code=1)


async def test_drop_asks_first():
    path = scratch("drop.md")
    path.write_text("# Chapter 1 Scope\n\n## 101.1 Title\n\nThis goes again.\n")
    try:
        for document in ("one", "two"):
            codecite("ingest", str(path), "--corpus", "doomed", "--document", document, "--replace")
            path.write_text(path.read_text() + "\nAnd more.\n")
    finally:
        path.unlink()
    count = "SELECT count(*) FROM codecite.documents('doomed')"
    codecite("drop", "doomed", code=1)
    codecite("drop", "doomed", "--document", "one", code=1)
    assert sql(count) == "2"
    assert "1 document" in codecite("drop", "doomed", "--document", "one", "--yes") and sql(count) == "1"
    codecite("drop", "doomed", "--document", "one", "--yes", code=1)
    assert json.loads(codecite("drop", "doomed", "--yes", "--json"))["documents_dropped"] == 1
    codecite("drop", "doomed", "--yes", code=1)
    assert sql("SELECT count(*) FROM codecite.corpora() WHERE corpus = 'doomed'") == "0"


async def test_init_makes_what_is_missing_once():
    url = in_database(os.environ["ADMIN_URL"], os.environ["TEST_DATABASE"] + "_init")
    url = url.replace("postgresql:/", "postgresql:///", 1) if not url.startswith("postgresql://") else url
    first = codecite("--database-url", url, "init", "--model", "hash", "--grant-read", "pg_monitor")
    assert "_init: made" in first and "extension codecite" in first and first.count("installed") == 2 and "pg_monitor: may search" in first, first
    again = json.loads(codecite("--database-url", url, "init", "--model", "hash", "--json"))["steps"]
    assert len(again) == 4 and all("was " in step for step in again), again
    codecite("--database-url", url, "init", "--model", "no-such-model", code=1)


async def test_export_gives_the_text_back():
    lines = [json.loads(line) for line in codecite("export", CORPUS, "--json").splitlines()]
    stored = sql(f"SELECT count(*), sum(length(body)) FROM codecite.section s JOIN codecite.corpus c ON c.id = s.corpus_id "
                 f"WHERE c.name = '{CORPUS}' AND s.nested IS NULL")
    assert stored == f"{len(lines)}|{sum(len(line['body']) for line in lines)}", stored
    assert {line["layer"] for line in lines} == {"base", "amendment"}
    markdown = codecite("export", CORPUS, "--document", "model-building-code")
    assert markdown.startswith(f"<!-- corpus: {CORPUS}; layer: base; document: model-building-code; edition: 2024") and "\n## " in markdown
    # What was exported can be ingested again: the same numbers, in the same order.
    path = scratch("export.md")
    codecite("export", CORPUS, "--document", "model-building-code", "--out", str(path))
    try:
        codecite("export", CORPUS, "--out", str(path), code=1)
        assert path.read_text() == markdown
        codecite("ingest", str(path), "--corpus", "exported", "--document", "again", "--no-embed")
    finally:
        path.unlink()
    numbers = "SELECT string_agg(number, ' ' ORDER BY ordinal) FROM codecite.toc('{}') WHERE layer = 'base' AND kind <> 'table'"
    assert sql(numbers.format("exported")) == sql(numbers.format(CORPUS))
    codecite("export", "no-such-corpus", code=1)


async def test_many_files_at_once_and_patterns():
    folder = scratch("many")
    folder.mkdir()
    try:
        for n in range(6):
            (folder / f"part-{n}.md").write_text(f"# Chapter {n + 1} Scope\n\n## {n + 1}01.1 Title\n\nThis is sample {n}.\n")
        (folder / "bad.pdf").write_bytes(b"%PDF-1.7 and nothing more")
        out = codecite("ingest", str(folder / "part-[0-4].md"), str(folder / "*.pdf"), "--corpus", "many", "--jobs", "4", "--json", code=1)
        results = {pathlib.Path(row["path"]).name: row["result"] for row in json.loads(out)}
        assert results == {**{f"part-{n}.md": "ingested" for n in range(5)}, "bad.pdf": "failed"}, results
        shown = codecite("ingest", str(folder / "part-5.md"), "--corpus", "many", "--show-tree", "--edition", "1", "--effective", "2024-01-01")
        assert "601.1" in shown and "1 ingested" in shown, shown
        changed = folder / "part-5.md"
        changed.write_text(changed.read_text() + "\nMore.\n")
        codecite("ingest", str(changed), "--corpus", "many", "--edition", "1", "--effective", "2024-01-01", code=1)
        codecite("ingest", str(changed), "--corpus", "many", "--edition", "1", "--effective", "2024-01-01", "--replace")
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    assert sql("SELECT count(*) FROM codecite.documents('many') WHERE NOT superseded") == "6"


async def test_options_of_search_narrow_it():
    def hits(*options, code=0):
        return json.loads(codecite("search", "minimum width of stairs", "--json", *options, code=code))["hits"]
    both = hits("--corpus", CORPUS, "--corpus", LATER, "--k", "8")
    assert {hit["corpus"] for hit in both} == {CORPUS, LATER} and max(hit["rank"] for hit in both) <= 8
    assert all(hit["layer"] == "base" for hit in hits("--corpus", CORPUS, "--layer", "base"))
    chapter = hits("--corpus", CORPUS, "--layer", "base", "--chapter", "10", "--mode", "lexical")
    assert chapter and all(hit["number"].startswith("10") for hit in chapter), [hit["number"] for hit in chapter]
    assert all("table" in hit["kinds"] for hit in hits("--corpus", CORPUS, "--kinds", "table"))
    assert not hits("--corpus", CORPUS, "--layer", "base", "--as-of", "1999-01-01", code=3)
    assert json.loads(codecite("section", "1004.5", "--corpus", CORPUS, "--layer", "base", "--as-of", "1999-01-01", "--json", code=3))["status"] == "not_indexed"


def on_a_terminal(*arguments, **env):
    """What the command prints on a terminal, and its exit code."""
    controller, terminal = pty.openpty()
    child = subprocess.Popen([CODECITE, *arguments], stdout=terminal, stderr=subprocess.DEVNULL, env={**os.environ, **ENV, **env})
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # the end, on Linux
        while piece := os.read(controller, 65536):
            shown += piece
    os.close(controller)
    return child.wait(), shown.decode()


async def test_colour_is_for_terminals_that_want_it():
    search = ("search", "1004.5", "--corpus", CORPUS)
    assert "\x1b" not in codecite(*search)
    code, shown = on_a_terminal(*search, NO_COLOR="")
    assert code == 0 and "\x1b[1m" in shown
    code, shown = on_a_terminal(*search, NO_COLOR="1")
    assert code == 0 and "\x1b" not in shown


async def test_every_command_answers_in_json():
    for arguments in (("doctor",), ("corpora",), ("chapters", CORPUS), ("amendments", CORPUS), ("search", "stairs"), ("section", "1004.5"),
                      ("context", "1004.5"), ("define", "occupant load"), ("resolve", "Section 1004.5"), ("verify", "Section 1004.5."),
                      ("compare", CORPUS, LATER, "--chapter", "10"), ("model", "list")):
        done = subprocess.run([CODECITE, *arguments, "--json"], capture_output=True, text=True, env={**os.environ, **ENV})
        assert json.loads(done.stdout) and done.returncode in (0, 3), (arguments, done)


run(globals())
