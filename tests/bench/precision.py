"""How precise the analysis is on public code: python -m tests.bench.precision [--jobs N] DIRECTORY..

For each directory by itself: the classes of its accesses and branches, and over the accesses whose index does not come
from memory the two shares that are to stay above 95% (no unknown in the address) and 85% (worst = best or a residue
case).  They are counted twice: over all accesses, where a template counts once per instantiation, and over the places of
the source, each once: good in all of its occurrences, and by the part of them that is good (`report/precision.py`).  The
ten most frequent reasons of each miss follow, with places where they occur, ranked by the number of places.  Time per
kernel comes first, since precision is paid with it.

Ends with 1 if a share over all accesses, or over places in the mean, is below its mark.  The figures are those of
`warpcost stats --format json`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

KNOWN, SETTLED = 0.95, 0.85
"""Least shares of the accesses whose index does not come from memory."""

TOP, SHOWN = 10, 3
"""Reasons that are printed, and places of each."""


def measured(directory: Path, jobs: int) -> dict[str, Any]:
    """The statistics of all files below a directory."""
    command = [sys.executable, "-m", "analysis_core", "stats", "--format", "json", "--jobs", str(jobs), str(directory)]
    done = subprocess.run(command, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(name: str, found: dict[str, Any]) -> list[str]:
    """The figures of one directory as lines."""
    direct, places = found["direct"], found["places"]
    lines = [f"== {name}: {found['kernels']} kernels in {found['files']} files, {found['launches']} launches"]
    if found["kernel_ms"] is not None:
        lines.append("  per kernel: median {median:.0f} ms, p95 {p95:.0f} ms".format(**found["kernel_ms"]))
    for what in ("accesses", "branches"):
        counts = found[what]
        lines.append(f"  {what} {sum(counts.values())}: " + ", ".join(f"{k} {v}" for k, v in counts.items()))
    lines.append(f"  of {direct['all']} accesses whose index does not come from memory:")
    lines.append(f"    {share(direct, 'known'):6.1%}  no unknown in the address")
    lines.append(f"    {share(direct, 'settled'):6.1%}  worst = best or a residue case")
    lines.append(f"    {share(direct, 'per_execution'):6.1%}  the same, each execution by itself")
    lines.append(f"  of their {places['all']} places in the source, in all occurrences and in the mean:")
    lines.append("    {worst:6.1%} {mean:6.1%}  no unknown in the address".format(**places["known"]))
    lines.append("    {worst:6.1%} {mean:6.1%}  worst = best or a residue case".format(**places["settled"]))
    for title in ("unknowns", "misses"):
        lines += [f"  {title} (accesses, places):", *causes(title, found)]
    return lines


def causes(title: str, found: dict[str, Any]) -> list[str]:
    """The most frequent reasons of one kind of miss, by the places where they are the first one."""
    places: dict[str, list[str]] = {}
    accesses: Counter[str] = Counter()
    for row in found["missed"]:
        accesses.update(row[title])
        for reason in list(row[title])[:1]:
            places.setdefault(reason, []).append(f"{Path(row['path']).name}:{row['line']}: {row['text']}")
    lines = []
    for reason, where in sorted(places.items(), key=lambda item: -len(item[1]))[:TOP]:
        lines.append(f"    {accesses[reason]:5d} {len(where):5d}  {reason}")
        lines += [f"                   {text}" for text in where[:SHOWN]]
    return lines


def share(direct: dict[str, int], what: str) -> float:
    """Part of the direct accesses, 1 if there are none."""
    return direct[what] / direct["all"] if direct["all"] else 1.0


def is_below(found: dict[str, Any]) -> bool:
    """Whether a share misses its mark, in one of the two ways of counting."""
    direct, places = found["direct"], found["places"]
    known = min(share(direct, "known"), places["known"]["mean"])
    return bool(known < KNOWN or min(share(direct, "settled"), places["settled"]["mean"]) < SETTLED)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("directories", nargs="+", type=Path)
    arguments.add_argument("--jobs", type=int, default=1)
    given = arguments.parse_args()
    below = 0
    for directory in given.directories:
        found = measured(directory, given.jobs)
        print("\n".join(table(directory.name, found)))
        below += is_below(found)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
