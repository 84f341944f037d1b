"""Causes, looked at again: what only seems to be decided by what memory holds.

The analysis blames memory wherever a loaded value goes into an address or a condition.  Which contents of memory a cost really rests on is read off the
derivations: none of a lane's own may go in, or a constant decides that nobody sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from analysis_core.domains.derivation import Derivation
from analysis_core.domains.own_data import has_own_data
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.unseen import by_unseen
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.nodes import Kernel
from analysis_core.profile.lane_flow import LaneFlows
from analysis_core.profile.loaded_into_own import loaded_into_own
from analysis_core.profile.near_data import NearData
from analysis_core.profile.sureness import SURE
from analysis_core.requests.facts import AccessFact, Explanation, Pattern
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.traffic.rows_in_pieces import is_in_pieces


def cause_of_access(
    fact: AccessFact, group: Sequence[AccessEvent], near: NearData, unseen: frozenset[str], flows: LaneFlows
) -> AccessFact:
    """The cause to report for an access, instead of memory: arithmetic, where no contents that each lane has for
    itself go into the address; or a constant that no file in view gives and that may make the access ideal."""
    derivations, cause = near.events.derivations, fact.why.cause
    if unseen and fact.best <= fact.ideal < fact.worst:
        apart = (s for event in group for s in event.address.poly.symbols())
        why = by_unseen(apart, unseen, derivations)
        if why is not None:
            return _with(fact, replace(why, span=fact.span))
    if cause is None or cause.kind is not CauseKind.DATA:
        return fact
    own = [s for event in group for s in event.address.poly.symbols() if s.level is Level.LANE]
    if not own:
        return fact
    if has_own_data(own, derivations, near.holds) and not all(map(is_in_pieces, group)):
        why = flows.of_access(group, cause) if fact.worst > fact.ideal else None
        return fact if why is None else _with(fact, why)
    reason = f"a function of the lane and of what all lanes share: {cause.reason}"
    if has_own_data(own, derivations):
        reason = f"memory moves lanes step by step: {cause.reason}"
    return _with(fact, Cause(CauseKind.ANALYSIS, reason, cause.span))


def why_told(fact: AccessFact, group: Sequence[AccessEvent], kernel: Kernel) -> Explanation | None:
    """What findings take for the reason of a figure, where that is another than what is proved: a load from memory whose value an array of the
    thread's own kept; or nothing, where memory says where a request begins and not how far apart its lanes are."""
    cause = fact.why.cause
    if cause is None or fact.worst <= fact.ideal:
        return None
    held = None if cause.span is None else loaded_into_own(kernel).get(cause.span)
    if held is not None:
        return replace(fact.why, cause=held)
    if cause.kind is CauseKind.DATA and fact.worst > SURE * fact.ideal and _says_only_where(group):
        return replace(fact.why, cause=None, data_dependent=False)
    return None


def deciders(group: Sequence[AccessEvent], derivations: Mapping[Symbol, Derivation]) -> tuple[Cause, ...]:
    """The loads whose values take lanes apart, the one that takes them furthest first: by what its values are multiplied with."""
    found: dict[Cause, tuple[int, int]] = {}
    for monomial, coefficient in (term for event in group for term in event.address.poly.terms.items()):
        own = [s for s in monomial if s.level is Level.LANE]
        weight = (len(monomial) - len(own), int(np.max(np.abs(coefficient))))
        for cause in _loads_of(own, derivations):
            found[cause] = max(weight, found.get(cause, weight))
    return tuple(sorted(found, key=lambda cause: found[cause], reverse=True))


def _loads_of(symbols: Iterable[Symbol], derivations: Mapping[Symbol, Derivation]) -> Iterator[Cause]:
    """What was loaded, of all that goes into the symbols of lanes' own."""
    pending, seen = list(symbols), set[Symbol]()
    while pending:
        symbol = pending.pop()
        if symbol in seen or symbol.level is not Level.LANE:
            continue
        seen.add(symbol)
        if symbol.kind is SymbolKind.DATA and symbol.cause is not None:
            yield symbol.cause
        derivation = derivations.get(symbol)
        pending += [] if derivation is None else [s for value in derivation.operands for s in value.poly.symbols()]


def is_by_data(fact: AccessFact) -> bool:
    """Whether the fact's cause is memory."""
    return fact.why.cause is None or fact.why.cause.kind is CauseKind.DATA


def moves_as_a_whole(fact: AccessFact, group: Sequence[AccessEvent]) -> bool:
    """Whether no symbol of a lane's own is in the addresses: how lanes lie to each other is known, and what the analysis did not understand is the same
    for all of them (`x[lane * pitch + blockIdx.x / 8]`)."""
    if fact.why.cause is None or fact.why.cause.kind is not CauseKind.ANALYSIS or fact.pattern is Pattern.UNKNOWN:
        return False
    return all(symbol.level is not Level.LANE for event in group for symbol in event.address.poly.symbols())


def _says_only_where(group: Sequence[AccessEvent]) -> bool:
    """Whether no symbol of a lane's own is in the addresses, nor what memory says in a distance between lanes."""
    terms = [term for event in group for term in event.address.poly.terms.items()]
    return not any(
        s.level is Level.LANE or (s.kind is SymbolKind.DATA and not isinstance(coefficient, int))
        for monomial, coefficient in terms
        for s in monomial
    )


def _with(fact: AccessFact, cause: Cause) -> AccessFact:
    return replace(fact, why=replace(fact.why, cause=cause))
