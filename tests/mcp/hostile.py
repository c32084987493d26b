"""A session of bad messages, byte by byte over a pipe: the server answers what can be answered, and works at the end."""

import itertools
import json
import os
import queue
import subprocess
import threading

from harness import CODECITE, CORPUS, ENV, run, sql

HELLO = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "hostile", "version": "0"}}}
MOST = 4 << 20


def request(id, method, params=None, **more):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params, **more}).encode()


def bad_messages():
    """Bad lines, each with the id that has to be answered, or None where no answer can be given or asked for."""
    ids = (f"bad-{n}" for n in itertools.count())
    # No JSON, or not all of it.
    for line in (b"hello", b"{", b"}", b"[", b"{\"jsonrpc\":", b"\x00\x01\x02", b"\xff\xfe{\x00}\x00", b"\xc3\x28", b"{\"a\":\"\xf0\x28\x8c\x28\"}",
                 b"NaN", b"{'jsonrpc':'2.0'}", b"<xml/>", b"GET / HTTP/1.1", b"Content-Length: 3", b"\xef\xbb\xbf", b"\xef\xbb\xbf{", b"\r", b"\t \t",
                 b"\x1b[31m", b"{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"ping\"}", b"[" * 5000, b"{\"a\":" * 5000, b"\"" + b"\\u0000" * 50 + b"\""):
        yield line, None
    # JSON, but no message.
    for value in (None, True, 3, -1.5, "ping", [], {}, [[]], [None], [1, 2], {"a": 1}, {"jsonrpc": "2.0"}, {"method": "ping"}, {"id": None},
                  {"jsonrpc": "2.0", "method": 5}, {"jsonrpc": "2.0", "method": "notifications/unknown"}, {"jsonrpc": "2.0", "method": "ping", "id": None},
                  {"jsonrpc": "2.0", "id": "none-asked", "result": {}}, {"jsonrpc": "2.0", "id": 77, "error": {"code": 1, "message": "x"}}):
        yield json.dumps(value).encode(), None
    # Messages with an id that are no requests.
    for value in ({}, {"jsonrpc": "1.0", "method": "ping"}, {"jsonrpc": "2.0", "method": None}, {"jsonrpc": "2.0", "method": ["ping"]},
                  {"method": "ping"}, {"jsonrpc": 2.0, "method": "ping"}):
        id = next(ids)
        yield json.dumps({**value, "id": id}).encode(), id
    # Methods that there are not.
    for method in ("", "no/such", "tools", "tools/", "TOOLS/LIST", "rpc.discover", "tools/call/now", "../tools/list", "sampling/createMessage",
                   "resources/subscribe", "logging/setLevel", "x" * 10000, "né\u202e", "notifications/cancelled"):
        id = next(ids)
        yield request(id, method, {}), id
    # Parameters of a wrong kind, for every method.
    methods = ("tools/call", "resources/read", "prompts/get", "completion/complete")
    for method, params in itertools.product(methods, (None, [], [1], "x", 5, True, {}, {"name": None}, {"name": 5}, {"uri": 5}, {"ref": 1})):
        id = next(ids)
        yield request(id, method, params), id
    # Arguments of a wrong kind, for a tool of each kind.
    for name, field in (("search_code", "query"), ("get_section", "number"), ("resolve_reference", "text"), ("list_chapters", "corpus")):
        for value in (None, "", " ", [], {}, True, ["x"], {"x": 1}, "x" * 30000, "'; DROP TABLE codecite.document; --", "\u0000", "\ud800", "%00", "\u202e"):
            id = next(ids)
            yield request(id, "tools/call", {"name": name, "arguments": {field: value}}), id
    for arguments in (None, [], "x", 5, {"query": "x", "unknown": 1}, {"query": "x", "k": -1}, {"query": "x", "k": 10 ** 30}, {"query": "x", "k": "many"},
                      {"query": "x", "max_chars": 0}, {"query": "x", "as_of": "2023-02-29"}, {"query": "x", "corpora": [1, None]}):
        id = next(ids)
        yield request(id, "tools/call", {"name": "search_code", "arguments": arguments}), id
    for name in ("", "no_such_tool", "SEARCH_CODE", "ingest_document", "search_code ", "__proto__"):
        id = next(ids)
        yield request(id, "tools/call", {"name": name, "arguments": {}}), id
    for uri in ("", "x", "codecite://", "codecite:///toc", "file:///etc/passwd", "codecite://a/../b", "codecite://%zz/toc", "codecite://a/section/" + "9" * 5000):
        id = next(ids)
        yield request(id, "resources/read", {"uri": uri}), id
    # Cancels of what is not running, in many forms, and other notifications.
    for target in (None, 0, -1, 10 ** 18, "hello", "never", 1.5, [], {}, True):
        yield json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": target, "reason": "x"}}).encode(), None
    for method, params in (("notifications/initialized", None), ("notifications/progress", {"progressToken": "x", "progress": "y"}),
                           ("notifications/roots/list_changed", []), ("notifications/cancelled", None)):
        yield json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode(), None
    # Too long, and just not too long.
    yield b"x" * (MOST + 10), None
    yield request("too-long", "ping", {"x": "y" * MOST}), None
    id = next(ids)
    yield request(id, "ping", {"x": "y" * (MOST - 1000)}), id


