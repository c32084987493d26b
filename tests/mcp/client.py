"""Talks to `codecite serve` as an agent does, and proves what its instructions promise."""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import traceback
from urllib.parse import urlsplit, urlunsplit

from mcp import StdioServerParameters
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.types import PromptReference, ResourceTemplateReference

REPO = pathlib.Path(__file__).resolve().parents[2]
CODECITE = os.environ["CODECITE"]
CORPUS = "mcp-test"
# The same code with other words, numbers and sections: made by test_ingest.
LATER = "mcp-later"
TOOLS = ["search_code", "get_section", "get_context", "resolve_reference", "verify_answer", "compare_editions",
         "list_corpora", "list_chapters", "list_amendments"]


def in_database(url, name):
    """The same server, another database: of a URL, or of keywords."""
    if "://" in url:
        return urlunsplit(urlsplit(url)._replace(path="/" + name))
    return re.sub(r"dbname=\S+", "", url) + f" dbname={name}"


URL = in_database(os.environ["ADMIN_URL"], os.environ["TEST_DATABASE"])
if "://" in URL and URL.startswith("postgresql:/") and not URL.startswith("postgresql://"):
    URL = URL.replace("postgresql:/", "postgresql:///", 1)
ENV = {"CODECITE_DATABASE_URL": URL, "RUST_LOG": "info"}


def sql(statement):
    done = subprocess.run([os.environ["PSQL"], "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", URL, "-c", statement],
                          check=True, capture_output=True, text=True)
    return done.stdout.strip()


def codecite(*arguments, code=0):
    done = subprocess.run([CODECITE, *arguments], capture_output=True, text=True, env={**os.environ, **ENV})
    assert done.returncode == code, f"{arguments} ended with {done.returncode}: {done.stdout}\n{done.stderr}"
    return done.stdout


def server(**env):
    return StdioServerParameters(command=CODECITE, args=["serve"], env={**ENV, **env})


def text(result):
    return result.content[0].text


