#!/usr/bin/env python3
"""Draws what searches cost by the number of chunks, from what bench-scale.sh measured.

usage: scale-plot.py MEASURED OUT.svg      MEASURED: lines of chunks, what, p50 and p95 in milliseconds, tab-separated
"""

import math
import sys

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 40, 50
COLOURS = {"hybrid": "#0072b2", "vector": "#56b4e9", "lexical": "#e69f00", "GIN alone": "#8c959f", "pgvector alone": "#57606a"}
STYLE = ("text{font:12px sans-serif;fill:#1f2328}.page{fill:#fff}.grid{stroke:#d0d7de}path{fill:none;stroke-width:2}"
         "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.grid{stroke:#30363d}}")


def read(path):
    """Points (chunks, p50) by what was measured, in order of size; of a size measured twice the last."""
    found = {}
    for line in open(path):
        chunks, what, p50, _ = line.rstrip("\n").split("\t")
        found.setdefault(what.strip("() "), {})[int(chunks)] = float(p50)
    return {what: sorted(points.items()) for what, points in found.items() if what in COLOURS}


def ticks(low, high):
    """1, 2, 5, 10 … that lie in a range."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [step * 10 ** decade for decade in decades for step in (1, 2, 5) if low <= step * 10 ** decade <= high]


def short(number):
    return f"{number // 1_000_000:g} M" if number >= 1_000_000 else f"{number // 1000:g} k" if number >= 1000 else f"{number:g}"


def main():
    found = read(sys.argv[1])
    sizes = [size for points in found.values() for size, _ in points]
    costs = [cost for points in found.values() for _, cost in points]
    low, high = min(sizes) * 0.9, max(sizes) * 1.1
    least, most = min(costs) * 0.8, max(costs) * 1.25
    x = lambda size: LEFT + (WIDTH - LEFT - RIGHT) * math.log(size / low) / math.log(high / low)
    y = lambda cost: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log(cost / least) / math.log(most / least)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
           f'aria-label="Milliseconds of a search by the number of chunks">', f"<style>{STYLE}</style>",
           '<rect class="page" width="100%" height="100%"/>', f'<text x="{LEFT}" y="22">Median of a search in milliseconds, by chunks</text>']
    for tick in ticks(least, most):
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
                   f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for size in sorted(set(sizes)):
        out.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{short(size)}</text>')
    labels = []
    for what, points in found.items():
        line = " ".join(f"{'L' if place else 'M'}{x(size):.1f} {y(cost):.1f}" for place, (size, cost) in enumerate(points))
        out.append(f'<path d="{line}" stroke="{COLOURS[what]}"/>')
        out.extend(f'<circle cx="{x(size):.1f}" cy="{y(cost):.1f}" r="3.5" fill="{COLOURS[what]}"><title>{what}, {size} chunks: {cost:g} ms</title></circle>'
                   for size, cost in points)
        labels.append((y(points[-1][1]), f"{what} {points[-1][1]:g}"))
    above = -math.inf
    for place, label in sorted(labels):
        above = max(place, above + 15)
        out.append(f'<text x="{WIDTH - RIGHT + 10}" y="{above + 4:.1f}">{label}</text>')
    out.append("</svg>\n")
    with open(sys.argv[2], "w") as file:
        file.write("\n".join(out))


main()
