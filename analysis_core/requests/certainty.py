"""How sure the cost of an access is, and in which words: the difference between worst and best explained.

`worst` and `best` of one request differ for four reasons: lanes have symbols of their own (loaded, or lost), rows at a
symbolic pitch may or may not share sectors, several symbols decide the alignment together, or there are too many
residues to go through.  Over all requests of an access they also differ where executions do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis_core.domains.shape import some
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.requests.access_cost import MOST_COMBINATIONS, RequestCost
from analysis_core.requests.facts import AccessFact, Certainty
from analysis_core.requests.requests import Request
from analysis_core.support.facts import Cause, CauseKind

_OPEN_SIZE = "the size of its elements is not known"


def certainty(space: Space, worst: int, best: int, single: bool, exact: bool) -> Certainty:
    """How certain the cost of an access is. `single`: every request has one cost; `exact`: that, or residues of
    symbols decide it."""
    if space is Space.LOCAL:
        return Certainty.UNCOUNTED
    if worst == best:
        return Certainty.EXACT
    if single:
        return Certainty.EXECUTIONS
    return Certainty.RESIDUE if exact else Certainty.RANGED


def of_open_size(fact: AccessFact, because: str = _OPEN_SIZE) -> AccessFact:
    """The fact without the claim that its figures are exact: they are for one size of types that are not declared."""
    if fact.certainty is Certainty.UNCOUNTED:
        return fact
    why = replace(fact.why, because=fact.why.because or because)
    return replace(fact, exact=False, certainty=Certainty.RANGED, why=why)


def why_ranged(request: Request, cost: RequestCost, loose: bool = False) -> str:
    """Why the cost of the request is not exact, in a few words.  `loose`: no one instruction moves so many bytes."""
    if loose:
        return "in how many steps these bytes are moved is not known"
    if some(request.scattered):
        return "lanes have addresses of their own"
    if cost.layout is None:
        return f"more than {MOST_COMBINATIONS} combinations of residues"
    if request.pitches:
        names = dict.fromkeys("*".join(s.name for s in pitch.monomial) for pitch in request.pitches)
        return f"rows at the pitch {', '.join(f'`{name}`' for name in names)} may share sectors or not"
    names = dict.fromkeys("*".join(s.name for s in monomial) for monomial, _ in request.shift_terms)
    if not names:
        return "which lanes run together is not known"
    return f"{', '.join(f'`{name}`' for name in names)} decide the alignment together"


def unknown_in(events: Iterable[AccessEvent], unsettled: Iterable[Symbol]) -> Cause | None:
    """The cause of the first symbol in the addresses of these events that the analysis has lost. `unsettled`: symbols
    that lanes have for themselves and that have no polynomial in the cases."""
    lost = _symbols(events, SymbolKind.UNKNOWN) or sorted(s for s in unsettled if s.kind is SymbolKind.DERIVED)
    if not lost:
        return None
    named = (symbol.cause for symbol in lost)
    return next((c for c in named if c is not None), Cause(CauseKind.ANALYSIS, "the value was lost", None))


def depends_on_data(events: Iterable[AccessEvent]) -> bool:
    """Whether the address of any of the events depends on what was loaded from memory."""
    return bool(_symbols(events, SymbolKind.DATA))


def _symbols(events: Iterable[AccessEvent], kind: SymbolKind) -> list[Symbol]:
    """The symbols of a kind in the addresses, oldest first."""
    return sorted({s for event in events for s in event.address.poly.symbols() if s.kind is kind})