class Raw:
    """A server at the end of a pipe."""

    def __init__(self):
        self.child = subprocess.Popen([CODECITE, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                      env={**os.environ, **ENV})
        self.lines, self.answers = queue.Queue(), {}
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.child.stdout:
            self.lines.put(line)

    def send(self, line):
        self.child.stdin.write(line + b"\n")
        self.child.stdin.flush()

    def answer(self, id):
        """The answer with this id; every line on standard output must be a message of the protocol."""
        while id not in self.answers:
            try:
                message = json.loads(self.lines.get(timeout=20))
            except queue.Empty:
                raise AssertionError(f"{id} was never answered") from None
            assert message["jsonrpc"] == "2.0" and ("result" in message) != ("error" in message), message
            assert message["id"] not in self.answers, f"answered twice: {message}"
            self.answers[message["id"]] = message
        return self.answers[id]

    def end(self):
        self.child.stdin.close()
        return self.child.wait(10)


def works(raw, id):
    raw.send(request(id, "tools/call", {"name": "get_section", "arguments": {"number": "1004.5", "corpus": CORPUS}}))
    result = raw.answer(id)["result"]
    assert not result.get("isError") and result["structuredContent"]["status"] == "found", result


def answered(raw, line, id):
    try:
        return raw.answer(id)
    except AssertionError as error:
        raise AssertionError(f"{error}: {line[:200]}") from None


async def test_a_session_of_bad_messages_still_answers():
    documents = sql("SELECT count(*) FROM codecite.document")
    raw = Raw()
    raw.send(json.dumps(HELLO).encode())
    assert raw.answer("hello")["result"]["serverInfo"]["name"] == "codecite"
    raw.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    works(raw, "first")
    messages = list(bad_messages())
    assert len(messages) >= 200, len(messages)
    for n, (line, id) in enumerate(messages):
        raw.send(line)
        if n % 50 == 0:
            works(raw, f"between-{n}")
    works(raw, "last")
    for line, id in messages:
        if id is not None:
            message = answered(raw, line, id)
            # An error of the protocol, or of the tool in words.
            assert isinstance(message["error"]["code"], int) if "error" in message else "result" in message, line[:200]
    assert raw.end() == 0
    assert sql("SELECT count(*) FROM codecite.document") == documents
    print(f"  {len(messages)} bad messages")


async def test_bad_messages_before_the_greeting_do_no_harm():
    raw = Raw()
    for line in (b"hello", b"{}", request("early", "tools/list", {}), b"[1,2", b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
                 b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'):
        raw.send(line)
    raw.send(json.dumps(HELLO).encode())
    raw.answer("hello")
    raw.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    works(raw, "then")
    assert raw.end() == 0


async def test_batches_and_repeated_ids_are_answered():
    raw = Raw()
    raw.send(json.dumps(HELLO).encode())
    raw.answer("hello")
    raw.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    raw.send(b"[" + b",".join(request(f"batch-{n}", "ping") for n in range(50)) + b",5,null,{\"id\":\"in-batch\"}]")
    for n in range(50):
        assert "result" in raw.answer(f"batch-{n}")
    assert "error" in raw.answer("in-batch")
    # One id used by two requests at once: each is answered, or one refused; the session goes on.
    for _ in range(2):
        raw.send(request("twice", "tools/call", {"name": "list_corpora", "arguments": {}}))
    raw.answer("twice")
    raw.answers.pop("twice")
    works(raw, "after")
    assert raw.end() == 0


run(globals())
