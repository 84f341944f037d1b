"""Units from numbers to broken claims: written, compiled, run, analysed and compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.compiled.broken import Broken
from tests.compiled.build import NotCompiled, program
from tests.compiled.claims import NotAnalysed, claims
from tests.compiled.compare import Tally, compare
from tests.compiled.launches import observed, samples
from tests.compiled.unit import Unit, texts_of


def examine(units: Sequence[Unit], folder: Path, tally: Tally, name: str = "batch") -> list[tuple[Unit, list[Broken]]]:
    """Units with broken claims."""
    written = [(unit, texts_of(unit)) for unit in units]
    executable = program(written, folder, name)
    jobs = [(unit, sample) for unit in units for sample in samples(unit)]
    runs = observed(executable, jobs)
    found, first = [], 0
    for unit, texts in written:
        mine = slice(first, first := first + unit.launches)
        try:
            launch = claims(texts.cuda, unit.block)
        except NotAnalysed as reason:
            tally.unread[str(reason)] = tally.unread.get(str(reason), 0) + 1
            continue
        broken = compare(unit, texts, launch, [(s, seen) for (_, s), seen in zip(jobs[mine], runs[mine])], tally)
        if broken:
            found.append((unit, broken))
    return found


def kinds_broken(unit: Unit, folder: Path) -> set[str]:
    """Kinds of the claims that one unit breaks; none if it is no program."""
    try:
        found = examine([unit], folder, Tally(), "one")
    except NotCompiled:
        return set()
    return {b.kind for _, broken in found for b in broken}
