#!/usr/bin/env python3
"""The README's psql session, typed again: every answer has to be the one that is printed there.

`tests/readme.py --update` prints today's answers there instead; read the difference before it is committed.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PSQL = os.path.join(os.environ["PG_BINDIR"], "psql")
DATABASE = "codecite_readme"
MARK = "@@ answer @@"


README = os.path.join(ROOT, "README.md")


def session(text):
    """The session as it is printed, and its commands with the answer below each."""
    block = next(b for b in re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M) if b.startswith("codecite=# "))
    steps = []
    for line in block.splitlines():
        prompt = re.match(r"codecite([=-])# (.*)", line)
        if prompt and prompt[1] == "=":
            steps.append([prompt[2], []])
        elif prompt:
            steps[-1][0] += "\n" + prompt[2]
        else:
            steps[-1][1].append(line)
    return block, steps


def psql(script, database):
    run = subprocess.run([PSQL, "-X", "-v", "ON_ERROR_STOP=1", "-q", "-d", database], input=script, cwd=ROOT,
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"psql: {run.stderr}\n0 passed, 1 failed")
    return run.stdout


def comparable(text):
    """An answer without what differs from server to server: object ids and white space at line ends."""
    text = re.sub(r"^lo_import \d+$", "lo_import", text, flags=re.M)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def main():
    psql(f"SET client_min_messages = warning; DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE);\n"
         f"CREATE DATABASE {DATABASE};", "postgres")
    psql("CREATE EXTENSION vector; CREATE EXTENSION codecite;", DATABASE)
    text = open(README, encoding="utf-8").read()
    block, steps = session(text)
    # -q would also silence \lo_import, whose answer is printed in the README.
    script = "\\set QUIET off\n" + "".join(f"{command}\n\\echo {MARK}\n" for command, _ in steps)
    answers = psql(script, DATABASE).split(MARK + "\n")
    if "--update" in sys.argv:
        prompted = ["codecite=# " + command.replace("\n", "\ncodecite-# ") for command, _ in steps]
        # What differs in nothing but object ids stays as it is.
        printed = ["\n".join(expected) + "\n" for _, expected in steps]
        answers = [old if comparable(old) == comparable(new) else new for old, new in zip(printed, answers, strict=False)]
        now = "".join(f"{command}\n{answer}" for command, answer in zip(prompted, answers, strict=False))
        with open(README, "w", encoding="utf-8") as file:
            file.write(text.replace(block, now.rstrip("\n") + "\n"))
    failed = 0
    for (command, expected), answer in zip(steps, answers, strict=False):
        expected, answer = comparable("\n".join(expected)), comparable(answer)
        if expected != answer:
            failed += 1
            print(f"README: {command}\n--- printed there\n{expected}\n--- now\n{answer}\n")
    psql(f"DROP DATABASE {DATABASE} WITH (FORCE);", "postgres")
    print(f"{len(steps) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
