"""What `warpcost stats` says of data races: pairs of accesses that are proved never to meet, and the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from analysis_core.races.verdicts import RaceReport, Verdict

NOT_LOOKED_AT = "not looked at"
"""Launches whose accesses cannot be put into intervals between barriers, or of which a part is not known."""


def pairs_of(reports: Iterable[RaceReport | None]) -> Counter[str]:
    """Pairs of accesses of all launches by what is said of them."""
    found: Counter[str] = Counter()
    for report in reports:
        if report is None:
            continue
        if report.cause:
            found[NOT_LOOKED_AT] += 1
        found[Verdict.ABSENT.value] += report.proved
        found.update(race.verdict.value for race in report.races)
    return +found


def race_lines(found: Counter[str]) -> list[str]:
    """ "pairs of accesses proved apart 120 of 131 (91.6%): 3 certain, 8 data"; nothing where there are none."""
    pairs = found.total() - found[NOT_LOOKED_AT]
    if not found:
        return []
    apart = found[Verdict.ABSENT.value]
    names = [verdict.value for verdict in Verdict if verdict is not Verdict.ABSENT]
    others = ", ".join(f"{found[name]} {name}" for name in names if found[name])
    share = f" ({100 * apart / pairs:.1f}%)" if pairs else ""
    lines = [f"pairs of accesses proved apart {apart} of {pairs}{share}" + (f": {others}" if others else "")]
    if found[NOT_LOOKED_AT]:
        lines.append(f"launches not looked at for races {found[NOT_LOOKED_AT]}")
    return lines
