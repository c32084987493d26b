"""What a session survives, and what it leaves behind: lost connections, cancels, hostile messages, long use."""

import asyncio
import os
import pathlib
import re
import subprocess

from mcp.client.client import Client
from mcp.client.streamable_http import create_mcp_http_client

from harness import CORPUS, REPO, TOOLS, Http, blocked, good, reaches, run, server, sql, text


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
    async with blocked() as (waiting, _), Client(server()) as client:
        call = asyncio.create_task(client.call_tool("search_code", {"query": "stairs"}))
        assert await reaches(waiting, "1"), "the search did not start"
        call.cancel()
        assert await reaches(waiting, "0"), "the statement runs on"


async def test_a_client_that_hangs_up_cancels_over_http():
    async with blocked() as (waiting, _), Http() as http:
        async with create_mcp_http_client(headers={"Authorization": f"Bearer {http.token}"}) as caller:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_code", "arguments": {"query": "stairs"}}}
            accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
            call = asyncio.create_task(caller.post(http.url, json=body, headers=accept))
            assert await reaches(waiting, "1"), "the search did not start"
            call.cancel()
            assert await reaches(waiting, "0"), "the statement runs on"


async def test_the_time_limit_is_an_error_in_words():
    async with blocked() as (_, unblock), Client(server("--timeout", "1")) as client:
        result = await client.call_tool("search_code", {"query": "stairs"})
        assert result.is_error and "57014" in text(result) and "--timeout" in text(result), text(result)
        unblock()
        await good(client, "search_code", query="stairs")


async def test_a_restart_of_the_server_is_survived():
    folder = str(REPO / ".codecite")
    if os.path.realpath(folder) not in os.path.realpath(os.environ.get("PGHOST", "/")) and not os.environ.get("PGHOST", "").startswith(folder):
        print("SKIPPED: the server is not this checkout's own (scripts/server.sh up): it is not restarted")
        return
    async with Client(server()) as client, Client(server()) as other:
        await good(client, "list_corpora")
        await good(other, "list_corpora")
        script = str(REPO / "scripts/server.sh")
        subprocess.run([script, "down"], check=True, capture_output=True)
        try:
            result = await client.call_tool("search_code", {"query": "stairs"})
            assert result.is_error and "could not be reached" in text(result) and "not an answer" in text(result), text(result)
            # A new client is greeted all the same.
            async with Client(server()) as late:
                assert len((await late.list_tools()).tools) == len(TOOLS)
        finally:
            subprocess.run([script, "up"], check=True, capture_output=True)
        await good(client, "search_code", query="stairs")
        await good(other, "list_corpora")


def memory(process):
    """Resident memory of a process, in kB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))


def newest_child():
    children = pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return max(int(child) for child in children)


async def test_a_thousand_calls_leave_nothing_behind():
    mine = "FROM pg_stat_activity WHERE application_name = 'codecite' AND datname = current_database()"
    async with Client(server()) as client:
        process = newest_child()
        calls = [("list_corpora", {}), ("get_section", {"number": "9999.99", "corpus": CORPUS}), ("get_section", {"number": "101.1", "corpus": CORPUS}),
                 ("resolve_reference", {"text": "Section 1004.5", "corpus": CORPUS})]

        async def rounds(count):
            for n in range(count):
                await asyncio.gather(*(client.call_tool(*calls[(n + k) % len(calls)]) for k in range(4)))

        await rounds(25)
        before, files = memory(process), len(os.listdir(f"/proc/{process}/fd"))
        await rounds(250)
        after = memory(process)
        assert after < before + 8 * 1024, f"{before} kB before, {after} kB after"
        assert len(os.listdir(f"/proc/{process}/fd")) <= files
        assert int(sql(f"SELECT count(*) {mine}")) <= 2
        assert sql(f"SELECT count(*) {mine} AND state LIKE 'idle in transaction%'") == "0"
        print(f"  resident memory: {before} kB after 100 calls, {after} kB after 1,100")
    assert await reaches(f"SELECT count(*) {mine}", "0"), "connections are left"


run(globals())
