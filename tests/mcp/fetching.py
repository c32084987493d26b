"""`codecite fetch-oac` against a site of our own on this machine; the network is never asked."""

import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time

from harness import CODECITE, run

ROOT = "/ohio-administrative-code/"


def rule(number, effective):
    return (f"<html><body><h1>Rule {number} <span>|</span> Invented.</h1><div><div>Effective:</div><div>{effective}</div></div>"
            f"<section><p>(A) This rule is invented.</p></section><p>Prior Effective Dates: 1/1/2002, 7/1/2010</p>"
            f"<a href='{ROOT}rule-{number}/7-1-2010'>July 1, 2010</a></body></html>")


def listing(kind, *numbers):
    return "".join(f'<a href="{ROOT}{kind}-{number}">{number}</a>' for number in numbers)


class Site:
    """Pages by path; notes who asked for what, when. The first answer of a path in `busy` is 503."""

    def __init__(self, robots="User-agent: *\nDisallow: /private\n"):
        self.pages = {
            "/robots.txt": robots,
            ROOT + "9999:1": listing("chapter", "9999:1-1", "9999:1-2", "8888:1-1"),
            ROOT + "chapter-9999:1-1": listing("rule", "9999:1-1-01", "9999:1-1-02"),
            ROOT + "chapter-9999:1-2": listing("rule", "9999:1-2-01", "9999:1-2-02"),
            ROOT + "rule-9999:1-1-01": rule("9999:1-1-01", "July 1, 2024"),
            ROOT + "rule-9999:1-1-02": rule("9999:1-1-02", "March 15, 2021"),
            ROOT + "rule-9999:1-2-01": rule("9999:1-2-01", "July 1, 2024"),
        }
        self.busy, self.asked = set(), []

    def __enter__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.asked.append((time.monotonic(), self.path, self.headers["User-Agent"]))
                if self.path in site.busy:
                    site.busy.discard(self.path)
                    self.send_response(503)
                    self.send_header("Retry-After", "1")
                    self.end_headers()
                    return
                page = site.pages.get(self.path)
                self.send_response(404 if page is None else 200)
                self.end_headers()
                self.wfile.write((page or "").encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def fetch(part, out, base):
    return subprocess.run([CODECITE, "fetch-oac", part, "--out", str(out), "--base-url", base, "--json"], capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"]}, timeout=120)


async def test_a_part_is_saved_with_its_dates():
    with tempfile.TemporaryDirectory() as folder, Site() as site:
        out = pathlib.Path(folder) / "new" / "oac"
        site.busy = {ROOT + "rule-9999:1-1-02"}
        done = fetch("9999:1", out, site.url)
        # One rule is listed and has no page: the others are saved all the same.
        assert done.returncode == 1 and "9999:1-2-02" in done.stderr, done.stderr
        result = json.loads(done.stdout)
        assert (result["saved"], result["failed"]) == (3, 1), result
        manifest = json.loads((out / "manifest.json").read_text())
        entry = manifest["rules"][0]
        assert entry["rule"] == "9999:1-1-01" and entry["effective"] == "2024-07-01", entry
        assert entry["prior_effective"] == ["2002-01-01", "2010-07-01"] and entry["versions"] == [ROOT + "rule-9999:1-1-01/7-1-2010"]
        assert (out / entry["file"]).read_text() == site.pages[ROOT + "rule-9999:1-1-01"]
        # Polite: the rules were read first, each request a second after the one before, and all of them say who asks.
        times = [when for when, _, _ in site.asked]
        assert site.asked[0][1] == "/robots.txt" and all(b - a > 0.95 for a, b in zip(times, times[1:])), times
        assert all(agent.startswith("codecite/") for _, _, agent in site.asked)
        assert [path for _, path, _ in site.asked].count(ROOT + "rule-9999:1-1-02") == 2
        # Again, with a later edition of one rule: the old one is kept aside.
        site.pages[ROOT + "rule-9999:1-1-01"] = rule("9999:1-1-01", "January 1, 2026")
        again = json.loads(fetch("9999:1-1", out, site.url).stdout)
        assert (again["saved"], again["unchanged"], again["failed"]) == (1, 1, 0), again
        old = again["manifest"]["superseded"][0]
        assert old["effective"] == "2024-07-01" and "July 1, 2024" in (out / old["file"]).read_text(), old


async def test_the_site_s_rules_are_kept():
    with tempfile.TemporaryDirectory() as folder, Site("User-agent: codecite\nDisallow: /ohio-administrative-code/\n") as site:
        done = fetch("9999:1-1-01", folder, site.url)
        assert done.returncode == 1 and "robots.txt" in done.stderr, done.stderr
        assert [path for _, path, _ in site.asked] == ["/robots.txt"]


async def test_only_this_machine_can_stand_in_for_the_site():
    for base in ("http://example.com:80", "https://127.0.0.1:1", "http://10.0.0.1:80"):
        with tempfile.TemporaryDirectory() as folder:
            done = fetch("9999:1-1-01", folder, base)
            assert done.returncode == 1 and "no server on this machine" in done.stderr, done.stderr


run(globals())
