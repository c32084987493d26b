#!/usr/bin/env python3
"""Fits a model's floors on golden questions: when an answer is covered, uncertain or not covered.

usage: fit.py FILE.yaml… [--false-abstain 0.04]

The corpora that the files name must be loaded and embedded in the database that the libpq variables point to, with the model in
use. Needs PyYAML. Prints how well each signal tells questions with an answer from those without, the estimate for files that were left out of
the fitting, and the floors as the model's manifest takes them. Fit on questions for development only.
"""

import json
import math
import sys

import yaml

from score import query

SIGNALS = ["similarity", "words", "margin", "agreement", "terms"]
STEPS, RATE, RIDGE = 4000, 0.3, 0.01


def signals(paths):
    """Rows of (file, has an answer, signals); questions that name an address need no weighing."""
    rows = []
    for path in paths:
        questions = [q for q in yaml.safe_load(open(path, encoding="utf-8")) if q.get("split", "dev") == "dev"]
        asked = [{"id": n, "question": q["question"], "corpus": q["corpus"]} for n, q in enumerate(questions)]
        answers = query(
            """SELECT json_object_agg(q.id, (SELECT to_json(c) FROM codecite.coverage(q.question, ARRAY[q.corpus]) c))
               FROM json_to_recordset(:'questions') q(id int, question text, corpus text);""",
            {"questions": json.dumps(asked)},
        )
        for n, question in enumerate(questions):
            answer = answers[str(n)]
            if answer.get("similarity") is not None:
                rows.append((path, bool(question.get("expected_sections")), [float(answer[name]) for name in SIGNALS]))
    return rows


def fit(rows):
    """Logistic regression, both classes of equal weight: (weights, bias) in the signals' own units."""
    columns = list(zip(*(row[2] for row in rows)))
    means = [sum(column) / len(column) for column in columns]
    spreads = [math.sqrt(sum((v - m) ** 2 for v in column) / len(column)) or 1.0 for column, m in zip(columns, means)]
    points = [([(v - m) / s for v, m, s in zip(row[2], means, spreads)], row[1]) for row in rows]
    share = sum(answered for _, answered in points) / len(points)
    weights, bias = [0.0] * len(SIGNALS), 0.0
    for _ in range(STEPS):
        slope, tilt = [RIDGE * w for w in weights], 0.0
        for values, answered in points:
            guess = 1 / (1 + math.exp(-bias - sum(w * v for w, v in zip(weights, values))))
            error = (guess - answered) * (0.5 / share if answered else 0.5 / (1 - share)) / len(points)
            tilt += error
            slope = [g + error * v for g, v in zip(slope, values)]
        bias -= RATE * tilt
        weights = [w - RATE * g for w, g in zip(weights, slope)]
    own = [w / s for w, s in zip(weights, spreads)]
    return own, bias - sum(w * m for w, m in zip(own, means))


def score(model, values):
    return sum(w * v for w, v in zip(model[0], values)) + model[1]


def rate(scored, false_abstain):
    """The floor with at most that share of answered questions below it, and the share of the others below it."""
    answered = sorted(s for s, has in scored if has)
    floor = answered[int(false_abstain * len(answered))]
    others = [s for s, has in scored if not has]
    return floor, sum(s < floor for s in others) / max(len(others), 1)


def area(scored):
    """The chance that a question with an answer scores above one without."""
    yes, no = [s for s, has in scored if has], [s for s, has in scored if not has]
    wins = sum((y > n) + 0.5 * (y == n) for y in yes for n in no)
    return wins / (len(yes) * len(no))


def main():
    paths = [word for word in sys.argv[1:] if word.endswith((".yaml", ".yml"))]
    limit = float(sys.argv[sys.argv.index("--false-abstain") + 1]) if "--false-abstain" in sys.argv else 0.04
    if not paths:
        sys.exit(__doc__)
    rows = signals(paths)
    if len({has for _, has, _ in rows}) < 2:
        sys.exit("fit.py: the files need questions with an answer and questions without")
    print(f"{sum(has for _, has, _ in rows)} questions with an answer, {sum(not has for _, has, _ in rows)} without")
    for place, name in enumerate(SIGNALS):
        print(f"  {name}: area under the curve {area([(row[2][place], row[1]) for row in rows]):.3f}")
    if len(paths) > 1:
        held_out = []
        for path in paths:
            model = fit([row for row in rows if row[0] != path])
            held_out += [(score(model, values), has) for of, has, values in rows if of == path]
        print(f"each file by the others: area {area(held_out):.3f}, "
              + ", ".join(f"abstain {rate(held_out, f)[1]:.2f} at false abstain {f}" for f in (0.02, 0.05, 0.10)))
    model = fit(rows)
    scored = [(score(model, values), has) for _, has, values in rows]
    uncertain, abstain = rate(scored, limit)
    # "Covered" is said where hardly any question without an answer scores as high.
    covered = max(sorted((s for s, has in scored if not has), reverse=True)[max(0, sum(not h for _, h in scored) // 20)], uncertain)
    print(f"fitted on all: area {area(scored):.3f}, abstain {abstain:.2f} at false abstain {limit}")
    names = dict(zip(["similarity", "lexical", "margin", "agreement", "terms"], model[0]))
    floors = {name: round(weight, 3) for name, weight in names.items()}
    floors |= {"uncertain": round(uncertain - model[1], 3), "covered": round(covered - model[1], 3)}
    print(json.dumps(floors | {"words_uncertain": 0.1, "words_covered": 0.4}))


if __name__ == "__main__":
    main()
