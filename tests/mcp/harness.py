"""What the tests of the bridge share: the database, the command, servers and clients."""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import traceback
from urllib.parse import urlsplit, urlunsplit

from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

REPO = pathlib.Path(__file__).resolve().parents[2]
CODECITE = os.environ["CODECITE"]
CORPUS = "mcp-test"
# The same code with other words, numbers and sections: made by commands.py.
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
ENV = {"CODECITE_DATABASE_URL": URL, "RUST_LOG": "error"}


def sql(statement):
    done = subprocess.run([os.environ["PSQL"], "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", URL, "-c", statement],
                          check=True, capture_output=True, text=True)
    return done.stdout.strip()


def codecite(*arguments, code=0):
    done = subprocess.run([CODECITE, *arguments], capture_output=True, text=True, env={**os.environ, **ENV})
    assert done.returncode == code, f"{arguments} ended with {done.returncode}: {done.stdout}\n{done.stderr}"
    return done.stdout


def server(*options, **env):
    return StdioServerParameters(command=CODECITE, args=["serve", *options], env={**ENV, **env})


def text(result):
    return result.content[0].text


async def good(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text(result)
    return result.structured_content, text(result)


def scratch(name):
    return pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"codecite-mcp-{os.getpid()}-{name}"


def any_number():
    return sql("SELECT s.number FROM codecite.section s JOIN codecite.document d ON d.id = s.document_id "
               "WHERE d.layer = 'base' AND s.kind = 'section' AND length(s.body) > 200 ORDER BY s.document_id, s.ordinal LIMIT 1")


@contextlib.asynccontextmanager
async def blocked(table="document"):
    """Blocks what uses a table, searches for one, which so stand for long ones: it is locked from outside. Yields what
    counts those that wait and what ends the block early."""
    lock = subprocess.Popen([os.environ["PSQL"], "-X", "-q", URL, "-c",
                             f"BEGIN; LOCK TABLE codecite.{table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(8); COMMIT"],
                            stdout=subprocess.DEVNULL)

    def unblock():
        lock.kill()
        lock.wait()
        sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%' AND pid <> pg_backend_pid()")

    try:
        await asyncio.sleep(0.5)
        yield ("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'codecite' AND state = 'active' "
               "AND datname = current_database()"), unblock
    finally:
        unblock()


async def reaches(statement, value):
    for _ in range(300):
        await asyncio.sleep(0.05)
        if sql(statement) == value:
            return True
    return False


class Http:
    """`codecite serve --transport http` on a port of its own, with a token."""
    token = "0123456789abcdef0123456789"

    def __init__(self, **env):
        self.env = env

    async def __aenter__(self):
        self.child = subprocess.Popen([CODECITE, "serve", "--transport", "http", "--port", "0"], stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True,
                                      env={**os.environ, **ENV, "CODECITE_HTTP_TOKEN": self.token, **self.env})
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


def run(tests):
    """Runs the test functions of a file, in their order; ends with 1 if one failed."""
    async def all_of_them():
        passed = failed = 0
        for name, test in [(name, test) for name, test in tests.items() if name.startswith("test_")]:
            try:
                await asyncio.wait_for(test(), 180)
                print(f"ok     {name}", flush=True)
                passed += 1
            except BaseException:  # an ExceptionGroup of the client included
                print(f"FAILED {name}", flush=True)
                traceback.print_exc()
                failed += 1
        print(f"{passed} passed, {failed} failed")
        return 1 if failed else 0

    sys.exit(asyncio.run(all_of_them()))