async def good(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    return result.structured_content, text(result)


# The command line -----------------------------------------------------------------------------------------------------

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


def scratch(name):
    return pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"codecite-mcp-{os.getpid()}-{name}"


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


def any_number():
    return sql("SELECT s.number FROM codecite.section s JOIN codecite.document d ON d.id = s.document_id "
               "WHERE d.layer = 'base' AND s.kind = 'section' AND length(s.body) > 200 ORDER BY s.document_id, s.ordinal LIMIT 1")


# The server -----------------------------------------------------------------------------------------------------------

async def test_both_ways_to_begin():
    for mode in ("auto", "legacy"):
        async with Client(server(), mode=mode) as client:
            assert "cite or abstain" in client.instructions.lower()
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == TOOLS
            assert all(tool.output_schema and tool.annotations.read_only_hint for tool in tools)
            assert all(len(tool.description) < 2048 and "Example: " in tool.description for tool in tools)


async def test_list_corpora():
    async with Client(server()) as client:
        data, shown = await good(client, "list_corpora")
        assert CORPUS in [corpus["corpus"] for corpus in data["corpora"]] and CORPUS in shown
        assert {document["layer"] for document in data["documents"] if document["corpus"] == CORPUS} == {"base", "amendment"}
        one, _ = await good(client, "list_corpora", corpus="other")
        assert [corpus["corpus"] for corpus in one["corpora"]] == ["other"]


async def test_search_cites_what_is_there():
    async with Client(server()) as client:
        data, shown = await good(client, "search_code", query="minimum width of stairs", corpora=[CORPUS], k=3)
        assert data["hits"] and data["coverage"] in ("covered", "uncertain")
        for hit in data["hits"]:
            assert hit["citation"] in shown
            stored = sql("SELECT string_agg(body, ' ') FROM codecite.section WHERE number = $q$" + hit["number"] + "$q$")
            words = hit["body"].split()[:5]
            assert " ".join(words) in " ".join(stored.split()), hit["body"][:80]


async def test_exact_number_is_first():
    number = any_number()
    async with Client(server()) as client:
        data, _ = await good(client, "search_code", query=number, corpora=CORPUS)
        assert data["hits"][0]["number"] == number and data["coverage"] == "covered"


async def test_section_tells_its_three_answers_apart():
    async with Client(server()) as client:
        number = any_number()
        found, shown = await good(client, "get_section", number=f"§ {number}", corpus=CORPUS)
        assert found["status"] == "found" and found["sections"][0]["citation"] in shown
        without, shown = await good(client, "get_section", number=f"{number}, Exception 77", corpus=CORPUS)
        assert without["status"] == "found" and "Exception 77" in without["note"] and "has no Exception 77" in shown
        assert "Exception 77" not in without["sections"][0]["citation"]
        missing, shown = await good(client, "get_section", number="9999.99", corpus=CORPUS)
        assert missing["status"] == "not_in_corpus" and not missing["sections"] and "nearest" in shown
        nowhere, shown = await good(client, "get_section", number="9999.99", corpus="no-such-corpus")
        assert nowhere["status"] == "not_indexed" and "nothing can be said" in shown


async def test_context_names_what_stands_around():
    async with Client(server()) as client:
        number = any_number()
        found, shown = await good(client, "get_context", number=number, corpus=CORPUS)
        relations = [row["relation"] for row in found["related"]]
        assert found["status"] == "found" and relations.count("parent") == 1
        order = ["parent", "sibling", "child", "reference", "referenced_by"]
        assert relations == sorted(relations, key=order.index)
        assert all(row["citation"] in shown for row in found["related"] if row["status"] == "found")
        missing, shown = await good(client, "get_context", number="9999.99", corpus=CORPUS)
        assert missing["status"] == "not_in_corpus" and not missing["related"] and "nearest" in shown


async def test_the_readme_names_every_tool():
    readme = REPO.joinpath("README.md").read_text(encoding="utf-8")
    table = readme.split("The agent gets these tools", 1)[1].split("Several agents", 1)[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == TOOLS


async def test_references_of_a_text_are_looked_up():
    number = any_number()
    async with Client(server()) as client:
        data, shown = await good(client, "resolve_reference", text=f"As Section {number}, Exception 1, and Table 9999.9 say.", corpus=CORPUS)
        found = {row["target"]: row for row in data["references"]}
        assert found[number]["status"] == "found" and found[number]["locator"] == "Exception 1"
        assert found[number]["citation"] in shown and found["Table 9999.9"]["status"] == "not_in_corpus"
        assert "Table 9999.9 · not_in_corpus: do not cite it" in shown
        nowhere, shown = await good(client, "resolve_reference", text=f"Section {number}", corpus="no-such-corpus")
        assert nowhere["references"][0]["status"] == "not_indexed" and "nothing can be said" in shown
        early, _ = await good(client, "resolve_reference", text=f"Section {number}", corpus=CORPUS, as_of="1990-01-01")
        assert early["references"][0].get("layer") != "base"
        none, shown = await good(client, "resolve_reference", text="Nothing at all.")
        assert not none["references"] and "no reference" in shown


async def test_a_draft_is_checked_word_by_word():
    number = any_number()
    body = sql(f"SELECT body FROM codecite.section('{number}', '{CORPUS}', 'base')")
    words = " ".join(body.split()[3:15])
    changed = words.replace(words.split()[5], "zeppelins", 1)
    async with Client(server()) as client:
        data, shown = await good(client, "verify_answer", corpus=CORPUS,
                                 text=f"Section {number} says “{words}”. Section 9999.9 says more, and so does NFPA 13 §8.3.")
        verdicts = [(row["kind"], row["verdict"]) for row in data["claims"]]
        assert ("quotation", "quote_exact") in verdicts, (words, data)
        assert ("citation", "not_in_corpus") in verdicts and ("citation", "not_checked") in verdicts, data
        assert "it is not there: do not cite it" in shown
        wrong, shown = await good(client, "verify_answer", corpus=CORPUS, text=f"Section {number} says “{changed}”.")
        altered = [row for row in wrong["claims"] if row["verdict"] == "quote_altered"]
        assert altered and "{+zeppelins+}" in altered[0]["redline"] and altered[0]["redline"] in shown, wrong
        none, shown = await good(client, "verify_answer", text="Nothing at all.")
        assert not none["claims"] and "no citation and no quotation" in shown


async def test_what_changed_is_told_with_both_citations():
    async with Client(server()) as client:
        data, shown = await good(client, "compare_editions", corpus_a=CORPUS, corpus_b=LATER, chapter="10")
        changed = next(row for row in data["changes"] if row["change"] == "changed")
        assert "[-less" in changed["redline"] and "{+at" in changed["redline"]
        assert changed["citation_a"] in shown and changed["citation_b"] in shown and "> " in shown
        whole, _ = await good(client, "compare_editions", corpus_a=CORPUS, corpus_b=LATER, max_chars=100000)
        assert "9901.1" in [row.get("number_b") for row in whole["changes"] if row["change"] == "added"]
        same, shown = await good(client, "compare_editions", corpus_a=CORPUS, corpus_b=CORPUS, edition_a="2024", edition_b="2024")
        assert not same["changes"] and "no section differs" in shown
        result = await client.call_tool("compare_editions", {"corpus_a": CORPUS, "corpus_b": "no-such-corpus"})
        assert result.is_error and "nothing to compare" in text(result)


async def test_chapters_are_listed_with_what_they_hold():
    async with Client(server()) as client:
        data, shown = await good(client, "list_chapters", corpus=CORPUS)
        base, amendment = data["documents"]
        assert base["layer"] == "base" and amendment["layer"] == "amendment"
        first = base["parts"][0]
        counted = sql("SELECT count(*) FROM (SELECT *, count(*) FILTER (WHERE depth = 0) OVER (ORDER BY ordinal) AS n FROM "
                      f"codecite.toc('{CORPUS}') WHERE layer = 'base') t WHERE n = 1 AND kind = 'section'")
        assert first["number"] == "Chapter 1" and str(first["sections"]) == counted and "Chapter 1 " in shown
        result = await client.call_tool("list_chapters", {"corpus": "no-such-corpus"})
        assert result.is_error and "there is no corpus" in text(result)


async def test_amendments_are_listed_with_their_words():
    async with Client(server()) as client:
        data, shown = await good(client, "list_amendments", corpus=CORPUS)
        row = next(row for row in data["operations"] if row["status"] == "applied" and row.get("instruction"))
        assert "> " + row["instruction"].splitlines()[0] in shown and row["citation"] in shown
        one, _ = await good(client, "list_amendments", corpus=CORPUS, number=row["target"])
        assert row["target"] in [other["target"] for other in one["operations"]]
        assert len(one["operations"]) < len(data["operations"])
        none, shown = await good(client, "list_amendments", corpus=LATER)
        assert not none["operations"] and "that is indexed" in shown
        result = await client.call_tool("list_amendments", {"corpus": "no-such-corpus"})
        assert result.is_error and "there is no corpus" in text(result)


async def test_resources_are_read_and_completed():
    number = any_number()
    async with Client(server()) as client:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert f"codecite://{CORPUS}/toc" in uris, uris
        templates = (await client.list_resource_templates()).resource_templates
        section = next(template.uri_template for template in templates if template.name == "section")
        toc = (await client.read_resource(f"codecite://{CORPUS}/toc")).contents[0].text
        assert number in toc and "city-amendments" in toc
        body = (await client.read_resource(f"codecite://{CORPUS}/section/{number}")).contents[0].text
        assert body.startswith("status: found") and number in body
        table = sql(f"SELECT number FROM codecite.toc('{CORPUS}') WHERE kind = 'table' LIMIT 1")
        assert table in (await client.read_resource(f"codecite://{CORPUS}/section/{table.replace(' ', '%20')}")).contents[0].text
        for uri in (f"codecite://{CORPUS}/section/9999.99", "codecite://no-such-corpus/toc", "codecite://x/y"):
            try:
                await client.read_resource(uri)
                raise AssertionError(f"{uri} was read")
            except MCPError as error:
                assert error.error.code != -32603, error
        reference = ResourceTemplateReference(uri=section)
        corpora = await client.complete(reference, {"name": "corpus", "value": CORPUS[:5]})
        assert CORPUS in corpora.completion.values and LATER not in corpora.completion.values or CORPUS[:5] == LATER[:5]
        numbers = await client.complete(reference, {"name": "number", "value": number[:3]}, {"corpus": CORPUS})
        assert number in numbers.completion.values and all(n.startswith(number[:3]) for n in numbers.completion.values)
        assert len((await client.complete(reference, {"name": "number", "value": ""}, {"corpus": CORPUS})).completion.values) == 100
        prompt = await client.complete(PromptReference(name="code_question"), {"name": "corpus", "value": ""})
        assert {CORPUS, LATER} <= set(prompt.completion.values)


async def test_prompts_carry_the_rules():
    async with Client(server()) as client:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert list(prompts) == ["code_question", "compare_to_standard"]
        question = await client.get_prompt("code_question", {"question": "How wide are stairs?", "corpus": CORPUS})
        compared = await client.get_prompt("compare_to_standard", {"corpus": CORPUS, "standard": LATER, "topic": "stairs"})
        for prompt, words in ((question, "How wide are stairs?"), (compared, LATER)):
            shown = prompt.messages[0].content.text
            assert words in shown
            for rule in ("word for word", "citation", "amendment", "do not cover", "never an instruction"):
                assert rule in shown, rule


async def test_results_keep_their_budget_and_can_be_read_on():
    sql("INSERT INTO codecite.corpus (name, title) VALUES ('long', 'Long') ON CONFLICT DO NOTHING")
    body = "\n\n".join(f"The {i}th rule of this section says \"§ {i}\" and a little more than that." for i in range(1500))
    path = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"codecite-long-{os.getpid()}.md"
    path.write_text(f"# Chapter 1 Scope\n\n## 101.1 Rules\n\n{body}\n")
    try:
        codecite("ingest", str(path), "--corpus", "long", "--document", "long", "--no-embed")
    finally:
        path.unlink()
    whole = sql("SELECT body FROM codecite.section WHERE number = '101.1' AND length(body) > 50000")
    tested = set()
    async with Client(server()) as client:
        for tool, arguments in [("get_section", {"number": "101.1", "corpus": "long"}),
                                ("search_code", {"query": "rule of this section", "k": 50}), ("list_corpora", {}),
                                ("get_context", {"number": "Chapter 10", "corpus": CORPUS}),
                                ("resolve_reference", {"text": "See Sections 1004.5, 1005.1, 1003.1 and 1003.2. " * 30}),
                                ("verify_answer", {"text": "See Section 1004.5 and Sections 1003.1 and 9999.1. " * 30, "corpus": CORPUS}),
                                ("compare_editions", {"corpus_a": CORPUS, "corpus_b": LATER}),
                                ("compare_editions", {"corpus_a": CORPUS, "corpus_b": "long"}),
                                ("list_chapters", {"corpus": CORPUS}), ("list_amendments", {"corpus": CORPUS})]:
            tested.add(tool)
            for most in (2000, 5000, 24000):
                data, shown = await good(client, tool, **arguments, max_chars=most)
                assert len(shown) <= most and len(json.dumps(data, ensure_ascii=False, separators=(",", ":"))) <= most, tool
                if most == 2000 and tool != "list_corpora":
                    assert data["truncated"] in shown
        assert tested == set(TOOLS)
        pieces, offset = [], 0
        while True:
            data, _ = await good(client, "get_section", number="101.1", corpus="long", offset=offset)
            piece = data["sections"][0]["body"]
            pieces.append(piece)
            offset += len(piece)
            if "truncated" not in data:
                break
            assert f"offset={offset}" in data["truncated"]
        assert "".join(pieces).strip() == whole.strip() and len(pieces) > 2


async def test_errors_reach_the_model():
    async with Client(server()) as client:
        result = await client.call_tool("search_code", {"query": "x", "layer": "nonsense", "kinds": ["nonsense"]})
        # Either an error in words, or an honest empty answer: never a failure of the protocol.
        assert result.is_error or result.structured_content["coverage"] == "not_covered"
        result = await client.call_tool("get_section", {"number": "101.1", "as_of": "someday"})
        assert result.is_error and "YYYY-MM-DD" in text(result)


async def test_no_access_is_said():
    sql("DROP ROLE IF EXISTS codecite_mcp_nobody; CREATE ROLE codecite_mcp_nobody")
    try:
        async with Client(server(PGOPTIONS="-c role=codecite_mcp_nobody")) as client:
            result = await client.call_tool("list_corpora", {})
            assert result.is_error and "42501" in text(result) and "grant_read" in text(result), text(result)
    finally:
        sql("DROP ROLE codecite_mcp_nobody")


async def test_a_lost_connection_is_made_anew():
    kill = ("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE application_name = 'codecite' AND datname = current_database()")
    async with Client(server()) as client:
        for _ in range(5):
            await good(client, "list_corpora")
            assert int(sql(kill)) >= 1
            await good(client, "search_code", query="stairs", corpora=[CORPUS])


async def test_sessions_are_idle_and_read_only():
    async with Client(server()) as client:
        await asyncio.gather(*(good(client, "search_code", query="stairs width", corpora=[CORPUS]) for _ in range(6)))
        states = sql("SELECT string_agg(DISTINCT state, ',') FROM pg_stat_activity "
                     "WHERE application_name = 'codecite' AND datname = current_database()")
        assert states == "idle", states
        count = int(sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'codecite' AND datname = current_database()"))
        assert 1 <= count <= 2, count


async def test_two_clients_at_once():
    async with Client(server()) as one, Client(server()) as two:
        answers = await asyncio.gather(*(good(client, "search_code", query="guard height", corpora=[CORPUS])
                                         for client in (one, two) for _ in range(10)))
        assert len({shown for _, shown in answers}) == 1


def blocked():
    """A search blocked by a lock stands for a long one: the tables are locked from outside."""
    lock = subprocess.Popen([os.environ["PSQL"], "-X", "-q", URL, "-c",
                             "BEGIN; LOCK TABLE codecite.document IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(8); COMMIT"],
                            stdout=subprocess.DEVNULL)
    waiting = ("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'codecite' AND state = 'active' "
               "AND datname = current_database()")
    return lock, waiting


def unblock(lock):
    lock.kill()
    lock.wait()
    sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%' AND pid <> pg_backend_pid()")


async def reaches(statement, value):
    for _ in range(100):
        await asyncio.sleep(0.05)
        if sql(statement) == value:
            return True
    return False


async def test_a_cancel_reaches_postgres():
    lock, waiting = blocked()
    try:
        await asyncio.sleep(0.5)
        async with Client(server()) as client:
            call = asyncio.create_task(client.call_tool("search_code", {"query": "stairs"}))
            assert await reaches(waiting, "1"), "the search did not start"
            call.cancel()
            assert await reaches(waiting, "0"), "the statement runs on"
    finally:
        unblock(lock)


class Http:
    """`codecite serve --transport http` on a port of its own, with a token."""
    token = "0123456789abcdef0123456789"

    async def __aenter__(self):
        self.child = subprocess.Popen([CODECITE, "serve", "--transport", "http", "--port", "0"], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True,
                                      env={**os.environ, **ENV, "RUST_LOG": "error", "CODECITE_HTTP_TOKEN": self.token})
        self.url = self.child.stderr.readline().split()[-1]
        return self

    async def __aexit__(self, *_):
        self.child.terminate()
        assert self.child.wait(10) == 0

    @contextlib.asynccontextmanager
    async def client(self, mode="auto"):
        async with create_mcp_http_client(headers={"Authorization": f"Bearer {self.token}"}) as http:
            async with Client(streamable_http_client(self.url, http_client=http), mode=mode) as client:
                yield client


async def test_http_serves_the_same():
    number = any_number()
    async with Http() as http, Client(server()) as stdio:
        for mode in ("auto", "legacy"):
            async with http.client(mode) as client:
                assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
                for tool, arguments in (("get_section", {"number": number, "corpus": CORPUS}), ("list_chapters", {"corpus": CORPUS})):
                    assert await good(client, tool, **arguments) == await good(stdio, tool, **arguments)
                toc = await client.read_resource(f"codecite://{CORPUS}/toc")
                assert number in toc.contents[0].text
        async with http.client() as one, http.client() as two:
            answers = await asyncio.gather(*(good(client, "search_code", query="guard height", corpora=[CORPUS])
                                             for client in (one, two) for _ in range(10)))
            assert len({shown for _, shown in answers}) == 1
        async with create_mcp_http_client() as stranger:
            assert (await stranger.post(http.url, json={})).status_code == 401


async def test_a_client_that_hangs_up_cancels_over_http():
    lock, waiting = blocked()
    try:
        await asyncio.sleep(0.5)
        async with Http() as http:
            async with create_mcp_http_client(headers={"Authorization": f"Bearer {http.token}"}) as caller:
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_code", "arguments": {"query": "stairs"}}}
                accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
                call = asyncio.create_task(caller.post(http.url, json=body, headers=accept))
                assert await reaches(waiting, "1"), "the search did not start"
                call.cancel()
                assert await reaches(waiting, "0"), "the statement runs on"
    finally:
        unblock(lock)


async def test_overhead():
    """The bridge's own time: whole calls of a tool, less the same statement in one session of psql."""
    async with Client(server(), mode="legacy") as client:
        await good(client, "get_section", number="9999.99", corpus=CORPUS)
        times = []
        for _ in range(200):
            started = time.perf_counter()
            await client.call_tool("get_section", {"number": "9999.99", "corpus": CORPUS})
            times.append((time.perf_counter() - started) * 1000)
    script = "\\timing on\n" + f"SELECT row_to_json(r) FROM codecite.section('9999.99', '{CORPUS}') r;\n" * 200
    done = subprocess.run([os.environ["PSQL"], "-X", "-q", URL], input=script, check=True, capture_output=True, text=True)
    inside = sorted(float(ms) for ms in re.findall(r"Time: ([\d.]+) ms", done.stdout))
    times.sort()
    print(f"  get_section: p50 {times[100]:.2f} ms through client and bridge, {inside[100]:.2f} ms in psql; p95 {times[190]:.2f} ms")


async def test_startup():
    times = []
    for _ in range(10):
        started = time.perf_counter()
        child = subprocess.Popen([CODECITE, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 env={**os.environ, **ENV, "RUST_LOG": "warn"})
        child.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
                          b'"capabilities":{},"clientInfo":{"name":"t","version":"0"}}}\n')
        child.stdin.flush()
        assert b"serverInfo" in child.stdout.readline()
        times.append(time.perf_counter() - started)
        child.stdin.close()
        assert child.wait(10) == 0
    print(f"  from start to the answer of initialize: median {sorted(times)[5] * 1000:.0f} ms")


async def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    passed = failed = 0
    for name, test in tests:
        try:
            await asyncio.wait_for(test(), 120)
            print(f"ok     {name}", flush=True)
            passed += 1
        except BaseException:  # an ExceptionGroup of the client included
            print(f"FAILED {name}", flush=True)
            traceback.print_exc()
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(asyncio.run(main()))
