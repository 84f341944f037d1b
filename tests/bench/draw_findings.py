"""Draws findings, and kernels without findings, for judgement by hand: a sample of what users see.

    warpcost check --no-config --format json CORPUS... > found.json
    python tests/bench/draw_findings.py --seed 1 --warnings 120 --informations 60 --kernels 40 found.json

Prints one line per draw: path, line, column, code, level, message; or path, line, name of a kernel without findings.  With
`--of WC101,WC301 --count 150` instead: findings of these rules, whatever their level, one per line and rule; those that a
table given by `--without` has judged are left out first.  The same seed and the same report give the same draw.  At most three findings of a rule are drawn from one file, so that
an unrolled kernel does not own the sample.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FROM_ONE_FILE = 3


@dataclass(frozen=True, slots=True, order=True)
class Draw:
    """One thing to judge.  `code` is "" for a kernel without findings, whose name is the `message`."""

    path: str
    line: int
    column: int
    code: str
    level: str
    message: str


def kernels_of(report: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in report["files"]:
        for kernel in file["kernels"]:
            yield file["path"], kernel


def findings_of(report: dict[str, Any], level: str) -> list[Draw]:
    """Every finding of this level; a place that instantiations of a template or launches share is there once."""
    found: dict[tuple[str, int, int, str], Draw] = {}
    for path, kernel in kernels_of(report):
        for f in kernel["findings"]:
            place = f.get("path", path), f["line"], f["column"], f["code"]
            if f["level"] == level:
                found.setdefault(place, Draw(*place, f["level"], f["message"]))
    return sorted(found.values())


def findings_of_rules(report: dict[str, Any], rules: Sequence[str]) -> list[Draw]:
    """Every finding of these rules; of those at one line the loudest, then the first, as instantiations share it."""
    found: dict[tuple[str, int, str], Draw] = {}
    for level in ("warning", "information"):
        for draw in findings_of(report, level):
            if draw.code in rules:
                found.setdefault((draw.path, draw.line, draw.code), draw)
    return sorted(found.values())


def judged(tables: Sequence[Path]) -> frozenset[tuple[str, int, str]]:
    """Path below its corpus, line and rule of every finding that the tables hold."""
    found: set[tuple[str, int, str]] = set()
    for table in tables:
        with table.open(encoding="utf-8", newline="") as file:
            found |= {
                (f"{row['corpus']}/{row['path']}", int(row["line"]), row["code"])
                for row in csv.DictReader(file, delimiter="\t")
            }
    return frozenset(found)


def is_judged(draw: Draw, known: frozenset[tuple[str, int, str]]) -> bool:
    """Whether a table holds the finding; the directory of the corpora is not part of the tables' paths."""
    return any(
        (draw.line, draw.code) == (line, code) and f"/{draw.path}".endswith(f"/{path}") for path, line, code in known
    )


def silent_kernels(report: dict[str, Any]) -> list[Draw]:
    """Kernels without findings, but for what was left out."""
    quiet = {
        Draw(path, kernel["line"], 0, "", "none", kernel["name"])
        for path, kernel in kernels_of(report)
        if all(f["code"] == "WC900" for f in kernel["findings"])
    }
    return sorted(quiet)


def drawn(everything: Sequence[Draw], count: int, seed: int) -> list[Draw]:
    """At most `count` of them, in order of places."""
    order = list(everything)
    random.Random(seed).shuffle(order)
    taken: list[Draw] = []
    from_file: Counter[tuple[str, str]] = Counter()
    for draw in order:
        if len(taken) == count:
            break
        if from_file[draw.path, draw.code] < FROM_ONE_FILE:
            from_file[draw.path, draw.code] += 1
            taken.append(draw)
    return sorted(taken)


def main() -> int:
    """Prints the draws; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--warnings", type=int, default=120)
    parser.add_argument("--informations", type=int, default=60)
    parser.add_argument("--kernels", type=int, default=40)
    parser.add_argument(
        "--of", type=lambda text: text.split(","), default=[], help="codes: draw findings of these rules only"
    )
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument(
        "--without", type=Path, nargs="*", default=[], help="tables of findings that are judged already"
    )
    options = parser.parse_args()
    report = json.loads(options.report.read_text())
    known = judged(options.without)
    fresh = [draw for draw in findings_of_rules(report, options.of) if not is_judged(draw, known)]
    samples: tuple[list[Draw], ...] = (
        (drawn(fresh, options.count, options.seed),)
        if options.of
        else (
            drawn(findings_of(report, "warning"), options.warnings, options.seed),
            drawn(findings_of(report, "information"), options.informations, options.seed),
            drawn(silent_kernels(report), options.kernels, options.seed),
        )
    )
    for sample in samples:
        for draw in sample:
            print(draw.path, draw.line, draw.column, draw.code, draw.level, draw.message, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
