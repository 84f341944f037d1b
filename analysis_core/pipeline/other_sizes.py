"""A kernel that rests on the size of types that are not declared, costed once more with another size.

    out[4 * i] = in[i];        16 and 4 sectors if elements have 4 bytes, 8 and 2 if they have 2

Each access says what it costs at either size, and the bounds hold for both, with the other size as their first case: "20 sectors, 10 when
sizeof_T == 2".  It takes no more than `FURTHER` of a kernel's work, and no kernel pays that knows all of its types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis_core.expressions.bounds import BoundCase, KernelBounds, MetricBound, SumBound, WarpBound
from analysis_core.expressions.compare import proved_at_most
from analysis_core.expressions.expression import Expression, maximum, minimum, safe_names
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ASSUMED_BYTES, OTHER_BYTES, unsized_in
from analysis_core.pipeline.clock import Clock
from analysis_core.pipeline.launch_stages import bound_launch, cost_launch
from analysis_core.profile.access_profile import AccessProfile, KernelProfile
from analysis_core.program.launch import Launch
from analysis_core.requests.certainty import of_open_size
from analysis_core.requests.facts import AccessFact, KernelFacts, OpenSize, SizedCost, SymbolInfo
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store

_Place = tuple[object, ...]


def with_sizes(
    kernel: Kernel, resized: Kernel, launch: Launch, profile: KernelProfile, settings: Settings, store: Store | None
) -> KernelProfile:
    """The profile with what becomes of it at the other size.  `resized`: the kernel at that size."""
    other = replace(resized, launches=kernel.launches)
    within = replace(settings, bound_cases=False)
    costed = cost_launch(other, launch, within, Clock(), store=store)
    types = unsized_in(one.text for one in kernel.assumptions)
    at = _by_place(costed.profile.accesses)
    accesses = tuple(_sized(one, at, types) for one in profile.accesses)
    facts = replace(profile.facts, accesses=tuple(one.fact for one in accesses))
    if facts.bounds is not None and _counts_alike(facts, costed.profile.facts):
        found = bound_launch(other, launch, costed, within, Clock(), store).facts
        sources = safe_names(f"sizeof({name})" for name in types)
        when = " and ".join(f"{name} == {OTHER_BYTES}" for name in sources.values())
        sizes = (SymbolInfo(name, source, "const", None) for source, name in sources.items())
        bounds = facts.bounds if found.bounds is None else _either(facts.bounds, found.bounds, when)
        facts = replace(facts, bounds=bounds, symbols=(*facts.symbols, *sizes))
    return replace(profile, facts=facts, accesses=accesses)


def _counts_alike(facts: KernelFacts, other: KernelFacts) -> bool:
    """Whether names of numbers of rounds stand for the same loops."""
    loops = {info.name: info.span for info in facts.symbols if info.kind == "trip"}
    return all(loops.get(info.name) == info.span for info in other.symbols if info.kind == "trip")


# --- accesses ---------------------------------------------------------------------------------------------------


def _by_place(accesses: Sequence[AccessProfile]) -> Mapping[_Place, AccessProfile]:
    """Accesses of which there is one at their place."""
    count = Counter(_place(one.fact) for one in accesses)
    return {_place(one.fact): one for one in accesses if count[_place(one.fact)] == 1}


def _place(fact: AccessFact) -> _Place:
    return fact.span, fact.via, fact.text, fact.rw


def _sized(access: AccessProfile, at: Mapping[_Place, AccessProfile], types: tuple[str, ...]) -> AccessProfile:
    """The access with what it costs at the other size, where that is known and its elements are of unknown size or it is not the same."""
    other = at.get(_place(access.fact))
    if other is None or other.fact.space is not access.fact.space:
        return access
    merged = access.merged
    if merged is not None:
        merged = replace(merged, fact=_with_cost(merged.fact, (other.merged or other).fact, types))
    return replace(access, fact=_with_cost(access.fact, other.fact, types), merged=merged)


def _with_cost(fact: AccessFact, other: AccessFact, types: tuple[str, ...]) -> AccessFact:
    costs = _cost(fact, ASSUMED_BYTES), _cost(other, OTHER_BYTES)
    if not fact.why.unsized and replace(costs[1], bytes=ASSUMED_BYTES) == costs[0]:
        return fact
    return of_open_size(replace(fact, variation=replace(fact.variation, sized=OpenSize(types, costs))))


def _cost(fact: AccessFact, bytes_: int) -> SizedCost:
    return SizedCost(bytes_, fact.worst, fact.best, fact.ideal)


# --- bounds -----------------------------------------------------------------------------------------------------


def _either(known: KernelBounds, other: KernelBounds, when: str) -> KernelBounds:
    """The bounds of both sizes, with those of the other one as their first cases."""
    metrics = {name: _metric(bound, other.metrics.get(name), when) for name, bound in known.metrics.items()}
    return replace(known, metrics=metrics)


def _metric(known: MetricBound, other: MetricBound | None, when: str) -> MetricBound:
    if other is None or _without_cases(known) == _without_cases(other):
        return known
    return replace(
        known,
        per_warp=_warp(known.per_warp, other.per_warp, when, other.ideal),
        per_block=_sum(known.per_block, other.per_block, when),
        per_launch=_sum(known.per_launch, other.per_launch, when),
    )


def _without_cases(bound: MetricBound) -> tuple[WarpBound | SumBound, ...]:
    return tuple(replace(one, cases=()) for one in (bound.per_warp, bound.per_block, bound.per_launch))


def _warp(known: WarpBound, other: WarpBound, when: str, ideal: Expression | None) -> WarpBound:
    case = BoundCase(when, other.upper, other.worst_lower, other.exact, ideal)
    return replace(
        known,
        upper=_greatest(known.upper, other.upper),
        worst_lower=_least(known.worst_lower, other.worst_lower),
        min_lower=_least(known.min_lower, other.min_lower),
        exact=False,
        cases=(case, *known.cases),
    )


def _sum(known: SumBound, other: SumBound, when: str) -> SumBound:
    case = BoundCase(when, other.upper, other.lower, other.exact)
    return SumBound(
        _greatest(known.upper, other.upper),
        _least(known.lower, other.lower),
        exact=False,
        cases=(case, *known.cases),
    )


def _greatest(a: Expression | None, b: Expression | None) -> Expression | None:
    if a is None or b is None:
        return a
    return a if proved_at_most(b, a) else b if proved_at_most(a, b) else maximum(a, b)


def _least(a: Expression, b: Expression) -> Expression:
    return a if proved_at_most(a, b) else b if proved_at_most(b, a) else minimum(a, b)
