"""The tool `ingest_document`: offered where it was asked for, below the root only, with progress."""

import asyncio
import os
import pathlib
import subprocess
import tempfile

from mcp.client.client import Client

from harness import CODECITE, CORPUS, ENV, REPO, TOOLS, Http, blocked, good, reaches, run, server, sql, text

TOOL = "ingest_document"


def enabled(root):
    return {"CODECITE_ENABLE_INGEST_TOOL": "1", "CODECITE_INGEST_ROOT": str(root)}


def writing(root):
    return server(**enabled(root))


def long_code(sections):
    done = subprocess.run(["python3", str(REPO / "scripts/long-code.py"), str(sections)], check=True, capture_output=True, text=True)
    return done.stdout


async def test_it_is_not_offered_unless_enabled():
    for env in ({}, {"CODECITE_INGEST_ROOT": "/tmp"}, {"CODECITE_ENABLE_INGEST_TOOL": "0", "CODECITE_INGEST_ROOT": "/tmp"}):
        async with Client(server(**env)) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            try:
                result = await client.call_tool(TOOL, {"path": "x.md", "corpus": "x"})
                raise AssertionError(f"it was called: {result}")
            except Exception as error:
                assert "no tool" in str(error), error


async def test_half_an_enabling_ends_the_server_in_words():
    for env, word in (({}, "CODECITE_INGEST_ROOT is not"), ({"CODECITE_INGEST_ROOT": "/no/such/folder"}, "no folder")):
        done = subprocess.run([CODECITE, "serve"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20,
                              env={**os.environ, **ENV, "CODECITE_ENABLE_INGEST_TOOL": "1", **env})
        assert done.returncode == 1 and word in done.stderr and "Next: " in done.stderr, done.stderr


async def test_a_document_is_loaded_and_found():
    with tempfile.TemporaryDirectory() as root:
        (pathlib.Path(root) / "sub").mkdir()
        (pathlib.Path(root) / "sub/rules.md").write_text("# Chapter 1 Scope\n\n## 101.1 Title\n\nThe zeppelin dock is 42 feet wide.\n")
        async with Client(writing(root)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert list(tools) == [*TOOLS, TOOL]
            hints = tools[TOOL].annotations
            assert hints.read_only_hint is False and hints.destructive_hint is True
            assert all(tools[name].annotations.read_only_hint for name in TOOLS)
            data, shown = await good(client, TOOL, path="sub/rules.md", corpus="by-agent", corpus_title="By Agent", edition="2024",
                                     effective="2024-01-01")
            assert data["report"]["sections"] >= 2 and data["report"]["edition"] == "2024" and "ingested document rules" in shown
            found, _ = await good(client, "search_code", query="zeppelin dock", corpora=["by-agent"])
            assert found["hits"][0]["number"] == "101.1"
            again = await client.call_tool(TOOL, {"path": "sub/rules.md", "corpus": "by-agent"})
            assert again.is_error and "already ingested" in text(again), text(again)
            replaced, _ = await good(client, TOOL, path="sub/rules.md", corpus="by-agent", edition="2024", effective="2024-01-01", replace=True)
            assert replaced["report"]["document"] == "rules"


async def test_wrong_calls_are_told_in_words():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "root"
        root.mkdir()
        (pathlib.Path(folder) / "secret.md").write_text("# Secret\n")
        (root / "bad.pdf").write_bytes(b"%PDF-1.7 and nothing more")
        (root / "link.md").symlink_to("../secret.md")
        os.mkfifo(root / "pipe.md")
        before = sql("SELECT count(*) FROM codecite.document")
        async with Client(writing(root)) as client:
            for arguments, word in (({"path": "../secret.md"}, "is not below"), ({"path": "/etc/hostname"}, "is not below"),
                                    ({"path": "link.md"}, "is not below"), ({"path": "gone.md"}, "does not exist"),
                                    ({"path": "pipe.md"}, "is no file"), ({"path": "."}, "is no file"), ({"path": ""}, "path is empty"),
                                    ({"path": "bad.pdf"}, "ERROR"), ({"path": "bad.pdf", "effective": "someday"}, "effective"),
                                    ({"path": "bad.pdf", "nonsense": 1}, "nonsense")):
                result = await client.call_tool(TOOL, {"corpus": "wrong", **arguments})
                assert result.is_error and word in text(result) and "Secret" not in text(result), (arguments, text(result))
            await good(client, "list_corpora")
        assert sql("SELECT count(*) FROM codecite.document") == before


async def progress_is_told(client, corpus):
    told = []

    async def hear(progress, total, message):
        told.append((progress, total, message))

    result = await client.call_tool(TOOL, {"path": "long.md", "corpus": corpus}, progress_callback=hear)
    assert not result.is_error, text(result)
    steps = [progress for progress, _, _ in told]
    assert steps and steps == sorted(set(steps)) and all(total == 100 for _, total, _ in told), told
    assert all(message.split()[0] in ("read", "structure", "chunk", "store", "embed") for _, _, message in told), told


async def test_progress_is_told_and_rises():
    with tempfile.TemporaryDirectory() as root:
        (pathlib.Path(root) / "long.md").write_text(long_code(9000))
        async with Client(writing(root)) as client:
            await progress_is_told(client, "long-by-agent")


async def test_progress_is_told_over_http():
    with tempfile.TemporaryDirectory() as root:
        (pathlib.Path(root) / "long.md").write_text(long_code(9000))
        async with Http(**enabled(root)) as http, http.client() as client:
            await progress_is_told(client, "long-over-http")


async def test_a_cancel_stops_the_ingest_and_keeps_nothing():
    with tempfile.TemporaryDirectory() as root:
        (pathlib.Path(root) / "long.md").write_text(long_code(100))
        async with blocked("ingest_run") as (waiting, _), Client(writing(root)) as client:
            call = asyncio.create_task(client.call_tool(TOOL, {"path": "long.md", "corpus": "cancelled"}))
            assert await reaches(waiting, "1"), "the ingest did not start"
            call.cancel()
            assert await reaches(waiting, "0"), "the ingest runs on"
            await good(client, "list_corpora")
        assert sql("SELECT count(*) FROM codecite.corpora() WHERE corpus = 'cancelled'") == "0"


async def test_the_other_tools_stay_read_only():
    """A function of the extension that writes all of a sudden stands for whatever could make a look-up write."""
    definition = sql("SELECT pg_get_functiondef('codecite.toc'::regproc)")
    arguments, returns = (sql(f"SELECT {part}('codecite.toc'::regproc)") for part in ("pg_get_function_arguments", "pg_get_function_result"))
    sql("CREATE TABLE public.written (at timestamptz DEFAULT now())")
    sql(f"CREATE OR REPLACE FUNCTION codecite.toc({arguments}) RETURNS {returns} LANGUAGE plpgsql AS "
        "$$ BEGIN INSERT INTO public.written DEFAULT VALUES; END $$")
    try:
        with tempfile.TemporaryDirectory() as root:
            async with Client(writing(root)) as client:
                result = await client.call_tool("list_chapters", {"corpus": CORPUS})
                assert result.is_error and "25006" in text(result), text(result)
        assert sql("SELECT count(*) FROM public.written") == "0"
    finally:
        sql(definition)
        sql("DROP TABLE public.written")


run(globals())
