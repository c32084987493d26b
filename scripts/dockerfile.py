#!/usr/bin/env python3
"""The steps of a Dockerfile, one a line, as words quoted for a shell:

    scripts/dockerfile.py Dockerfile.postgres

FROM image name, RUN command, COPY stage|"" destination source…, ENV NAME=value…, WORKDIR folder, USER name, CMD word…

What it does not know it refuses: a step that is left out must not look like one that was carried out.
"""
import json
import re
import shlex
import sys


def instructions(text):
    """Name and rest of each instruction, its lines joined."""
    joined = ""
    for line in text.splitlines():
        if line.lstrip().startswith("#") or not line.strip():
            continue
        if line.rstrip().endswith("\\"):
            joined += line.rstrip()[:-1]
            continue
        name, rest = (joined + line).strip().split(None, 1)
        joined = ""
        yield name.upper(), rest
    if joined:
        raise SystemExit("the Dockerfile ends within an instruction")


def step(name, rest, number):
    """The words of a step."""
    if name == "FROM" and (m := re.fullmatch(r"(\S+)(?:\s+AS\s+(\S+))?", rest, re.IGNORECASE)):
        return [m[1], m[2] or f"stage{number}"]
    if name == "RUN" and not rest.startswith(("[", "--", "<<")):
        return [rest]
    if name == "COPY":
        words = rest.split()
        stage = ""
        if words[0].startswith("--from="):
            stage = words.pop(0).partition("=")[2]
        if len(words) >= 2 and not any(re.search(r'^--|[\[\]*?$"]', word) for word in words):
            return [stage, words[-1], *words[:-1]]
    if name == "ENV":
        words = shlex.split(rest)
        if all(re.fullmatch(r"\w+=[^$]*", word) for word in words):
            return words
    if name in ("WORKDIR", "USER") and "$" not in rest and len(rest.split()) == 1:
        return [rest]
    if name == "CMD" and rest.startswith("["):
        return json.loads(rest)
    raise SystemExit(f"not understood: {name} {rest}")


def main():
    number = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        for name, rest in instructions(file.read()):
            number += name == "FROM"
            print(name, *(shlex.quote(word) for word in step(name, rest, number)))


if __name__ == "__main__":
    main()
