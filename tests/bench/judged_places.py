"""Counts how many of the judged places are told, and at which level.

    python -m tests.bench.golden write state.json.gz FOLDER..
    python -m tests.bench.judged_places state.json.gz [--list VERDICT LEVEL]

`judged_places.tsv` has one row per place of a finding that somebody judged by hand from the source: the verdict that was given last (`right`,
`noise`: true and of no use there, `wrong`), how often the place was judged, the table of the last judgement (README.md), and why it is not
right.  A place is told at the highest level that a finding of that rule has at that line; at none it is `silent`.  Places of folders that
the state does not hold are left out.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("judged_places.tsv")
VERDICTS = ("right", "noise", "wrong")
LEVELS = ("error", "warning", "information", "hint", "silent")
TOLD = LEVELS[:3]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file of a corpus, and the rule that was judged there."""

    corpus: str
    path: str
    line: int
    code: str


def judged() -> dict[Place, str]:
    """The last verdict of each place."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {Place(r["corpus"], r["path"], int(r["line"]), r["code"]): r["verdict"] for r in rows}


def levels(state: Mapping[str, Any], places: Iterable[Place]) -> dict[Place, str]:
    """The level at which each place is told, of those whose corpus is among the files of the state."""
    corpora = {place.corpus for place in places}
    told: dict[Place, str] = {}
    held: set[str] = set()
    for name, file in state.items():
        for corpus, path in _inside(name, corpora):
            held.add(corpus)
            for code, level, line, _, _ in file["findings"]:
                place = Place(corpus, path, line, code)
                told[place] = min(level, told.get(place, "silent"), key=LEVELS.index)
    return {place: told.get(place, "silent") for place in places if place.corpus in held}


def _inside(name: str, corpora: set[str]) -> Iterator[tuple[str, str]]:
    parts = Path(name).parts
    for i, part in enumerate(parts[:-1]):
        if part in corpora:
            yield part, "/".join(parts[i + 1 :])


def table(verdicts: Mapping[Place, str], found: Mapping[Place, str]) -> list[str]:
    """The table of verdicts by level, the share of right places that are told, and the share of told places that are right."""
    counts = Counter((verdicts[place], level) for place, level in found.items())
    lines = [f"{'':8}" + "".join(f"{level:>12}" for level in LEVELS)]
    lines += [f"{v:8}" + "".join(f"{counts[v, level]:12}" for level in LEVELS) for v in VERDICTS]
    told = {v: sum(counts[v, level] for level in TOLD) for v in VERDICTS}
    right = sum(counts["right", level] for level in LEVELS)
    lines.append(f"told of right {told['right']} of {right}{_share(told['right'], right)}")
    lines.append(f"right of told {told['right']} of {sum(told.values())}{_share(told['right'], sum(told.values()))}")
    return lines


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.1f}%)" if whole else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("state", type=Path)
    parser.add_argument("--list", nargs=2, metavar=("VERDICT", "LEVEL"), help="the places of one cell of the table")
    options = parser.parse_args()
    with gzip.open(options.state, "rt", encoding="utf-8") as file:
        state = json.load(file)
    verdicts = judged()
    found = levels(state, verdicts)
    print("\n".join(table(verdicts, found)))
    if options.list:
        wanted = tuple(options.list)
        for place in sorted((p for p, level in found.items() if (verdicts[p], level) == wanted), key=str):
            print(f"{place.corpus}/{place.path}:{place.line} {place.code}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
