#!/usr/bin/env python3
"""Licences and notices of everything that is linked into what we distribute, on standard output.

    scripts/notices.py codecite_pg/pg17 >THIRD-PARTY

The argument is the feature that chooses the Postgres version. Dependencies are those that `cargo metadata` resolves for
building, without tools of the build and the tests. A crate whose package holds no licence text is named with its licence
expression alone.
"""
import json
import pathlib
import subprocess
import sys

OURS = "path+file"
KINDS = ("license", "licence", "copying", "notice", "copyright", "unlicense")


def shipped(metadata):
    """The ids of the packages that are linked: reached from ours by ordinary dependencies."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    todo, seen = list(metadata["workspace_members"]), set()
    while todo:
        package = todo.pop()
        if package in seen:
            continue
        seen.add(package)
        todo += [d["pkg"] for d in nodes[package]["deps"] if any(k["kind"] is None for k in d["dep_kinds"])]
    return seen


def texts(package):
    """The licence and notice files of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.name.lower().startswith(KINDS) and file.suffix.lower() in ("", ".txt", ".md"):
            yield file.read_text(encoding="utf-8", errors="replace").strip()


def main():
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1", "--no-default-features",
               "--features", sys.argv[1], "--filter-platform", f"{sys.argv[2] if len(sys.argv) > 2 else 'x86_64'}-unknown-linux-gnu"]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    ids = shipped(metadata)
    packages = sorted((p for p in metadata["packages"] if p["id"] in ids and not p["id"].startswith(OURS)),
                      key=lambda p: (p["name"], p["version"]))
    by_text = {}
    print("codecite contains these libraries:\n")
    for package in packages:
        licence = package["license"] or package["license_file"]
        if not licence:
            sys.exit(f"{package['name']} {package['version']} names no licence")
        found = list(texts(package))
        print(f"  {package['name']} {package['version']}: {licence}" + ("" if found else " (no text in its package)"))
        for text in found:
            by_text.setdefault(text, []).append(f"{package['name']} {package['version']}")
    for text, names in sorted(by_text.items(), key=lambda item: item[1]):
        print("\n" + "-" * 100 + "\n" + ", ".join(names) + "\n\n" + text)


main()
