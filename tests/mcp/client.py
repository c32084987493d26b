"""Talks to `codecite serve` as an agent does, and proves what its instructions promise."""

import asyncio
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
from mcp.client.client import Client

REPO = pathlib.Path(__file__).resolve().parents[2]
CODECITE = os.environ["CODECITE"]
CORPUS = "mcp-test"


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


def any_number():
    return sql("SELECT s.number FROM codecite.section s JOIN codecite.document d ON d.id = s.document_id "
               "WHERE d.layer = 'base' AND s.kind = 'section' AND length(s.body) > 200 ORDER BY s.document_id, s.ordinal LIMIT 1")


# The server -----------------------------------------------------------------------------------------------------------

async def test_both_ways_to_begin():
    for mode in ("auto", "legacy"):
        async with Client(server(), mode=mode) as client:
            assert "cite or abstain" in client.instructions.lower()
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["search_code", "get_section", "get_context", "list_corpora"]
            assert all(tool.output_schema and tool.annotations.read_only_hint for tool in tools)


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
    async with Client(server()) as client:
        for tool, arguments in [("get_section", {"number": "101.1", "corpus": "long"}),
                                ("search_code", {"query": "rule of this section", "k": 50}), ("list_corpora", {})]:
            for most in (2000, 5000, 24000):
                data, shown = await good(client, tool, **arguments, max_chars=most)
                assert len(shown) <= most and len(json.dumps(data, ensure_ascii=False, separators=(",", ":"))) <= most, tool
                if most == 2000 and tool != "list_corpora":
                    assert data["truncated"] in shown
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


async def test_a_cancel_reaches_postgres():
    # A search blocked by a lock stands for a long one: the tables are locked from outside.
    lock = subprocess.Popen([os.environ["PSQL"], "-X", "-q", URL, "-c",
                             "BEGIN; LOCK TABLE codecite.document IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(8); COMMIT"],
                            stdout=subprocess.DEVNULL)
    waiting = ("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'codecite' AND state = 'active' "
               "AND datname = current_database()")
    try:
        await asyncio.sleep(0.5)
        async with Client(server()) as client:
            call = asyncio.create_task(client.call_tool("search_code", {"query": "stairs"}))
            for _ in range(100):
                await asyncio.sleep(0.05)
                if sql(waiting) == "1":
                    break
            assert sql(waiting) == "1", "the search did not start"
            call.cancel()
            for _ in range(40):
                await asyncio.sleep(0.05)
                if sql(waiting) == "0":
                    break
            assert sql(waiting) == "0", "the statement runs on"
    finally:
        lock.kill()
        lock.wait()
        sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%' AND pid <> pg_backend_pid()")


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
