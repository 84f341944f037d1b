"""How precise the analysis is, counted over reports: what `warpcost stats` prints.

Every access under every launch configuration is in one class:

    data-dependent  its address holds something that was loaded from memory; counted apart, whatever its cost
    uncounted       local memory
    exact           worst = best
    executions      every request costs one number, executions differ
    residue         residues of symbols decide between costs (or a case says which holds)
    ranged          the cost is a range for another reason
    unknown         ranged, and the address holds a symbol that the analysis lost

The two figures to look at are over the accesses whose index does not come from memory: how many have no unknown in the
address, and how many have worst = best or a residue case.  Each miss is counted under its reason.

Both are counted by places of the source, too: an access that a template repeats 12 times is one place, with 12 *occurrences* (instantiations, inlined
calls, launches).  `worst` counts places all of whose occurrences are good: what a reader of the source can rely on; `mean` each place by the part of
its occurrences that is good.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field

from analysis_core.requests.facts import AccessFact, Certainty, KernelFacts
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

CLASSES = ("exact", "executions", "residue", "ranged", "unknown", "data-dependent", "uncounted")

EXECUTIONS_DIFFER = "each execution costs one number, but not all the same"

_NAMES = re.compile(r"[`'][^`']*[`']|\(missing: [^)]*\)")


Place = tuple[Span, str]
"""Where the access stands, and how it is spelled there (a macro may make several accesses at one span)."""


@dataclass(slots=True)
class Tally:
    """The occurrences of one place; `unknowns` and `misses`: those that are not good, by reason."""

    direct: int = 0
    unknowns: Counter[str] = field(default_factory=Counter)
    misses: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Takes the occurrences of another file or kernel."""
        self.direct += other.direct
        self.unknowns.update(other.unknowns)
        self.misses.update(other.misses)


@dataclass(frozen=True, slots=True)
class Shares:
    """One figure over the places, from 0 to 1."""

    worst: float
    mean: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over the places of the source. `known`: those without an unknown in the address; `settled`: those with
    worst = best, or a residue case; `all`: the number of places."""

    all: int
    known: Shares
    settled: Shares


def figures(places: Mapping[Place, Tally]) -> Figures:
    """The figures over places with an occurrence that counts."""
    tallies = [tally for tally in places.values() if tally.direct]
    known = _shares([tally.direct, sum(tally.unknowns.values())] for tally in tallies)
    return Figures(len(tallies), known, _shares([tally.direct, sum(tally.misses.values())] for tally in tallies))


def _shares(counts: Iterable[list[int]]) -> Shares:
    rows = list(counts)
    if not rows:
        return Shares(1.0, 1.0)
    return Shares(
        sum(missed == 0 for _, missed in rows) / len(rows),
        sum(1 - missed / direct for direct, missed in rows) / len(rows),
    )


def merged(parts: Iterable[Mapping[Place, Tally]]) -> dict[Place, Tally]:
    """The tallies of all parts; a header's places are the same in each file that includes it."""
    result: dict[Place, Tally] = {}
    for part in parts:
        for place, tally in part.items():
            result.setdefault(place, Tally()).add(tally)
    return result


@dataclass(frozen=True, slots=True)
class Precision:
    """Counts; `unknowns` and `misses`: the accesses with an unknown in the address, and those without worst = best or a
    residue case, by reason.  `direct`: accesses whose index does not come from memory.  `places`: the same by places of the
    source, where executions that differ are a miss."""

    accesses: Counter[str] = field(default_factory=Counter)
    branches: Counter[str] = field(default_factory=Counter)
    unknowns: Counter[str] = field(default_factory=Counter)
    misses: Counter[str] = field(default_factory=Counter)
    places: dict[Place, Tally] = field(default_factory=dict)

    @property
    def direct(self) -> int:
        return sum(self.accesses[name] for name in CLASSES[:5])

    @property
    def known(self) -> int:
        """Direct accesses with no unknown in the address."""
        return self.direct - sum(self.unknowns.values())

    @property
    def settled(self) -> int:
        """Direct accesses with worst = best for every request, or a residue case."""
        return self.direct - sum(self.misses.values())

    @property
    def strict(self) -> int:
        """Direct accesses with worst = best for every request, or a residue case, whose executions all cost the same."""
        return self.settled - self.accesses["executions"]


def precision_of(facts: Iterable[KernelFacts]) -> Precision:
    """The counts over kernels and launches."""
    result = Precision()
    for known in facts:
        result.branches.update(branch.divergence.value for branch in known.branches)
        for access in known.accesses:
            name = access_class(access)
            result.accesses[name] += 1
            if name in ("data-dependent", "uncounted"):
                continue
            tally = result.places.setdefault((access.span, access.text), Tally())
            tally.direct += 1
            if access.why.unknown is not None:
                reason = without_names(access.why.unknown.reason)
                result.unknowns[reason] += 1
                tally.unknowns[reason] += 1
            if name in ("ranged", "unknown"):
                reason = without_names(_reason(access))
                result.misses[reason] += 1
                tally.misses[reason] += 1
            elif name == "executions":
                tally.misses[EXECUTIONS_DIFFER] += 1
    return result


def together(parts: Iterable[Precision]) -> Precision:
    """The sum of the counts."""
    kept = list(parts)
    result = Precision(places=merged(part.places for part in kept))
    for part in kept:
        result.accesses.update(part.accesses)
        result.branches.update(part.branches)
        result.unknowns.update(part.unknowns)
        result.misses.update(part.misses)
    return result


def access_class(access: AccessFact) -> str:
    """The class of the module's list."""
    if access.certainty is Certainty.UNCOUNTED:
        return "uncounted"
    if access.why.data_dependent:
        return "data-dependent"
    if access.certainty is Certainty.RANGED and not access.cases:
        return "ranged" if access.why.unknown is None else "unknown"
    return "residue" if access.certainty is Certainty.RANGED else access.certainty.value


def without_names(reason: str) -> str:
    """The reason with names left out, so that like is counted with like."""
    return " ".join(_NAMES.sub("..", reason).split())


def _reason(access: AccessFact) -> str:
    if access.why.unknown is not None:
        return access.why.unknown.reason
    if access.why.cause is not None:
        return access.why.cause.reason
    return access.why.because or "not said"
