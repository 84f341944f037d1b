"""All refactorings of many texts, each that is accepted run once more with many launches: `python -m tests.rewrite.hunt PATH.. [--night]`.

What is accepted and then leaves something else in memory is a bug.  What was refused because a run did, or because a race came, is one of the
action's conditions that is too weak, caught by the checks: they are listed, too.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from analysis_core.pipeline.checked_fixes import Place
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.offers import Spot, spots, tried
from analysis_core.rewrite.registry import ACTIONS
from analysis_core.rewrite.runs import compared
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass

MANY = 10
"""Launches, each with three contents of memory."""

CAUGHT = ("a run leaves something else", "finding WC4", "finding WC900", "is not understood")
"""How refusals begin, or what they say, that the checks give and not the action."""


@dataclass(frozen=True, slots=True)
class Applied:
    """One refactoring of a text.  `refused`: why, "" if it was accepted; `broken`: the run that shows it wrong."""

    spot: Spot
    line: int
    refused: str
    title: str = ""
    broken: str = ""
    text: bytes = b""
    runs: int = 0

    @property
    def is_caught(self) -> bool:
        return any(said in self.refused for said in CAUGHT)


def unit_of(path: str, text: bytes) -> Unit:
    return Unit(Place(path, MemoryFiles({path: text}), Settings(), (), Store()))


def applied(unit: Unit, shapes: int = MANY, most: int | None = None) -> Iterator[Applied]:
    """Every refactoring of a text, tried."""
    for number, spot in enumerate(spots(unit, ACTIONS)):
        if most is not None and number >= most:
            return
        line, found = unit.line(spot.span), tried(unit, spot)
        if isinstance(found, Refused):
            yield Applied(spot, line, found.reason)
            continue
        after = unit.edited(found.rewritten.edits)
        kernel = spot.sites[0].kernel
        ran = compared(
            unit,
            after,
            kernel.instantiation or kernel.name,
            found.rewritten.comparison,
            shapes,
            found.rewritten.reorders,
        )
        yield Applied(spot, line, "", found.title, ran.different, after.text, ran.equal)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("paths", nargs="+")
    options.add_argument("--verbose", action="store_true", help="tell what is accepted and refused")
    args = options.parse_args()
    counts: Counter[str] = Counter()
    files = [one for path in map(Path, args.paths) for one in (sorted(path.rglob("*.cu")) if path.is_dir() else [path])]
    for file in files:
        try:
            unit = unit_of(str(file), file.read_bytes())
            for one in applied(unit):
                name = one.spot.action.name
                what = (
                    "broken" if one.broken else "caught" if one.is_caught else "refused" if one.refused else "accepted"
                )
                counts[f"{name} {what}"] += 1
                if what in ("broken", "caught") or args.verbose:
                    print(f"{file}:{one.line}: {name}: {what}: {one.broken or one.refused or one.title}", flush=True)
        except Exception as error:
            counts["failed"] += 1
            print(f"{file}: failed: {type(error).__name__}: {error}", flush=True)
    for name in sorted(counts):
        print(f"{counts[name]:6} {name}")
    return 1 if any("broken" in name or name == "failed" for name in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
