#!/usr/bin/env python3
"""What the bridge costs: tool calls over a pipe beside the same statements in psql, in turns, milliseconds.

bench-bridge.py CODECITE PSQL URL CORPUS NUMBER [ROUNDS]
"""

import json
import os
import re
import subprocess
import sys
import time

CODECITE, PSQL, URL, CORPUS, NUMBER = sys.argv[1:6]
ROUNDS = int(sys.argv[6]) if len(sys.argv) > 6 else 10
EACH = 50
QUESTION = "how wide must a stair be"
CALLS = {
    "get_section": ({"number": NUMBER, "corpus": CORPUS}, f"codecite.section(number => '{NUMBER}', corpus => '{CORPUS}')"),
    "list_corpora": ({}, "codecite.corpora()"),
    "search_code": ({"query": QUESTION, "corpora": [CORPUS]}, f"codecite.search(query => '{QUESTION}', corpora => '{{{CORPUS}}}', k => 5)"),
}


class Bridge:
    def __init__(self):
        self.child = subprocess.Popen([CODECITE, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      env={**os.environ, "CODECITE_DATABASE_URL": URL, "RUST_LOG": "error"})
        self.id = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, method, params):
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        return self.child.stdout.readline()

    def times(self, tool, arguments):
        for _ in range(EACH):
            started = time.perf_counter()
            answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
            yield (time.perf_counter() - started) * 1000
            assert b'"isError":true' not in answer and b'"error"' not in answer, answer[:500]


class Session:
    """One session of psql: like the bridge, it keeps its connection."""

    def __init__(self):
        self.child = subprocess.Popen([PSQL, "-X", "-q", "-A", "-t", URL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.child.stdin.write("\\timing on\n")

    def times(self, call):
        self.child.stdin.write(f"SELECT row_to_json(r)::text FROM {call} AS r;\n" * EACH + "\\echo end\n")
        self.child.stdin.flush()
        for line in iter(self.child.stdout.readline, "end\n"):
            if found := re.match(r"Time: ([\d.]+) ms", line):
                yield float(found.group(1))


def at(times, part):
    return sorted(times)[int(len(times) * part)]


bridge, session = Bridge(), Session()
for tool, (arguments, call) in CALLS.items():
    through, inside = [], []
    for turn in range(ROUNDS + 1):
        pair = list(bridge.times(tool, arguments)), list(session.times(call))
        if turn:  # the first warms both up
            through += pair[0]
            inside += pair[1]
    over = at(through, 0.5) - at(inside, 0.5)
    print(f"{tool}: p50 {at(through, 0.5):.2f} through the bridge, {at(inside, 0.5):.2f} in psql, {over:+.2f} more; "
          f"p95 {at(through, 0.95):.2f} and {at(inside, 0.95):.2f}")
